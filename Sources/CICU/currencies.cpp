// The digits that CLDR displays for a currency.
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
