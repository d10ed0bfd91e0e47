// The digits that CLDR displays for a currency, and its symbols.
#include "CICU.h"

#include <unicode/ucurr.h>
#include <unicode/ustring.h>

#include <cmath>
#include <cstring>

bool cicu_currency_digits(const char *code, bool cash, CICUCurrencyDigits *result) {
  if (std::strlen(code) != 3) return false;
  UChar currency[4];
  u_charsToUChars(code, currency, 4);
  const UCurrencyUsage usage = cash ? UCURR_USAGE_CASH : UCURR_USAGE_STANDARD;
  UErrorCode status = U_ZERO_ERROR;
  result->digits = ucurr_getDefaultFractionDigitsForUsage(currency, usage, &status);
  // ICU returns the step as a double in currency units, such as 0.05. In units of the last digit, it is an integer.
  const double increment = ucurr_getRoundingIncrementForUsage(currency, usage, &status);
  if (U_FAILURE(status) || result->digits < 0 || result->digits > 9) return false;
  const long step = std::lround(increment * std::pow(10.0, result->digits));
  result->step = step > 0 ? int32_t(step) : 1;
  return true;
}

bool cicu_currency_symbol(const char *locale, const char *code, bool narrow, char *symbol, int32_t capacity) {
  if (std::strlen(code) != 3) return false;
  UChar currency[4];
  u_charsToUChars(code, currency, 4);
  UErrorCode status = U_ZERO_ERROR;
  int32_t length = 0, written = 0;
  const UChar *name = ucurr_getName(currency, locale, narrow ? UCURR_NARROW_SYMBOL_NAME : UCURR_SYMBOL_NAME,
                                    nullptr, &length, &status);
  if (U_FAILURE(status)) return false;
  status = U_ZERO_ERROR;
  u_strToUTF8(symbol, capacity, &written, name, length, &status);
  return U_SUCCESS(status) && written < capacity;
}
