// Dates in the words of a language.
#include "CICU.h"
#include "copy.h"

#include <unicode/ucal.h>
#include <unicode/udat.h>
#include <unicode/unistr.h>

#include <string>

namespace {

// The time zone of all dates here, so that a date is the same everywhere.
constexpr const UChar *zone = u"UTC";
constexpr int32_t zoneLength = 3;

}  // namespace

bool cicu_date(const char *locale, int32_t year, int32_t month, int32_t day, char *text, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::LocalUCalendarPointer calendar(
      ucal_open(zone, zoneLength, "en_US", UCAL_GREGORIAN, &status));
  if (U_FAILURE(status)) return false;
  // Without a change to the Julian calendar in 1582, as in ISO 8601.
  constexpr UDate beginning = -8.64e15;
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
