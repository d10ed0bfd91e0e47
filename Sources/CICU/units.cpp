// CLDR's patterns for an amount per unit, such as {0}/kg.
//
// ICU's number formatter refuses a unit beside a currency. It writes a measure per unit, though, with the same pattern:
// 5 pt/kg. The text that it adds to the measure is the pattern for the unit.
#include "CICU.h"
#include "copy.h"
#include "resources.h"

#include <unicode/locid.h>
#include <unicode/measunit.h>
#include <unicode/numberformatter.h>
#include <unicode/simpleformatter.h>
#include <unicode/unistr.h>
#include <unicode/ures.h>

// The package of ICU's data with units. No public header names it.
#define UNIT_DATA U_ICUDATA_NAME "-unit"

namespace {

// Returns CLDR's pattern for a quotient, such as {0}/{1}.
bool quotientPattern(const icu::Locale &locale, UNumberUnitWidth width, icu::UnicodeString &pattern) {
  const auto find = [&](const char *table, bool includesRoot) {
    std::u16string found;
    if (!localeString(UNIT_DATA, locale.getBaseName(), {table, "compound", "per"}, includesRoot, found)) return false;
    pattern.setTo(found.data(), int32_t(found.size()));
    return true;
  };
  // In the root, the long and narrow patterns are aliases for the short ones of the locale.
  return (width == UNUM_UNIT_WIDTH_FULL_NAME && find("units", false))
      || (width == UNUM_UNIT_WIDTH_NARROW && find("unitsNarrow", false)) || find("unitsShort", true);
}

// Returns the pattern for one unit: {0}/kg.
icu::UnicodeString patternForOne(const icu::Locale &locale, const icu::MeasureUnit &unit, UNumberUnitWidth width,
                                 UErrorCode &status) {
  // CLDR has no unit that is a quotient of points, which would have a pattern of its own.
  const auto points =
      icu::number::NumberFormatter::withLocale(locale).unit(icu::MeasureUnit::getPoint()).unitWidth(width);
  const icu::UnicodeString measure = points.formatInt(5, status).toString(status);
  const icu::UnicodeString quotient = points.perUnit(unit).formatInt(5, status).toString(status);
  const int32_t start = quotient.indexOf(measure);
  if (U_FAILURE(status) || measure.isEmpty() || start < 0) {
    status = U_MISSING_RESOURCE_ERROR;
    return {};
  }
  return icu::UnicodeString(quotient).replace(start, measure.length(), u"{0}", 3);
}

// Returns the pattern for several units: {0}/100 mL.
icu::UnicodeString patternForSeveral(const icu::Locale &locale, const icu::MeasureUnit &unit, int32_t quantity,
                                     UNumberUnitWidth width, UErrorCode &status) {
  icu::UnicodeString pattern;
  if (!quotientPattern(locale, width, pattern)) {
    status = U_MISSING_RESOURCE_ERROR;
    return {};
  }
  const icu::UnicodeString units = icu::number::NumberFormatter::withLocale(locale)
                                       .unit(unit)
                                       .unitWidth(width)
                                       .formatInt(quantity, status)
                                       .toString(status);
  const icu::SimpleFormatter formatter(pattern, 2, 2, status);
  icu::UnicodeString result;
  return formatter.format(u"{0}", units, result, status);
}

}  // namespace

bool cicu_unit_price_pattern(const char *localeName, const char *unitName, int32_t quantity, CICUWidth width,
                             char *pattern, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale(localeName);
  const auto unit = icu::MeasureUnit::forIdentifier(unitName, status);
  if (U_FAILURE(status)) return false;
  const UNumberUnitWidth unitWidth = width == CICUWidthName     ? UNUM_UNIT_WIDTH_FULL_NAME
                                     : width == CICUWidthNarrow ? UNUM_UNIT_WIDTH_NARROW
                                                                : UNUM_UNIT_WIDTH_SHORT;
  const icu::UnicodeString result = quantity == 1
                                        ? patternForOne(locale, unit, unitWidth, status)
                                        : patternForSeveral(locale, unit, quantity, unitWidth, status);
  if (U_FAILURE(status)) return false;
  std::string utf8;
  return copy(result.toUTF8String(utf8), pattern, size_t(capacity));
}
