// Formats amounts, ranges, counts and periods with ICU, and returns the fields that ICU reports.
#include "CICU.h"

#include <unicode/currunit.h>
#include <unicode/dcfmtsym.h>
#include <unicode/formattedvalue.h>
#include <unicode/measunit.h>
#include <unicode/numberformatter.h>
#include <unicode/numberrangeformatter.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <new>
#include <utility>

using icu::number::LocalizedNumberFormatter;

struct CICUNumberFormatter {
  LocalizedNumberFormatter formatter;
};

namespace {

UNumberUnitWidth unitWidth(CICUWidth width) {
  switch (width) {
    case CICUWidthStandard: return UNUM_UNIT_WIDTH_SHORT;
    case CICUWidthNarrow: return UNUM_UNIT_WIDTH_NARROW;
    case CICUWidthISO: return UNUM_UNIT_WIDTH_ISO_CODE;
    case CICUWidthName: return UNUM_UNIT_WIDTH_FULL_NAME;
    case CICUWidthHidden: return UNUM_UNIT_WIDTH_HIDDEN;
    case CICUWidthFormal: return UNUM_UNIT_WIDTH_FORMAL;
    case CICUWidthVariant: return UNUM_UNIT_WIDTH_VARIANT;
  }
  return UNUM_UNIT_WIDTH_SHORT;
}

UNumberSignDisplay signDisplay(CICUSign sign) {
  switch (sign) {
    case CICUSignAuto: return UNUM_SIGN_AUTO;
    case CICUSignAccounting: return UNUM_SIGN_ACCOUNTING;
    case CICUSignAlways: return UNUM_SIGN_ALWAYS;
    case CICUSignNever: return UNUM_SIGN_NEVER;
    case CICUSignExceptZero: return UNUM_SIGN_EXCEPT_ZERO;
    case CICUSignAccountingAlways: return UNUM_SIGN_ACCOUNTING_ALWAYS;
    case CICUSignAccountingExceptZero: return UNUM_SIGN_ACCOUNTING_EXCEPT_ZERO;
    case CICUSignNegative: return UNUM_SIGN_NEGATIVE;
    case CICUSignAccountingNegative: return UNUM_SIGN_ACCOUNTING_NEGATIVE;
  }
  return UNUM_SIGN_AUTO;
}

UNumberGroupingStrategy groupingStrategy(CICUGrouping grouping) {
  switch (grouping) {
    case CICUGroupingAuto: return UNUM_GROUPING_AUTO;
    case CICUGroupingAlways: return UNUM_GROUPING_ON_ALIGNED;
    case CICUGroupingMin2: return UNUM_GROUPING_MIN2;
    case CICUGroupingNever: return UNUM_GROUPING_OFF;
  }
  return UNUM_GROUPING_AUTO;
}

icu::MeasureUnit measureUnit(CICUUnit unit) {
  switch (unit) {
    case CICUUnitDay: return icu::MeasureUnit::getDay();
    case CICUUnitWeek: return icu::MeasureUnit::getWeek();
    case CICUUnitMonth: return icu::MeasureUnit::getMonth();
    case CICUUnitYear: return icu::MeasureUnit::getYear();
    case CICUUnitPercent: return icu::MeasureUnit::getPercent();
    case CICUUnitCurrency:
    case CICUUnitNone: break;
  }
  return icu::MeasureUnit();
}

// Returns a locale's symbols with a currency's separators, but without the currency's own pattern.
icu::DecimalFormatSymbols symbolsWithoutPattern(const CICUNumberOptions &options, UErrorCode &status) {
  icu::Locale locale(options.locale);
  icu::DecimalFormatSymbols own(locale, status);
  own.setCurrency(icu::CurrencyUnit(icu::StringPiece(options.currency), status).getISOCurrency(), status);
  // The symbols contain the pattern of the locale's currency. No locale has a pattern for XXX, "no currency".
  locale.setKeywordValue("currency", "XXX", status);
  icu::DecimalFormatSymbols symbols(locale, status);
  for (const auto symbol : {icu::DecimalFormatSymbols::kMonetarySeparatorSymbol,
                            icu::DecimalFormatSymbols::kMonetaryGroupingSeparatorSymbol}) {
    symbols.setSymbol(symbol, own.getSymbol(symbol), false);
  }
  return symbols;
}

icu::number::UnlocalizedNumberFormatter unlocalized(const CICUNumberOptions &options, UErrorCode &status) {
  icu::number::Precision precision =
      icu::number::Precision::minMaxFraction(options.minimumFractionDigits, options.fractionDigits);
  if (options.trimsZeroFraction) precision = precision.trailingZeroDisplay(UNUM_TRAILING_ZERO_HIDE_IF_WHOLE);
  auto formatter = icu::number::NumberFormatter::with().sign(signDisplay(options.sign)).precision(precision);
#ifndef U_HIDE_INTERNAL_API
  // By default, ICU compiles its data structures only after a few calls. The pattern compiler makes only a few calls.
  formatter = formatter.threshold(1);
#endif
  if (options.unit != CICUUnitCurrency) {
    const bool isPlain = options.unit == CICUUnitNone || options.unit == CICUUnitPercent;
    return formatter.unit(measureUnit(options.unit))
        .unitWidth(isPlain ? UNUM_UNIT_WIDTH_SHORT : UNUM_UNIT_WIDTH_FULL_NAME)
        .grouping(isPlain ? UNUM_GROUPING_ON_ALIGNED : UNUM_GROUPING_AUTO);
  }
  const icu::CurrencyUnit currency(icu::StringPiece(options.currency), status);
  formatter = formatter.unit(currency).unitWidth(unitWidth(options.width));
  if (options.grouping != CICUGroupingAuto) {
    formatter = std::move(formatter).grouping(groupingStrategy(options.grouping));
  }
  if (options.symbol != nullptr) {
    icu::DecimalFormatSymbols symbols(icu::Locale(options.locale), status);
    // Keeps the separators of the currency.
    symbols.setCurrency(currency.getISOCurrency(), status);
    symbols.setSymbol(icu::DecimalFormatSymbols::kCurrencySymbol, icu::UnicodeString::fromUTF8(options.symbol));
    // ICU uses a custom symbol in the short width only.
    formatter = formatter.symbols(symbols).unitWidth(UNUM_UNIT_WIDTH_SHORT);
  }
  return formatter;
}

// Returns whether ICU writes a currency's symbol or code beside its full name.
//
// A few currencies have their own pattern in CLDR (TRY in Turkish, EUR in European English). ICU uses this pattern instead
// of the decimal pattern for full names. If it is the pattern of the country's own currency, ICU uses it for the names of
// all other currencies too.
bool repeatsCurrency(const LocalizedNumberFormatter &formatter, UErrorCode &status) {
  const auto value = formatter.formatInt(1, status);
  icu::ConstrainedFieldPosition position;
  position.constrainField(UFIELD_CATEGORY_NUMBER, UNUM_CURRENCY_FIELD);
  int32_t count = 0;
  while (value.nextPosition(position, status)) count++;
  return count > 1;
}

bool mayRepeatCurrency(const CICUNumberOptions &options) {
  return options.unit == CICUUnitCurrency && options.width == CICUWidthName;
}

bool fieldKind(int32_t field, CICUFieldKind &kind) {
  switch (field) {
    case UNUM_INTEGER_FIELD: kind = CICUFieldInteger; return true;
    case UNUM_GROUPING_SEPARATOR_FIELD: kind = CICUFieldGroup; return true;
    case UNUM_DECIMAL_SEPARATOR_FIELD: kind = CICUFieldDecimal; return true;
    case UNUM_FRACTION_FIELD: kind = CICUFieldFraction; return true;
    case UNUM_CURRENCY_FIELD: kind = CICUFieldSymbol; return true;
    case UNUM_SIGN_FIELD: kind = CICUFieldSign; return true;
    default: return false;
  }
}

// Writes a text as UTF-8, and the UTF-8 offset of each UTF-16 unit.
bool toUTF8(const icu::UnicodeString &text, CICUText &result, int32_t *offsets) {
  const char16_t *units = text.getBuffer();
  const int32_t count = text.length();
  // A UTF-16 unit takes three bytes at most.
  if (count > CICU_TEXT_CAPACITY / 3) return false;
  int32_t written = 0;
  for (int32_t index = 0; index < count;) {
    const int32_t start = index;
    UChar32 scalar;
    U16_NEXT(units, index, count, scalar);
    for (int32_t unit = start; unit < index; unit++) offsets[unit] = written;
    U8_APPEND_UNSAFE(result.utf8, written, scalar);
  }
  offsets[count] = written;
  result.length = written;
  return true;
}

// Writes the fields in order. ICU's integer field includes the group separators, so it is split at them.
bool fields(const icu::FormattedValue &value, const int32_t *offsets, CICUText &result, UErrorCode &status) {
  CICUField found[CICU_FIELD_CAPACITY];
  int32_t count = 0;
  icu::ConstrainedFieldPosition position;
  position.constrainCategory(UFIELD_CATEGORY_NUMBER);
  while (value.nextPosition(position, status)) {
    CICUFieldKind kind;
    if (!fieldKind(position.getField(), kind)) continue;
    if (count == CICU_FIELD_CAPACITY) return false;
    found[count++] = {kind, offsets[position.getStart()], offsets[position.getLimit()]};
  }
  if (U_FAILURE(status)) return false;
  result.fieldCount = 0;
  auto append = [&](CICUFieldKind kind, int32_t start, int32_t end) {
    if (start >= end) return true;
    if (result.fieldCount == CICU_FIELD_CAPACITY) return false;
    result.fields[result.fieldCount++] = {kind, start, end};
    return true;
  };
  for (int32_t index = 0; index < count; index++) {
    const CICUField &field = found[index];
    int32_t start = field.start;
    for (int32_t inner = 0; field.kind == CICUFieldInteger && inner < count; inner++) {
      const CICUField &group = found[inner];
      if (group.kind != CICUFieldGroup || group.start < field.start || group.end > field.end) continue;
      if (!append(CICUFieldInteger, start, group.start)) return false;
      start = group.end;
    }
    if (!append(field.kind, start, field.end)) return false;
  }
  std::sort(result.fields, result.fields + result.fieldCount,
            [](const CICUField &a, const CICUField &b) { return a.start < b.start; });
  return true;
}

bool write(const icu::FormattedValue &value, bool withFields, CICUText &result, UErrorCode &status) {
  const icu::UnicodeString text = value.toTempString(status);
  int32_t offsets[CICU_TEXT_CAPACITY / 3 + 1];
  if (U_FAILURE(status) || !toUTF8(text, result, offsets)) return false;
  result.fieldCount = 0;
  return !withFields || fields(value, offsets, result, status);
}

icu::StringPiece piece(const uint8_t *text, int32_t length) {
  return icu::StringPiece(reinterpret_cast<const char *>(text), length);
}

}  // namespace

CICUNumberFormatter *cicu_number_open(const CICUNumberOptions *options) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale(options->locale);
  auto localized = unlocalized(*options, status).locale(locale);
  if (mayRepeatCurrency(*options) && repeatsCurrency(localized, status)) {
    localized = unlocalized(*options, status).symbols(symbolsWithoutPattern(*options, status)).locale(locale);
  }
  if (U_FAILURE(status) || localized.copyErrorTo(status)) return nullptr;
  return new (std::nothrow) CICUNumberFormatter{std::move(localized)};
}

void cicu_number_close(CICUNumberFormatter *formatter) { delete formatter; }

bool cicu_number_format(const CICUNumberFormatter *formatter, const uint8_t *decimal, int32_t length,
                        bool withFields, CICUText *text) {
  UErrorCode status = U_ZERO_ERROR;
  const auto value = formatter->formatter.formatDecimal(piece(decimal, length), status);
  return U_SUCCESS(status) && write(value, withFields, *text, status);
}

bool cicu_range_format(const CICUNumberOptions *options, const uint8_t *low, int32_t lowLength,
                       const uint8_t *high, int32_t highLength, CICUText *text) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Locale locale(options->locale);
  auto formatter = unlocalized(*options, status);
  if (mayRepeatCurrency(*options) && repeatsCurrency(formatter.locale(locale), status)) {
    formatter = formatter.symbols(symbolsWithoutPattern(*options, status));
  }
  const auto ranges = icu::number::NumberRangeFormatter::with()
                          .numberFormatterBoth(formatter)
                          .collapse(UNUM_RANGE_COLLAPSE_AUTO)
                          .identityFallback(UNUM_IDENTITY_FALLBACK_SINGLE_VALUE)
                          .locale(locale);
  const icu::Formattable first(piece(low, lowLength), status), second(piece(high, highLength), status);
  if (U_FAILURE(status)) return false;
  const auto value = ranges.formatFormattableRange(first, second, status);
  return U_SUCCESS(status) && write(value, true, *text, status);
}
