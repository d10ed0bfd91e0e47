// The texts of pricetag.h's status codes.
#include "pricetag.h"
#include "pricetag_shared.h"

// The index of a text is its status.
static const pricetag_status_text texts[] = {
    // Generated from Bindings/tables.json (texts); do not edit.
    {"ok", "the call succeeded", ""},
    {"malformed-amount", "the text is not a decimal amount", "write ASCII digits with an optional sign and fraction, such as 1234.50"},
    {"amount-out-of-range", "the amount is out of range", "use at most 18 significant digits, of which at most 18 are after the decimal point"},
    {"needs-rounding", "the amount has more decimals than are displayed", "pass a rounding mode such as PRICETAG_HALF_EVEN to allow rounding"},
    {"buffer-too-small", "the buffer is too small for the text", "use a buffer of the length that the function stores; of pricetag_formatter_capacity bytes for any price"},
    {"invalid-argument", "an argument is NULL or out of range", "correct the argument"},
    {"not-a-pack", "the bytes are not a pack", "write one with `pricetag pack -o FILE`"},
    {"other-version", "the pack has a layout that this library cannot read", "write the pack again with this version of PriceTag"},
    {"truncated-pack", "the number of bytes is not that of the pack", "copy the file again"},
    {"damaged-pack", "the bytes of the pack have changed since it was written", "copy the file again"},
    {"invalid-pack", "a field of the pack has an invalid value", "write the pack again with `pricetag pack`"},
    {"unknown-storefront", "the pack does not have the storefront", "write the pack with --storefronts and this storefront"},
    {"unknown-locale", "the pack does not have the price locale", "write the pack with --locales and this locale"},
    {"unknown-currency", "the pack does not have the currency", "write the pack with --currencies and this currency"},
    {"missing-style", "the pack has no patterns of the style", "write the pack with the options of this style"},
    {"missing-formatter", "the pack has no pattern for the locale, currency and style together", "write the pack with this combination"},
    {"missing-date", "the storefront has charged several currencies", "pass the date of the price, such as 20260131"},
    {"missing-plural", "the pattern has no form for the plural category of the amount", "format the amount with another style"},
    {"unreadable-file", "the file cannot be read", "check the path and the permissions"},
    {"unknown-version", "the pack does not have the version", "use a name such as \"icu\""},
    {"currency-mismatch", "the storefront does not charge the currency", "use the currency of the storefront, or a storefront that charges this one"},
    {"not-a-price", "the text has no digits", "pass a price"},
    {"not-as-written", "the text is not what the formatter writes for any amount", "correct the text at the first difference, or read it leniently"},
    {"ambiguous-number", "the formatter writes the text for several amounts", "use a style with separators that differ"},
    {"text-too-long", "the text has more than 4,096 bytes", "pass one price"},
    {"no-phrases", "the pack has no phrases", "write the pack with --phrases"},
    {"unknown-language", "the pack has no phrases in the language, or in one that is close to it", "write the pack with --phrases and a language close to it, which pricetag strings list lists"},
    {"unknown-phrase", "the pack does not have the phrase in the language", "use a key that `pricetag pack --show` lists; messages with dates or names are not in packs"},
    {"missing-argument", "an argument of the phrase is missing", "add it"},
    {"extra-argument", "the phrase does not have the argument", "remove it"},
    {"wrong-argument", "an argument has the wrong type", "pass a value of the kind that the message has for it: a formatted price, a phrase, a number or a keyword"},
    {"phrase-too-long", "the phrase has more than 65,536 bytes, or more than 16 phrases are inside each other", "pass shorter arguments"},
    // End of the generated lines.
};

static pricetag_status_text text(int32_t status) {
  if (status >= 0 && (size_t)status < sizeof texts / sizeof *texts) return texts[status];
  return (pricetag_status_text){"unknown-status", "the status is unknown", "use a status of this library"};
}

const char *pricetag_status_code(int32_t status) { return text(status).code; }
const char *pricetag_status_message(int32_t status) { return text(status).message; }
const char *pricetag_status_fix(int32_t status) { return text(status).fix; }
