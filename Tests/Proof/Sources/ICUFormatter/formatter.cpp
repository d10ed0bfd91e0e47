#include "ICUFormatter.h"

#include <unicode/ufieldpositer.h>
#include <unicode/uloc.h>
#include <unicode/unum.h>
#include <unicode/unumberformatter.h>
#include <unicode/unumsys.h>
#include <unicode/ustring.h>
#include <unicode/uversion.h>

#include <cstring>

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

int32_t icu_reference_digits(ICUReferenceFormatter *formatter, const char *decimal, int32_t length, char *digits,
                             int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  unumf_formatDecimal(formatter->formatter, decimal, length, formatter->result, &status);
  const int32_t count = unumf_resultToDecimalNumber(formatter->result, digits, capacity, &status);
  return U_SUCCESS(status) ? count : -1;
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

int32_t icu_reference_symbol(const char *skeleton, const char *locale, uint8_t *utf8, int32_t capacity) {
  ICUReferenceFormatter *formatter = icu_reference_open(skeleton, locale);
  if (formatter == nullptr) return -1;
  UErrorCode status = U_ZERO_ERROR;
  unumf_formatDecimal(formatter->formatter, "5", 1, formatter->result, &status);
  UChar units[512];
  unumf_resultToString(formatter->result, units, 512, &status);
  UFieldPosition position = {UNUM_CURRENCY_FIELD, 0, 0};
  int32_t written = -1;
  if (unumf_resultNextFieldPosition(formatter->result, &position, &status)) {
    u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, units + position.beginIndex,
                position.endIndex - position.beginIndex, &status);
  }
  icu_reference_close(formatter);
  return U_SUCCESS(status) ? written : -1;
}

int32_t icu_reference_numbering_systems(char *names, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UEnumeration *available = unumsys_openAvailableNames(&status);
  int32_t written = 0, length = 0;
  const char *name;
  while (U_SUCCESS(status) && (name = uenum_next(available, &length, &status)) != nullptr) {
    UNumberingSystem *system = unumsys_openByName(name, &status);
    const bool isDecimal = U_SUCCESS(status) && !unumsys_isAlgorithmic(system) && unumsys_getRadix(system) == 10;
    unumsys_close(system);
    if (!isDecimal) continue;
    if (written + length + 1 > capacity) {
      uenum_close(available);
      return -1;
    }
    std::memcpy(names + written, name, size_t(length));
    names[written + length] = ' ';
    written += length + 1;
  }
  uenum_close(available);
  return U_SUCCESS(status) ? written : -1;
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
