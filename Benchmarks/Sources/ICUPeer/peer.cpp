#include "ICUPeer.h"

#include <unicode/bytestream.h>
#include <unicode/fmtable.h>
#include <unicode/formattedvalue.h>
#include <unicode/msgfmt.h>
#include <unicode/simpleformatter.h>
#include <unicode/unumberformatter.h>
#include <unicode/unumberrangeformatter.h>
#include <unicode/ustring.h>

#include <string>

struct ICUPeer {
  UNumberFormatter *formatter;
  UFormattedNumber *result;
};

ICUPeer *icu_peer_open(const char *locale, const char *currency) {
  UErrorCode status = U_ZERO_ERROR;
  const std::string skeleton = std::string("currency/") + currency;
  UChar units[64];
  u_charsToUChars(skeleton.c_str(), units, int32_t(skeleton.size()) + 1);
  UNumberFormatter *formatter = unumf_openForSkeletonAndLocale(units, -1, locale, &status);
  UFormattedNumber *result = unumf_openResult(&status);
  return U_SUCCESS(status) ? new ICUPeer{formatter, result} : nullptr;
}

int32_t icu_peer_format(ICUPeer *peer, const char *decimal, int32_t length, uint8_t *utf8, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[256];
  int32_t written = 0;
  unumf_formatDecimal(peer->formatter, decimal, length, peer->result, &status);
  const int32_t count = unumf_resultToString(peer->result, units, 256, &status);
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, units, count, &status);
  return U_SUCCESS(status) ? written : -1;
}

struct ICUFormPeer {
  ICUPeer price;
  bool hasPattern;
  icu::SimpleFormatter pattern;
};

ICUFormPeer *icu_form_peer_open(const char *locale, const char *skeleton, const char *pattern) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[128];
  u_strFromUTF8(units, 128, nullptr, skeleton, -1, &status);
  UNumberFormatter *formatter = unumf_openForSkeletonAndLocale(units, -1, locale, &status);
  UFormattedNumber *result = unumf_openResult(&status);
  const auto text = icu::UnicodeString::fromUTF8(pattern == nullptr ? "{0}" : pattern);
  const icu::SimpleFormatter parsed(text, 1, 1, status);
  return U_SUCCESS(status) ? new ICUFormPeer{{formatter, result}, pattern != nullptr, parsed} : nullptr;
}

int32_t icu_form_peer_format(ICUFormPeer *peer, const char *decimal, int32_t length, uint8_t *utf8, int32_t capacity) {
  if (!peer->hasPattern) return icu_peer_format(&peer->price, decimal, length, utf8, capacity);
  UErrorCode status = U_ZERO_ERROR;
  UChar units[256];
  unumf_formatDecimal(peer->price.formatter, decimal, length, peer->price.result, &status);
  const int32_t count = unumf_resultToString(peer->price.result, units, 256, &status);
  icu::UnicodeString text;
  // Aliases the price's text.
  peer->pattern.format(icu::UnicodeString(false, units, count), text, status);
  int32_t written = 0;
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, text.getBuffer(), text.length(), &status);
  return U_SUCCESS(status) ? written : -1;
}

struct ICURangePeer {
  UNumberRangeFormatter *formatter;
  UFormattedNumberRange *result;
};

ICURangePeer *icu_range_peer_open(const char *locale, const char *skeleton, bool isApproximate) {
  UErrorCode status = U_ZERO_ERROR;
  UChar units[128];
  u_strFromUTF8(units, 128, nullptr, skeleton, -1, &status);
  const auto fallback = isApproximate ? UNUM_IDENTITY_FALLBACK_APPROXIMATELY : UNUM_IDENTITY_FALLBACK_SINGLE_VALUE;
  UNumberRangeFormatter *formatter = unumrf_openForSkeletonWithCollapseAndIdentityFallback(
      units, -1, UNUM_RANGE_COLLAPSE_AUTO, fallback, locale, nullptr, &status);
  UFormattedNumberRange *result = unumrf_openResult(&status);
  return U_SUCCESS(status) ? new ICURangePeer{formatter, result} : nullptr;
}

int32_t icu_range_peer_format(ICURangePeer *peer, const char *low, int32_t lowLength, const char *high,
                              int32_t highLength, uint8_t *utf8, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  unumrf_formatDecimalRange(peer->formatter, low, lowLength, high, highLength, peer->result, &status);
  int32_t count = 0, written = 0;
  const UChar *text = ufmtval_getString(unumrf_resultAsValue(peer->result, &status), &count, &status);
  u_strToUTF8(reinterpret_cast<char *>(utf8), capacity, &written, text, count, &status);
  return U_SUCCESS(status) ? written : -1;
}

struct ICUMessagePeer {
  icu::MessageFormat format;
  icu::UnicodeString names[2];
  icu::UnicodeString price;
  icu::Formattable values[2];
};

static int32_t format(const ICUMessagePeer *peer, const icu::Formattable *values, uint8_t *utf8, int32_t capacity) {
  UErrorCode status = U_ZERO_ERROR;
  icu::UnicodeString text;
  peer->format.format(peer->names, values, 2, text, status);
  icu::CheckedArrayByteSink sink(reinterpret_cast<char *>(utf8), capacity);
  text.toUTF8(sink);
  return U_SUCCESS(status) ? sink.NumberOfBytesWritten() : -1;
}

ICUMessagePeer *icu_message_peer_open(const char *locale, const char *message, const char *price) {
  UErrorCode status = U_ZERO_ERROR;
  UParseError error;
  icu::MessageFormat format(icu::UnicodeString::fromUTF8(message), icu::Locale(locale), error, status);
  if (U_FAILURE(status)) return nullptr;
  const auto text = icu::UnicodeString::fromUTF8(price);
  return new ICUMessagePeer{format, {u"count", u"price"}, text, {icu::Formattable(0), icu::Formattable(text)}};
}

int32_t icu_message_peer_format(ICUMessagePeer *peer, int64_t count, uint8_t *utf8, int32_t capacity) {
  const icu::Formattable values[] = {icu::Formattable(count), icu::Formattable(peer->price)};
  return format(peer, values, utf8, capacity);
}

int32_t icu_message_peer_format_again(ICUMessagePeer *peer, int64_t count, uint8_t *utf8, int32_t capacity) {
  peer->values[0].setInt64(count);
  return format(peer, peer->values, utf8, capacity);
}
