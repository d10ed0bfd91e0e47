// Dates of time zones.
#include "CICU.h"

#include <unicode/ucal.h>
#include <unicode/unistr.h>

#include <memory>

namespace {

struct CalendarCloser {
  void operator()(UCalendar *calendar) const { ucal_close(calendar); }
};

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

}  // namespace

bool cicu_zone_is_known(const char *zone) { return isKnown(icu::UnicodeString::fromUTF8(zone)); }

bool cicu_zone_day(const char *zone, int64_t seconds, CICUZoneDay *day) {
  const icu::UnicodeString name = icu::UnicodeString::fromUTF8(zone);
  if (!isKnown(name)) return false;
  UErrorCode status = U_ZERO_ERROR;
  const std::unique_ptr<UCalendar, CalendarCloser> calendar(
      ucal_open(name.getBuffer(), name.length(), "en_US", UCAL_GREGORIAN, &status));
  if (U_FAILURE(status)) return false;
  // Without a change to the Julian calendar in 1582, as in ISO 8601.
  ucal_setGregorianChange(calendar.get(), -8.64e15, &status);
  ucal_setAttribute(calendar.get(), UCAL_SKIPPED_WALL_TIME, UCAL_WALLTIME_NEXT_VALID);
  ucal_setAttribute(calendar.get(), UCAL_REPEATED_WALL_TIME, UCAL_WALLTIME_FIRST);
  ucal_setMillis(calendar.get(), double(seconds) * 1000, &status);
  day->year = ucal_get(calendar.get(), UCAL_EXTENDED_YEAR, &status);
  day->month = ucal_get(calendar.get(), UCAL_MONTH, &status) + 1;
  day->day = ucal_get(calendar.get(), UCAL_DATE, &status);
  day->start = start(calendar.get(), day->year, day->month, day->day, &status);
  day->end = start(calendar.get(), day->year, day->month, day->day + 1, &status);
  return U_SUCCESS(status);
}
