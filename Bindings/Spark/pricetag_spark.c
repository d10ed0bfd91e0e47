// The native methods of pricetag.spark.PriceFunction.
//
// Texts are in memory that Java has allocated outside its heap, at places that both sides know. A row is one call with numbers,
// which neither copies nor locks an array, and throws nothing. The codes of rows are those of Arrow columns.
#include <jni.h>

#include "../Arrow/arrow_internal.h"
#include "../C/pricetag_shared.h"
#include "../SQL/pricetag_sql.h"
#include "pricetag_spark_PriceFunction.h"

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_pricetag_spark_PriceFunction_##name
enum { MAXIMUM_TEXT = pricetag_spark_PriceFunction_MAXIMUM_TEXT, CACHED_NAME = 15, CACHED_CURRENCY = 7, CACHED = 512 };

// The formatter of a storefront, or of a locale and a currency, whose texts are filled with zero bytes.
typedef struct {
  char name[CACHED_NAME + 1], currency[CACHED_CURRENCY + 1];
  int8_t name_length, currency_length;
  bool is_used;
  uint8_t error, amount_error;
  int32_t date, exponent;
  const pricetag_formatter *formatter;
} cached_formatter;

// The memory of one function in one thread.
typedef struct {
  char name[MAXIMUM_TEXT], currency[MAXIMUM_TEXT], date[MAXIMUM_TEXT], amount[MAXIMUM_TEXT], text[PRICETAG_MAXIMUM_CAPACITY];
  pricetag_arrow_plan plan;
  bool is_locale;
  cached_formatter uncached, cache[CACHED];
} state;

#define HAS_PLACE(field, NAME) \
  _Static_assert(offsetof(state, field) == pricetag_spark_PriceFunction_##NAME, "PriceFunction.java has another place")
HAS_PLACE(name, NAME);
HAS_PLACE(currency, CURRENCY);
HAS_PLACE(date, DATE);
HAS_PLACE(amount, AMOUNT);
HAS_PLACE(text, TEXT);
_Static_assert(sizeof((state *)0)->text == pricetag_spark_PriceFunction_TEXT_SIZE, "PriceFunction.java has another size");
_Static_assert((int)PRICETAG_SQL_MINOR == PRICETAG_ARROW_MINOR, "another unit");
_Static_assert((int)PRICETAG_SQL_MICROS == PRICETAG_ARROW_MICROS, "another unit");

static void *pointer(jlong address) { return (void *)(intptr_t)address; }

NATIVE(jint, size)(JNIEnv *env, jclass class) {
  (void)env, (void)class;
  return (jint)sizeof(state);
}

NATIVE(jlong, address)(JNIEnv *env, jclass class, jobject memory) {
  (void)class;
  return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, memory);
}

// Returns the pack in the bytes, or a negative status.
NATIVE(jlong, open)(JNIEnv *env, jclass class, jlong address, jlong size) {
  (void)env, (void)class;
  const pricetag_pack *pack = NULL;
  int32_t status = pricetag_pack_open(pointer(address), (size_t)size, &pack);
  return status == PRICETAG_OK ? (jlong)(intptr_t)pack : -status;
}

// These texts are ASCII, so that JNI's "modified UTF-8" is the same.
NATIVE(jstring, describe)(JNIEnv *env, jclass class, jint status) {
  (void)class;
  char message[PRICETAG_SQL_MESSAGE];
  pricetag_sql_describe(status, NULL, NULL, NULL, message);
  return (*env)->NewStringUTF(env, message);
}

#define CODE_OF(name, text, status) text,
NATIVE(jstring, code)(JNIEnv *env, jclass class, jint error) {
  (void)class;
  static const char *const codes[] = {"", ERROR_CODES(CODE_OF)};
  return (*env)->NewStringUTF(env, error >= 0 && error < ERROR_COUNT ? codes[error] : "");
}

// Stores the message of an error, and returns its length.
static jint refuse(state *self, int32_t status, pricetag_text value, const char *fix) {
  char message[PRICETAG_SQL_MESSAGE], quoted[PRICETAG_SQL_QUOTED];
  pricetag_sql_describe(status, value.length ? pricetag_sql_quote(value, quoted) : NULL, NULL, fix, message);
  size_t length = strlen(message);
  memcpy(self->text, message, length);
  return (jint)length;
}

// Reads the options, whose text is in the place of the amount, and the date of rows without a date. Returns the length of an
// error's text, or a negative unit.
NATIVE(jint, prepare)(JNIEnv *env, jclass class, jlong address, jlong pack, jint length, jint date, jint unit,
                      jboolean is_locale, jboolean is_spoken) {
  (void)env, (void)class;
  state *self = pointer(address);
  pricetag_text words = {self->amount, (size_t)length}, place, day = {self->date, (size_t)date};
  pricetag_sql_options options;
  int32_t status = pricetag_sql_parse_options(words.bytes, words.length, unit, &options, &place);
  if (status != PRICETAG_OK) return refuse(self, status, place, NULL);
  self->plan = (pricetag_arrow_plan){.pack = pointer(pack), .style = options.style, .has_style = true, .unit = options.unit,
                                     .rounding = options.rounding, .date = day.length > 0 ? pricetag_date_of_text(day.bytes, day.length) : 0};
  self->plan.wants[PRICETAG_ARROW_SPOKEN] = is_spoken;
  self->is_locale = is_locale;
  if (day.length > 0 && self->plan.date == 0) return refuse(self, PRICETAG_SQL_MALFORMED_DATE, day, NULL);
  // Without a storefront or a locale of this name, only the style can be missing.
  const pricetag_formatter *unused;
  status = is_locale ? pricetag_formatter_for_locale(self->plan.pack, "", "", &options.style, &unused)
                     : pricetag_formatter_for_storefront(self->plan.pack, "", 0, &options.style, &unused);
  if (status != PRICETAG_MISSING_STYLE) return -options.unit;
  return refuse(self, status, words,
                "write a pack with the options of this style (pricetag pack), and set spark.pricetag.pack to its path");
}

// Finds the formatter of the texts in the memory. A length of -1 is an absent text.
static const cached_formatter *find(state *self, jint name, jint currency, jint date) {
  row_key row = {.date = date >= 0 ? pricetag_date_of_text(self->date, (size_t)date) : 0};
  row.is_date_malformed = date >= 0 && row.date == 0;
  // The date of a malformed one is not that of an absent one.
  cached_formatter key = {.is_used = true, .date = row.is_date_malformed ? -1 : row.date};
  cached_formatter *result = &self->uncached;
  if (name <= CACHED_NAME && currency <= CACHED_CURRENCY) {
    key.name_length = (int8_t)name;
    key.currency_length = (int8_t)currency;
    if (name > 0) memcpy(key.name, self->name, (size_t)name);
    if (currency > 0) memcpy(key.currency, self->currency, (size_t)currency);
    uint64_t words[3], hash = (uint64_t)(uint32_t)key.date;
    memcpy(words, key.name, sizeof key.name);
    memcpy(&words[2], key.currency, sizeof key.currency);
    for (size_t index = 0; index < 3; index++) hash = pricetag_hash(hash, words[index]);
    // Two places, so that two storefronts with one hash do not displace each other at each row.
    for (size_t probe = 0; probe < 2; probe++) {
      result = &self->cache[(hash ^ probe) % CACHED];
      if (!result->is_used) break;
      if (result->name_length == key.name_length && result->currency_length == key.currency_length &&
          result->date == key.date && memcmp(result->name, key.name, sizeof key.name) == 0 &&
          memcmp(result->currency, key.currency, sizeof key.currency) == 0) {
        return result;
      }
    }
  }
  int argument = self->is_locale ? PRICETAG_ARROW_LOCALE : PRICETAG_ARROW_STOREFRONT;
  row.texts[argument] = name >= 0 ? self->name : NULL;
  row.lengths[argument] = name >= 0 ? (size_t)name : 0;
  row.texts[PRICETAG_ARROW_CURRENCY] = currency >= 0 ? self->currency : NULL;
  row.lengths[PRICETAG_ARROW_CURRENCY] = currency >= 0 ? (size_t)currency : 0;
  entry found;
  arrow_resolve(&self->plan, &row, &found);
  key.error = found.error;
  key.amount_error = found.amount_error;
  key.exponent = found.exponent;
  key.formatter = self->plan.wants[PRICETAG_ARROW_SPOKEN] ? found.spoken : found.formatter;
  *result = key;
  return result;
}

// Formats the amount of a row: a text with a length, or units; a scale of -1 is that of the function's unit. Returns the length
// of the price, or a negative code.
NATIVE(jint, format)(JNIEnv *env, jclass class, jlong address, jint name, jint currency, jint date, jint amount, jlong units,
                     jint scale) {
  (void)env, (void)class;
  state *self = pointer(address);
  if (name > MAXIMUM_TEXT || currency > MAXIMUM_TEXT || date > MAXIMUM_TEXT || amount > MAXIMUM_TEXT) return -INVALID_ARGUMENT;
  const cached_formatter *found = find(self, name, currency, date);
  if (found->error) return -found->error;
  if (amount == pricetag_spark_PriceFunction_TOO_LARGE) return -AMOUNT_OUT_OF_RANGE;
  if (found->amount_error) return -found->amount_error;
  size_t length = 0;
  int32_t rounding = self->plan.rounding, exponent = scale < 0 ? found->exponent : scale;
  char *text = self->text;
  int32_t status = amount >= 0 ? pricetag_format(found->formatter, self->amount, (size_t)amount, rounding, text,
                                                 sizeof self->text, &length)
                               : pricetag_format_units(found->formatter, units, exponent, rounding, text,
                                                       sizeof self->text, &length);
  return status == PRICETAG_OK ? (jint)length : -arrow_error_of(status);
}
