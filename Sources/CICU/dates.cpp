// Dates of time zones, and in the words of a language.
#include "CICU.h"
#include "copy.h"

#include <unicode/ucal.h>
#include <unicode/udat.h>
#include <unicode/unistr.h>

#include <string>

namespace {

// Without a change to the Julian calendar in 1582, as in ISO 8601.
constexpr UDate beginning = -8.64e15;

// Returns whether ICU has a zone. For an unknown one, `ucal_open` would return a calendar of GMT.
bool isKnown(const icu::UnicodeString &zone) {
  UErrorCode status = U_ZERO_ERROR;
  UChar canonical[128];
  UBool isListed = false;
  ucal_getCanonicalTimeZoneID(zone.getBuffer(), zone.length(), canonical, 128, &isListed, &status);
  return U_SUCCESS(status) && isListed;
}

// Returns the first instant of a date, in seconds since 1970. Where a change of the clocks skips midnight, the date starts
// later, and where it repeats midnight, at the first one.
int64_t start(UCalendar *calendar, int32_t year, int32_t month, int32_t day, UErrorCode *status) {
  ucal_clear(calendar);
  ucal_setDateTime(calendar, year, month - 1, day, 0, 0, 0, status);
  return int64_t(ucal_getMillis(calendar, status) / 1000);
}

// The time zone of all dates in words, so that a date is the same everywhere.
constexpr const UChar *zone = u"UTC";
constexpr int32_t zoneLength = 3;

}  // namespace

bool cicu_date(const char *locale, int32_t year, int32_t month, int32_t day, char *text, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::LocalUCalendarPointer calendar(
      ucal_open(zone, zoneLength, "en_US", UCAL_GREGORIAN, &status));
  if (U_FAILURE(status)) return false;
  ucal_setGregorianChange(calendar.getAlias(), beginning, &status);
  ucal_setDateTime(calendar.getAlias(), year, month - 1, day, 12, 0, 0, &status);
  const UDate date = ucal_getMillis(calendar.getAlias(), &status);
  const icu::LocalUDateFormatPointer format(
      udat_open(UDAT_NONE, UDAT_LONG, locale, zone, zoneLength, nullptr, 0, &status));
  if (U_FAILURE(status)) return false;
  UErrorCode ignored = U_ZERO_ERROR;
  // Other calendars than the Gregorian one have no such change.
  ucal_setGregorianChange(const_cast<UCalendar *>(udat_getCalendar(format.getAlias())), beginning, &ignored);
  UChar buffer[256];
  const int32_t length = udat_format(format.getAlias(), date, buffer, 256, nullptr, &status);
  if (U_FAILURE(status) || length > 256) return false;
  std::string utf8;
  return length > 0 && copy(icu::UnicodeString(buffer, length).toUTF8String(utf8), text, size_t(capacity));
}

bool cicu_zone_is_known(const char *zone) { return isKnown(icu::UnicodeString::fromUTF8(zone)); }

bool cicu_zone_day(const char *zone, int64_t seconds, CICUZoneDay *day) {
  const icu::UnicodeString name = icu::UnicodeString::fromUTF8(zone);
  if (!isKnown(name)) return false;
  UErrorCode status = U_ZERO_ERROR;
  const icu::LocalUCalendarPointer calendar(
      ucal_open(name.getBuffer(), name.length(), "en_US", UCAL_GREGORIAN, &status));
  if (U_FAILURE(status)) return false;
  ucal_setGregorianChange(calendar.getAlias(), beginning, &status);
  ucal_setAttribute(calendar.getAlias(), UCAL_SKIPPED_WALL_TIME, UCAL_WALLTIME_NEXT_VALID);
  ucal_setAttribute(calendar.getAlias(), UCAL_REPEATED_WALL_TIME, UCAL_WALLTIME_FIRST);
  ucal_setMillis(calendar.getAlias(), double(seconds) * 1000, &status);
  day->year = ucal_get(calendar.getAlias(), UCAL_EXTENDED_YEAR, &status);
  day->month = ucal_get(calendar.getAlias(), UCAL_MONTH, &status) + 1;
  day->day = ucal_get(calendar.getAlias(), UCAL_DATE, &status);
  day->start = start(calendar.getAlias(), day->year, day->month, day->day, &status);
  day->end = start(calendar.getAlias(), day->year, day->month, day->day + 1, &status);
  return U_SUCCESS(status);
}
