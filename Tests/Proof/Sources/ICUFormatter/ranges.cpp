#include "ICUFormatter.h"

#include <unicode/formattedvalue.h>
#include <unicode/unumberrangeformatter.h>
#include <unicode/ustring.h>

struct ICUReferenceRangeFormatter {
  UNumberRangeFormatter *formatter;
  UFormattedNumberRange *result;
};

ICUReferenceRangeFormatter *icu_reference_range_open(const char *skeleton, const char *locale, bool isApproximate) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[256];
  u_strFromUTF8(units, 256, nullptr, skeleton, -1, &status);
  const auto fallback = isApproximate ? UNUM_IDENTITY_FALLBACK_APPROXIMATELY : UNUM_IDENTITY_FALLBACK_SINGLE_VALUE;
  UNumberRangeFormatter *formatter = unumrf_openForSkeletonWithCollapseAndIdentityFallback(
      units, -1, UNUM_RANGE_COLLAPSE_AUTO, fallback, locale, nullptr, &status);
  UFormattedNumberRange *result = unumrf_openResult(&status);
  if (U_SUCCESS(status)) return new ICUReferenceRangeFormatter{formatter, result};
  unumrf_closeResult(result);
  unumrf_close(formatter);
  return nullptr;
}

void icu_reference_range_close(ICUReferenceRangeFormatter *formatter) {
  unumrf_closeResult(formatter->result);
  unumrf_close(formatter->formatter);
  delete formatter;
}

int32_t icu_reference_range_format(ICUReferenceRangeFormatter *formatter, const char *low, int32_t lowLength,
                                   const char *high, int32_t highLength, uint8_t *utf8, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  unumrf_formatDecimalRange(formatter->formatter, low, lowLength, high, highLength, formatter->result, &status);
  int32_t count = 0, written = 0;
  const UChar *text = ufmtval_getString(unumrf_resultAsValue(formatter->result, &status), &count, &status);
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, text, count, &status);
  return U_SUCCESS(status) ? written : -1;
}
