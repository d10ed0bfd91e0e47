// The texts of pricetag.h's status codes.
#include "pricetag.h"

typedef struct {
  const char *code, *message, *fix;
} status_text;

static status_text text(int32_t status) {
  switch (status) {
    case PRICETAG_OK: return (status_text){"ok", "the call succeeded", ""};
    case PRICETAG_MALFORMED_AMOUNT:
      return (status_text){"malformed-amount", "the text is not a decimal amount",
                           "write ASCII digits with an optional sign and fraction, such as 1234.50"};
    case PRICETAG_AMOUNT_OUT_OF_RANGE:
      return (status_text){"amount-out-of-range", "the amount is out of range",
                           "use at most 18 significant digits, of which at most 18 are after the decimal point"};
    case PRICETAG_NEEDS_ROUNDING:
      return (status_text){"needs-rounding", "the amount has more decimals than are displayed",
                           "pass a rounding mode such as PRICETAG_HALF_EVEN to allow rounding"};
    case PRICETAG_BUFFER_TOO_SMALL:
      return (status_text){"buffer-too-small", "the buffer is too small for the price",
                           "use a buffer of pricetag_formatter_capacity bytes"};
    case PRICETAG_INVALID_ARGUMENT:
      return (status_text){"invalid-argument", "an argument is NULL or out of range", "correct the argument"};
    case PRICETAG_NOT_A_PACK:
      return (status_text){"not-a-pack", "the bytes are not a pack", "write one with `pricetag pack -o FILE`"};
    case PRICETAG_OTHER_VERSION:
      return (status_text){"other-version", "the pack has a layout that this library cannot read",
                           "write the pack again with this version of PriceTag"};
    case PRICETAG_TRUNCATED:
      return (status_text){"truncated-pack", "the number of bytes is not that of the pack", "copy the file again"};
    case PRICETAG_DAMAGED:
      return (status_text){"damaged-pack", "the bytes of the pack have changed since it was written",
                           "copy the file again"};
    case PRICETAG_INVALID_PACK:
      return (status_text){"invalid-pack", "a field of the pack has an invalid value",
                           "write the pack again with `pricetag pack`"};
    case PRICETAG_UNKNOWN_STOREFRONT:
      return (status_text){"unknown-storefront", "the pack does not have the storefront",
                           "write the pack with --storefronts and this storefront"};
    case PRICETAG_UNKNOWN_LOCALE:
      return (status_text){"unknown-locale", "the pack does not have the price locale",
                           "write the pack with --locales and this locale"};
    case PRICETAG_UNKNOWN_CURRENCY:
      return (status_text){"unknown-currency", "the pack does not have the currency",
                           "write the pack with --currencies and this currency"};
    case PRICETAG_MISSING_STYLE:
      return (status_text){"missing-style", "the pack has no patterns of the style",
                           "write the pack with the options of this style"};
    case PRICETAG_MISSING_FORMATTER:
      return (status_text){"missing-formatter", "the pack has no pattern for the locale, currency and style together",
                           "write the pack with this combination"};
    case PRICETAG_MISSING_DATE:
      return (status_text){"missing-date", "the storefront has charged several currencies",
                           "pass the date of the price, such as 20260131"};
    case PRICETAG_MISSING_PLURAL:
      return (status_text){"missing-plural", "the pattern has no form for the plural category of the amount",
                           "format the amount with another style"};
    case PRICETAG_UNREADABLE_FILE:
      return (status_text){"unreadable-file", "the file cannot be read", "check the path and the permissions"};
    case PRICETAG_UNKNOWN_VERSION:
      return (status_text){"unknown-version", "the pack does not have the version", "use a name such as \"icu\""};
    case PRICETAG_CURRENCY_MISMATCH:
      return (status_text){"currency-mismatch", "the storefront does not charge the currency",
                           "use the currency of the storefront, or a storefront that charges this one"};
    default: return (status_text){"unknown-status", "the status is unknown", "use a status of this library"};
  }
}

const char *pricetag_status_code(int32_t status) { return text(status).code; }
const char *pricetag_status_message(int32_t status) { return text(status).message; }
const char *pricetag_status_fix(int32_t status) { return text(status).fix; }
