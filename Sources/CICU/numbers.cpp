// Currency amounts and ranges of them, written by ICU, with the fields that ICU reports.
#include "CICU.h"

#include <unicode/currunit.h>
#include <unicode/dcfmtsym.h>
#include <unicode/formattedvalue.h>
#include <unicode/numberformatter.h>
#include <unicode/numberrangeformatter.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <new>
#include <vector>

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
  }
  return UNUM_UNIT_WIDTH_SHORT;
}

UNumberSignDisplay signDisplay(CICUSign sign) {
  switch (sign) {
    case CICUSignAuto: return UNUM_SIGN_AUTO;
    case CICUSignAccounting: return UNUM_SIGN_ACCOUNTING;
    case CICUSignAlways: return UNUM_SIGN_ALWAYS;
    case CICUSignNever: return UNUM_SIGN_NEVER;
  }
  return UNUM_SIGN_AUTO;
}

icu::number::UnlocalizedNumberFormatter unlocalized(const CICUNumberOptions &options, UErrorCode &status) {
  const icu::CurrencyUnit currency(icu::StringPiece(options.currency), status);
  icu::number::Precision precision = icu::number::Precision::fixedFraction(options.fractionDigits);
  if (options.trimsWholeFraction) precision = precision.trailingZeroDisplay(UNUM_TRAILING_ZERO_HIDE_IF_WHOLE);
  auto formatter = icu::number::NumberFormatter::with()
                       .unit(currency)
                       .unitWidth(unitWidth(options.width))
                       .sign(signDisplay(options.sign))
                       .precision(precision);
  if (options.symbol != nullptr) {
    icu::DecimalFormatSymbols symbols(icu::Locale(options.locale), status);
    symbols.setSymbol(icu::DecimalFormatSymbols::kCurrencySymbol, icu::UnicodeString::fromUTF8(options.symbol));
    // ICU applies a symbol of one's own in the short width only.
    formatter = formatter.symbols(symbols).unitWidth(UNUM_UNIT_WIDTH_SHORT);
  }
#ifndef U_HIDE_INTERNAL_API
  // ICU builds its structures anew for each of the first formats; a compiler of patterns formats only a few.
  formatter = formatter.threshold(1);
#endif
  return formatter;
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

// Where each UTF-16 offset of a text falls in its UTF-8 form.
bool toUTF8(const icu::UnicodeString &text, CICUText &result, std::vector<int32_t> &offsets) {
  const char16_t *units = text.getBuffer();
  const int32_t count = text.length();
  offsets.resize(size_t(count) + 1);
  int32_t written = 0;
  for (int32_t index = 0; index < count;) {
    const int32_t start = index;
    UChar32 scalar;
    U16_NEXT(units, index, count, scalar);
    if (written + 4 > CICU_TEXT_CAPACITY) return false;
    for (int32_t unit = start; unit < index; unit++) offsets[size_t(unit)] = written;
    if (scalar < 0x80) {
      result.utf8[written++] = uint8_t(scalar);
      continue;
    }
    if (scalar < 0x800) {
      result.utf8[written++] = uint8_t(0xC0 | scalar >> 6);
    } else {
      if (scalar < 0x10000) {
        result.utf8[written++] = uint8_t(0xE0 | scalar >> 12);
      } else {
        result.utf8[written++] = uint8_t(0xF0 | scalar >> 18);
        result.utf8[written++] = uint8_t(0x80 | (scalar >> 12 & 0x3F));
      }
      result.utf8[written++] = uint8_t(0x80 | (scalar >> 6 & 0x3F));
    }
    result.utf8[written++] = uint8_t(0x80 | (scalar & 0x3F));
  }
  offsets[size_t(count)] = written;
  result.length = written;
  return true;
}

// The fields in order. ICU's integer field encloses its group separators: it is cut at them.
bool fields(const icu::FormattedValue &value, const std::vector<int32_t> &offsets, CICUText &result,
            UErrorCode &status) {
  std::vector<CICUField> found;
  icu::ConstrainedFieldPosition position;
  position.constrainCategory(UFIELD_CATEGORY_NUMBER);
  while (value.nextPosition(position, status)) {
    CICUFieldKind kind;
    if (!fieldKind(position.getField(), kind)) continue;
    found.push_back({kind, offsets[size_t(position.getStart())], offsets[size_t(position.getLimit())]});
  }
  if (U_FAILURE(status)) return false;
  result.fieldCount = 0;
  auto append = [&](CICUFieldKind kind, int32_t start, int32_t end) {
    if (start >= end) return true;
    if (result.fieldCount == CICU_FIELD_CAPACITY) return false;
    result.fields[result.fieldCount++] = {kind, start, end};
    return true;
  };
  for (const CICUField &field : found) {
    int32_t start = field.start;
    if (field.kind == CICUFieldInteger) {
      for (const CICUField &group : found) {
        if (group.kind != CICUFieldGroup || group.start < field.start || group.end > field.end) continue;
        if (!append(CICUFieldInteger, start, group.start)) return false;
        start = group.end;
      }
    }
    if (!append(field.kind, start, field.end)) return false;
  }
  std::sort(result.fields, result.fields + result.fieldCount,
            [](const CICUField &a, const CICUField &b) { return a.start < b.start; });
  return true;
}

bool write(const icu::FormattedValue &value, CICUText &result, UErrorCode &status) {
  const icu::UnicodeString text = value.toTempString(status);
  std::vector<int32_t> offsets;
  return U_SUCCESS(status) && toUTF8(text, result, offsets) && fields(value, offsets, result, status);
}

icu::StringPiece piece(const uint8_t *text, int32_t length) {
  return icu::StringPiece(reinterpret_cast<const char *>(text), length);
}

}  // namespace

CICUNumberFormatter *cicu_number_open(const CICUNumberOptions *options) {
  UErrorCode status = U_ZERO_ERROR;
  auto formatter = unlocalized(*options, status).locale(icu::Locale(options->locale));
  if (U_FAILURE(status) || formatter.copyErrorTo(status)) return nullptr;
  return new (std::nothrow) CICUNumberFormatter{std::move(formatter)};
}

void cicu_number_close(CICUNumberFormatter *formatter) { delete formatter; }

bool cicu_number_format(const CICUNumberFormatter *formatter, const uint8_t *decimal, int32_t length,
                        CICUText *text) {
  UErrorCode status = U_ZERO_ERROR;
  const auto value = formatter->formatter.formatDecimal(piece(decimal, length), status);
  return U_SUCCESS(status) && write(value, *text, status);
}

bool cicu_range_format(const CICUNumberOptions *options, const uint8_t *low, int32_t lowLength,
                       const uint8_t *high, int32_t highLength, CICUText *text) {
  UErrorCode status = U_ZERO_ERROR;
  const auto formatter = icu::number::NumberRangeFormatter::with()
                             .numberFormatterBoth(unlocalized(*options, status))
                             .collapse(UNUM_RANGE_COLLAPSE_AUTO)
                             .identityFallback(UNUM_IDENTITY_FALLBACK_SINGLE_VALUE)
                             .locale(icu::Locale(options->locale));
  const icu::Formattable first(piece(low, lowLength), status), second(piece(high, highLength), status);
  if (U_FAILURE(status)) return false;
  const auto value = formatter.formatFormattableRange(first, second, status);
  return U_SUCCESS(status) && write(value, *text, status);
}
