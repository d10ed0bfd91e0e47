#include "ICUFormatter.h"

#include <unicode/ufieldpositer.h>
#include <unicode/uloc.h>
#include <unicode/unum.h>
#include <unicode/unumberformatter.h>
#include <unicode/ustring.h>
#include <unicode/uversion.h>

struct ICUReferenceFormatter {
  UNumberFormatter *formatter;
  UFormattedNumber *result;
};

namespace {

UNumberFormatter *open(const char *skeleton, const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[256];
  u_strFromUTF8(units, 256, nullptr, skeleton, -1, &status);
  UNumberFormatter *formatter = unumf_openForSkeletonAndLocale(units, -1, locale, &status);
  if (U_SUCCESS(status)) return formatter;
  unumf_close(formatter);
  return nullptr;
}

}  // namespace

ICUReferenceFormatter *icu_reference_open(const char *skeleton, const char *locale) {
  UNumberFormatter *formatter = open(skeleton, locale);
  if (formatter == nullptr) return nullptr;
  UErrorCode status = U_ZERO_ERROR;
  return new ICUReferenceFormatter{formatter, unumf_openResult(&status)};
}

void icu_reference_close(ICUReferenceFormatter *formatter) {
  unumf_close(formatter->formatter);
  unumf_closeResult(formatter->result);
  delete formatter;
}

int32_t icu_reference_format(ICUReferenceFormatter *formatter, const char *decimal, int32_t length, uint8_t *utf8,
                             int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[512];
  int32_t written = 0;
  unumf_formatDecimal(formatter->formatter, decimal, length, formatter->result, &status);
  const int32_t count = unumf_resultToString(formatter->result, units, 512, &status);
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, units, count, &status);
  return U_SUCCESS(status) ? written : -1;
}

int32_t icu_reference_split(ICUReferenceFormatter *formatter, const char *decimal, int32_t length, uint8_t *utf8,
                            int32_t capacity, int32_t *numberStart, int32_t *currencyCount) {
  const int32_t written = icu_reference_format(formatter, decimal, length, utf8, capacity);
  UErrorCode status = U_ZERO_ERROR;
  UFieldPositionIterator *fields = ufieldpositer_open(&status);
  unumf_resultGetAllFieldPositions(formatter->result, fields, &status);
  UChar units[512];
  unumf_resultToString(formatter->result, units, 512, &status);
  int32_t start = 0, end = 0, field;
  *currencyCount = 0;
  *numberStart = -1;
  while (U_SUCCESS(status) && (field = ufieldpositer_next(fields, &start, &end)) >= 0) {
    if (field == UNUM_CURRENCY_FIELD) (*currencyCount)++;
    if (field == UNUM_INTEGER_FIELD && *numberStart < 0) {
      u_strToUTF8(nullptr, 0, numberStart, units, start, &status);
      status = U_ZERO_ERROR;
    }
  }
  ufieldpositer_close(fields);
  return written;
}

void icu_reference_version(char *text) {
  UVersionInfo version;
  u_getVersion(version);
  u_versionToString(version, text);
}

int32_t icu_reference_locale_count(void) { return uloc_countAvailable(); }

const char *icu_reference_locale_at(int32_t index) { return uloc_getAvailable(index); }

void icu_reference_set_default_locale(const char *locale) {
  UErrorCode status = U_ZERO_ERROR;
  uloc_setDefault(locale, &status);
}
