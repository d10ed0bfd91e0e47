// Formats amounts, ranges, counts and periods with ICU, and returns the fields that ICU reports.
#include "CICU.h"

#include <unicode/currunit.h>
#include <unicode/dcfmtsym.h>
#include <unicode/formattedvalue.h>
#include <unicode/measunit.h>
#include <unicode/numberformatter.h>
#include <unicode/numberrangeformatter.h>
#include <unicode/plurrule.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <utility>

using icu::number::LocalizedNumberFormatter;

using icu::number::LocalizedNumberRangeFormatter;

namespace {

// A code that no currency has. ICU writes it in place of the name of the currency.
constexpr char placeholderCode[] = "QQQ";
constexpr char16_t placeholder[] = u"QQQ";
constexpr int32_t placeholderLength = 3;

// The plural categories in CLDR's order.
constexpr const char *pluralCategories[] = {"zero", "one", "two", "few", "many", "other"};
constexpr size_t pluralCategoryCount = std::size(pluralCategories);

// Names of a currency that ICU does not have. They replace the placeholder in ICU's text.
struct CustomNames {
  std::string names[pluralCategoryCount];
  std::unique_ptr<icu::PluralRules> rules;
  // Formats the single numbers of which a range formatter needs the plural category.
  LocalizedNumberFormatter numbers;

  const std::string *name(const icu::UnicodeString &category) const {
    for (size_t index = 0; index < pluralCategoryCount; index++) {
      if (category == icu::UnicodeString(pluralCategories[index], -1, US_INV)) return &names[index];
    }
    return &names[pluralCategoryCount - 1];
  }
};

struct RangeFormatter {
  LocalizedNumberRangeFormatter formatter;
  // NULL for ICU's names.
  std::unique_ptr<CustomNames> names;
};

}  // namespace

struct CICUNumberFormatter {
  LocalizedNumberFormatter formatter;
  // Writes ranges, and approximate numbers as ranges with equal bounds; NULL for exact numbers.
  std::unique_ptr<RangeFormatter> ranges;
  // NULL for ICU's names.
  std::unique_ptr<CustomNames> names;
  // The sign for "about", if `formatter` writes it in the place of other signs; empty otherwise.
  std::string about;
  // Writes zero, if `formatter` writes a plus sign before other numbers; NULL if it writes zero too.
  std::unique_ptr<LocalizedNumberFormatter> zero;
};

namespace {

// ICU's values of the options, each in the order of this module's enumeration.

constexpr UNumberUnitWidth unitWidths[] = {
    UNUM_UNIT_WIDTH_SHORT,  UNUM_UNIT_WIDTH_NARROW, UNUM_UNIT_WIDTH_ISO_CODE, UNUM_UNIT_WIDTH_FULL_NAME,
    UNUM_UNIT_WIDTH_HIDDEN, UNUM_UNIT_WIDTH_FORMAL, UNUM_UNIT_WIDTH_VARIANT,  UNUM_UNIT_WIDTH_SHORT};

constexpr UNumberSignDisplay signDisplays[] = {
    UNUM_SIGN_AUTO,        UNUM_SIGN_ACCOUNTING,        UNUM_SIGN_ALWAYS,
    UNUM_SIGN_NEVER,       UNUM_SIGN_EXCEPT_ZERO,       UNUM_SIGN_ACCOUNTING_ALWAYS,
    UNUM_SIGN_ACCOUNTING_EXCEPT_ZERO, UNUM_SIGN_NEGATIVE, UNUM_SIGN_ACCOUNTING_NEGATIVE};

constexpr UNumberGroupingStrategy groupingStrategies[] = {
    UNUM_GROUPING_AUTO, UNUM_GROUPING_ON_ALIGNED, UNUM_GROUPING_MIN2, UNUM_GROUPING_OFF};

static_assert(std::size(unitWidths) == CICUWidthUnambiguous + 1);
static_assert(std::size(signDisplays) == CICUSignAccountingNegative + 1);
static_assert(std::size(groupingStrategies) == CICUGroupingNever + 1);

icu::number::Notation notation(CICUNotation notation) {
  if (notation == CICUNotationStandard) return icu::number::Notation::simple();
  return notation == CICUNotationCompactShort ? icu::number::Notation::compactShort()
                                              : icu::number::Notation::compactLong();
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

// Returns the locale's symbols for options that replace ICU's symbol, code or names; NULL for other options.
std::unique_ptr<icu::DecimalFormatSymbols> replacedSymbols(const CICUNumberOptions &options,
                                                           UErrorCode &status) {
  if (options.symbol == nullptr && options.names == nullptr) return nullptr;
  std::unique_ptr<icu::DecimalFormatSymbols> symbols(
      new icu::DecimalFormatSymbols(icu::Locale(options.locale), status));
  if (symbols == nullptr) {
    status = U_MEMORY_ALLOCATION_ERROR;
    return nullptr;
  }
  // Keeps the pattern and the separators of the currency.
  symbols->setCurrency(icu::CurrencyUnit(icu::StringPiece(options.currency), status).getISOCurrency(), status);
  if (options.symbol != nullptr) {
    symbols->setSymbol(options.width == CICUWidthISO ? icu::DecimalFormatSymbols::kIntlCurrencySymbol
                                                     : icu::DecimalFormatSymbols::kCurrencySymbol,
                       icu::UnicodeString::fromUTF8(options.symbol));
  }
  return symbols;
}

icu::number::UnlocalizedNumberFormatter unlocalized(const CICUNumberOptions &options, UErrorCode &status) {
  icu::number::Precision precision =
      icu::number::Precision::minMaxFraction(options.minimumFractionDigits, options.fractionDigits);
  if (options.trimsZeroFraction) precision = precision.trailingZeroDisplay(UNUM_TRAILING_ZERO_HIDE_IF_WHOLE);
  auto formatter = icu::number::NumberFormatter::with().sign(signDisplays[options.sign]);
  if (!options.hasNotationDigits) formatter = std::move(formatter).precision(precision);
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
  formatter =
      formatter.unit(currency).unitWidth(unitWidths[options.width]).notation(notation(options.notation));
  if (options.grouping != CICUGroupingAuto) {
    formatter = std::move(formatter).grouping(groupingStrategies[options.grouping]);
  }
  if (const auto symbols = replacedSymbols(options, status)) formatter = std::move(formatter).symbols(*symbols);
  // ICU uses a custom symbol in the short width only.
  if (options.symbol != nullptr && options.width != CICUWidthISO) {
    formatter = std::move(formatter).unitWidth(UNUM_UNIT_WIDTH_SHORT);
  }
  if (options.names != nullptr) {
    formatter = std::move(formatter).unit(icu::CurrencyUnit(icu::StringPiece(placeholderCode), status));
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
  const icu::UnicodeString text = value.toTempString(status);
  const int32_t first = text.indexOf(placeholder, placeholderLength, 0);
  if (first >= 0) return text.indexOf(placeholder, placeholderLength, first + placeholderLength) >= 0;
  icu::ConstrainedFieldPosition position;
  position.constrainField(UFIELD_CATEGORY_NUMBER, UNUM_CURRENCY_FIELD);
  int32_t count = 0;
  while (value.nextPosition(position, status)) count++;
  return count > 1;
}

bool fieldKind(int32_t field, CICUFieldKind &kind) {
  switch (field) {
    case UNUM_INTEGER_FIELD: kind = CICUFieldInteger; return true;
    case UNUM_GROUPING_SEPARATOR_FIELD: kind = CICUFieldGroup; return true;
    case UNUM_DECIMAL_SEPARATOR_FIELD: kind = CICUFieldDecimal; return true;
    case UNUM_FRACTION_FIELD: kind = CICUFieldFraction; return true;
    case UNUM_CURRENCY_FIELD: kind = CICUFieldSymbol; return true;
    case UNUM_SIGN_FIELD: kind = CICUFieldSign; return true;
    case UNUM_COMPACT_FIELD: kind = CICUFieldCompact; return true;
#ifndef U_HIDE_DRAFT_API
    case UNUM_APPROXIMATELY_SIGN_FIELD: kind = CICUFieldApproximately; return true;
#endif
    default: return false;
  }
}

// Writes a text as UTF-8 with a name instead of each placeholder, unless `name` is NULL, and the UTF-8 offset of each
// UTF-16 unit.
bool toUTF8(const icu::UnicodeString &text, const std::string *name, CICUText &result, int32_t *offsets) {
  const char16_t *units = text.getBuffer();
  const int32_t count = text.length();
  // A UTF-16 unit takes three bytes at most.
  if (count > CICU_TEXT_CAPACITY / 3) return false;
  int32_t written = 0;
  for (int32_t index = 0; index < count;) {
    const int32_t start = index;
    if (name != nullptr && text.compare(index, placeholderLength, placeholder) == 0) {
      index += placeholderLength;
      for (int32_t unit = start; unit < index; unit++) offsets[unit] = written;
      const size_t room = CICU_TEXT_CAPACITY - size_t(written) - 3 * size_t(count - index);
      if (name->size() > room) return false;
      std::memcpy(result.utf8 + written, name->data(), name->size());
      written += int32_t(name->size());
      continue;
    }
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
  // ICU skips a field at the start of a range's bound if the position is constrained to the category of numbers. Without
  // that, it may return a field twice.
  while (value.nextPosition(position, status)) {
    CICUFieldKind kind;
    if (position.getCategory() != UFIELD_CATEGORY_NUMBER || !fieldKind(position.getField(), kind)) continue;
    const CICUField field = {kind, offsets[position.getStart()], offsets[position.getLimit()]};
    if (std::any_of(found, found + count, [&](const CICUField &other) {
          return other.kind == field.kind && other.start == field.start && other.end == field.end;
        })) {
      continue;
    }
    if (count == CICU_FIELD_CAPACITY) return false;
    found[count++] = field;
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

bool write(const icu::FormattedValue &value, const std::string *name, bool withFields, CICUText &result,
           UErrorCode &status) {
  const icu::UnicodeString text = value.toTempString(status);
  int32_t offsets[CICU_TEXT_CAPACITY / 3 + 1];
  if (U_FAILURE(status) || !toUTF8(text, name, result, offsets)) return false;
  result.fieldCount = 0;
  return !withFields || fields(value, offsets, result, status);
}

icu::StringPiece piece(const uint8_t *text, int32_t length) {
  return icu::StringPiece(reinterpret_cast<const char *>(text), length);
}

// Returns whether ICU would write a currency of the options twice.
bool repeatsCurrency(const CICUNumberOptions &options, UErrorCode &status) {
  return options.unit == CICUUnitCurrency && options.width == CICUWidthName &&
         repeatsCurrency(unlocalized(options, status).locale(icu::Locale(options.locale)), status);
}

// Returns a formatter that writes each currency once.
icu::number::UnlocalizedNumberFormatter unlocalizedOnce(const CICUNumberOptions &options, UErrorCode &status) {
  auto formatter = unlocalized(options, status);
  if (repeatsCurrency(options, status)) {
    formatter = std::move(formatter).symbols(symbolsWithoutPattern(options, status));
  }
  return formatter;
}

// Returns the symbols of a formatter that does not use those of the locale; NULL if it does.
std::unique_ptr<icu::DecimalFormatSymbols> ownSymbols(const CICUNumberOptions &options, UErrorCode &status) {
  if (!repeatsCurrency(options, status)) return replacedSymbols(options, status);
  return std::unique_ptr<icu::DecimalFormatSymbols>(
      new icu::DecimalFormatSymbols(symbolsWithoutPattern(options, status)));
}

// Returns a formatter of approximate numbers that does not use the symbols of the locale.
//
// ICU 72 frees such symbols before its own formatter of approximate numbers uses them. ICU writes the sign for "about" in
// the place of a plus sign and before a minus sign, so the sign can replace both.
LocalizedNumberFormatter approximateFormatter(const CICUNumberOptions &options,
                                              const icu::DecimalFormatSymbols &own, bool isZero,
                                              UErrorCode &status) {
  using Symbols = icu::DecimalFormatSymbols;
  const icu::UnicodeString about = own.getSymbol(Symbols::kApproximatelySignSymbol);
  const icu::UnicodeString plus = own.getSymbol(Symbols::kPlusSignSymbol);
  const icu::UnicodeString minus = own.getSymbol(Symbols::kMinusSignSymbol);
  bool isAccounting = false, hasPlus = false;
  switch (options.sign) {
    case CICUSignAuto:
    case CICUSignNever:
    case CICUSignNegative: break;
    case CICUSignAlways: hasPlus = true; break;
    case CICUSignExceptZero: hasPlus = !isZero; break;
    case CICUSignAccounting:
    case CICUSignAccountingNegative: isAccounting = true; break;
    case CICUSignAccountingAlways: isAccounting = hasPlus = true; break;
    case CICUSignAccountingExceptZero: isAccounting = true, hasPlus = !isZero; break;
  }
  Symbols symbols(own);
  symbols.setSymbol(Symbols::kPlusSignSymbol, hasPlus ? about + plus : about);
  symbols.setSymbol(Symbols::kMinusSignSymbol, options.sign == CICUSignNever ? about : about + minus);
  return unlocalized(options, status)
      .symbols(symbols)
      .sign(isAccounting ? UNUM_SIGN_ACCOUNTING_ALWAYS : UNUM_SIGN_ALWAYS)
      .locale(icu::Locale(options.locale));
}

// Returns whether a decimal number is zero.
bool isZero(const uint8_t *decimal, int32_t length) {
  return std::none_of(decimal, decimal + length, [](uint8_t byte) { return byte >= '1' && byte <= '9'; });
}

// Splits the sign for "about" from other signs.
bool splitSigns(const std::string &about, CICUText &text) {
  for (int32_t index = 0; index < text.fieldCount; index++) {
    CICUField &field = text.fields[index];
    const int32_t end = field.start + int32_t(about.size());
    if (field.kind != CICUFieldSign || end > field.end ||
        std::memcmp(text.utf8 + field.start, about.data(), about.size()) != 0) {
      continue;
    }
    field.kind = CICUFieldApproximately;
    if (end == field.end) continue;
    if (text.fieldCount == CICU_FIELD_CAPACITY) return false;
    // Like ICU, leaves direction marks before the other sign out of its field.
    int32_t start = end;
    for (const char *mark : {"\u061C", "\u200E", "\u200F"}) {
      const int32_t length = int32_t(std::strlen(mark));
      if (start + length < field.end && std::memcmp(text.utf8 + start, mark, size_t(length)) == 0) start += length;
    }
    const CICUField rest = {CICUFieldSign, start, field.end};
    field.end = end;
    std::copy_backward(text.fields + index + 1, text.fields + text.fieldCount,
                       text.fields + text.fieldCount + 1);
    text.fields[index + 1] = rest;
    text.fieldCount++;
    index++;
  }
  return true;
}

// Returns the names in the options; NULL for ICU's names.
std::unique_ptr<CustomNames> customNames(const CICUNumberOptions &options, UErrorCode &status) {
  if (options.names == nullptr) return nullptr;
  const icu::Locale locale(options.locale);
  std::unique_ptr<CustomNames> names(new (std::nothrow) CustomNames);
  if (names == nullptr) {
    status = U_MEMORY_ALLOCATION_ERROR;
    return nullptr;
  }
  const char *line = options.names;
  for (std::string &name : names->names) {
    const size_t length = std::strcspn(line, "\n");
    name.assign(line, length);
    line += line[length] == 0 ? length : length + 1;
  }
  names->rules.reset(icu::PluralRules::forLocale(locale, status));
  names->numbers = unlocalizedOnce(options, status).locale(locale);
  return names;
}

std::unique_ptr<RangeFormatter> rangeFormatter(const CICUNumberOptions &options, UErrorCode &status) {
  const auto fallback =
      options.isApproximate ? UNUM_IDENTITY_FALLBACK_APPROXIMATELY : UNUM_IDENTITY_FALLBACK_SINGLE_VALUE;
  auto localized = icu::number::NumberRangeFormatter::with()
                       .numberFormatterBoth(unlocalizedOnce(options, status))
                       .collapse(UNUM_RANGE_COLLAPSE_AUTO)
                       .identityFallback(fallback)
                       .locale(icu::Locale(options.locale));
  if (U_FAILURE(status) || localized.copyErrorTo(status)) return nullptr;
  auto names = customNames(options, status);
  if (U_FAILURE(status)) return nullptr;
  return std::unique_ptr<RangeFormatter>(
      new (std::nothrow) RangeFormatter{std::move(localized), std::move(names)});
}

}  // namespace

CICUNumberFormatter *cicu_number_open(const CICUNumberOptions *options, bool isRange) {
  UErrorCode status = U_ZERO_ERROR;
  if (isRange) {
    auto ranges = rangeFormatter(*options, status);
    return ranges == nullptr ? nullptr : new (std::nothrow) CICUNumberFormatter{{}, std::move(ranges), {}, {}, {}};
  }
  auto localized = unlocalizedOnce(*options, status).locale(icu::Locale(options->locale));
  std::unique_ptr<RangeFormatter> ranges;
  std::string about;
  std::unique_ptr<LocalizedNumberFormatter> zero;
  if (options->isApproximate) {
    if (const auto symbols = ownSymbols(*options, status)) {
      localized = approximateFormatter(*options, *symbols, false, status);
      if (options->sign == CICUSignExceptZero || options->sign == CICUSignAccountingExceptZero) {
        zero.reset(new LocalizedNumberFormatter(approximateFormatter(*options, *symbols, true, status)));
      }
      symbols->getSymbol(icu::DecimalFormatSymbols::kApproximatelySignSymbol).toUTF8String(about);
    } else {
      ranges = rangeFormatter(*options, status);
      if (ranges == nullptr) return nullptr;
    }
  }
  auto names = customNames(*options, status);
  if (U_FAILURE(status) || localized.copyErrorTo(status)) return nullptr;
  return new (std::nothrow) CICUNumberFormatter{std::move(localized), std::move(ranges), std::move(names),
                                                std::move(about), std::move(zero)};
}

void cicu_number_close(CICUNumberFormatter *formatter) { delete formatter; }

bool cicu_number_format(const CICUNumberFormatter *formatter, const uint8_t *decimal, int32_t length,
                        bool withFields, CICUText *text) {
  if (formatter->ranges != nullptr) return cicu_range_format(formatter, decimal, length, decimal, length, text);
  UErrorCode status = U_ZERO_ERROR;
  const bool isOtherZero = formatter->zero != nullptr && isZero(decimal, length);
  const auto &numbers = isOtherZero ? *formatter->zero : formatter->formatter;
  const auto value = numbers.formatDecimal(piece(decimal, length), status);
  const CustomNames *names = formatter->names.get();
  const std::string *name = names == nullptr ? nullptr : names->name(names->rules->select(value, status));
  if (U_FAILURE(status) || !write(value, name, withFields, *text, status)) return false;
  return formatter->about.empty() || splitSigns(formatter->about, *text);
}

bool cicu_range_format(const CICUNumberFormatter *formatter, const uint8_t *low, int32_t lowLength,
                       const uint8_t *high, int32_t highLength, CICUText *text) {
  if (formatter->ranges == nullptr) return false;
  UErrorCode status = U_ZERO_ERROR;
  const icu::Formattable first(piece(low, lowLength), status), second(piece(high, highLength), status);
  if (U_FAILURE(status)) return false;
  const auto value = formatter->ranges->formatter.formatFormattableRange(first, second, status);
  const std::string *name = nullptr;
  if (const CustomNames *names = formatter->ranges->names.get()) {
    const bool isRange = value.getIdentityResult(status) == UNUM_IDENTITY_RESULT_NOT_EQUAL;
    name = names->name(isRange ? names->rules->select(value, status)
                               : names->rules->select(
                                     names->numbers.formatDecimal(piece(low, lowLength), status), status));
  }
  return U_SUCCESS(status) && write(value, name, true, *text, status);
}
