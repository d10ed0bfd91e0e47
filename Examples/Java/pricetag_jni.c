// The native methods of pricetag.PricePack and pricetag.PriceFormatter.
//
// A string of Java is UTF-16 and may have any units, also zeros and unpaired surrogates; the library reads and writes UTF-8.
// JNI's own conversions use "modified UTF-8", in which a zero has two bytes and a supplementary character six, so this file
// converts text itself. GetStringRegion copies a string. GetStringCritical would lock it, and delay the garbage collector.
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <pricetag.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pricetag_PriceFormatter.h"
#include "pricetag_PricePack.h"

static void *pointer(jlong handle) { return (void *)(intptr_t)handle; }
static jlong handle(const void *pointer) { return (jlong)(intptr_t)pointer; }

// ---- Text

// Returns the next character of UTF-8 and moves the index behind it: U+FFFD for bytes that are not UTF-8.
static uint32_t next_character(const unsigned char *bytes, size_t length, size_t *index) {
  static const uint32_t minimum[] = {0, 0x80, 0x800, 0x10000};
  uint32_t first = bytes[(*index)++];
  size_t more = first < 0x80 ? 0 : first < 0xC2 ? 4 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : 4;
  if (more == 4 || length - *index < more) return 0xFFFD;
  uint32_t character = more ? first & (0x3Fu >> more) : first;
  for (size_t offset = 0; offset < more; offset++) {
    uint32_t next = bytes[*index + offset];
    if ((next & 0xC0) != 0x80) return 0xFFFD;
    character = character << 6 | (next & 0x3F);
  }
  if (character < minimum[more] || character > 0x10FFFF || (character >= 0xD800 && character < 0xE000)) return 0xFFFD;
  *index += more;
  return character;
}

// Returns a string of at most PRICETAG_MAXIMUM_CAPACITY bytes of UTF-8; NULL with a pending exception if there is no memory.
static jstring new_string(JNIEnv *env, const char *text, size_t length) {
  jchar units[PRICETAG_MAXIMUM_CAPACITY];
  jsize count = 0;
  if (length > PRICETAG_MAXIMUM_CAPACITY) length = PRICETAG_MAXIMUM_CAPACITY;
  for (size_t index = 0; index < length;) {
    uint32_t character = next_character((const unsigned char *)text, length, &index);
    if (character > 0xFFFF) {
      units[count++] = (jchar)(0xD7C0 + (character >> 10));
      units[count++] = (jchar)(0xDC00 + (character & 0x3FF));
    } else {
      units[count++] = (jchar)character;
    }
  }
  return (*env)->NewString(env, units, count);
}

// Returns the UTF-8 of a string with a zero byte at its end, which the caller frees. An unpaired surrogate becomes the byte
// 0xFF, which is invalid in amounts and names. Returns NULL with a pending exception if there is no memory.
static char *utf8(JNIEnv *env, jstring string, size_t *length) {
  size_t count = (size_t)(*env)->GetStringLength(env, string);
  jchar *units = malloc((count ? count : 1) * sizeof *units);
  // A unit has at most three bytes.
  unsigned char *bytes = malloc(count * 3 + 1);
  if (!units || !bytes) {
    free(units);
    free(bytes);
    jclass error = (*env)->FindClass(env, "java/lang/OutOfMemoryError");
    if (error) (*env)->ThrowNew(env, error, "no memory for the text of a price");
    return NULL;
  }
  (*env)->GetStringRegion(env, string, 0, (jsize)count, units);
  unsigned char *end = bytes;
  for (size_t index = 0; index < count; index++) {
    uint32_t unit = units[index];
    if (unit < 0x80) {
      *end++ = (unsigned char)unit;
    } else if (unit < 0x800) {
      *end++ = (unsigned char)(0xC0 | unit >> 6);
      *end++ = (unsigned char)(0x80 | (unit & 0x3F));
    } else if (unit < 0xD800 || unit >= 0xE000) {
      *end++ = (unsigned char)(0xE0 | unit >> 12);
      *end++ = (unsigned char)(0x80 | (unit >> 6 & 0x3F));
      *end++ = (unsigned char)(0x80 | (unit & 0x3F));
    } else if (unit < 0xDC00 && index + 1 < count && units[index + 1] >= 0xDC00 && units[index + 1] < 0xE000) {
      uint32_t character = 0x10000 + ((unit - 0xD800) << 10) + (units[++index] - 0xDC00u);
      *end++ = (unsigned char)(0xF0 | character >> 18);
      *end++ = (unsigned char)(0x80 | (character >> 12 & 0x3F));
      *end++ = (unsigned char)(0x80 | (character >> 6 & 0x3F));
      *end++ = (unsigned char)(0x80 | (character & 0x3F));
    } else {
      *end++ = 0xFF;
    }
  }
  *end = 0;
  *length = (size_t)(end - bytes);
  free(units);
  return (char *)bytes;
}

// ---- Errors

// Throws a PriceException about a value. `reason` is the error of the operating system, or NULL.
static void throw_status(JNIEnv *env, int32_t status, jstring value, const char *reason) {
  jclass class = (*env)->FindClass(env, "pricetag/PriceException");
  if (!class) return;
  jmethodID constructor = (*env)->GetMethodID(
      env, class, "<init>", "(Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;Ljava/lang/String;)V");
  if (!constructor) return;
  const char *texts[] = {pricetag_status_code(status), pricetag_status_message(status), pricetag_status_fix(status), reason};
  jstring strings[4] = {NULL};
  for (size_t index = 0; index < 4; index++) {
    if (texts[index] && !(strings[index] = new_string(env, texts[index], strlen(texts[index])))) return;
  }
  jobject exception =
      (*env)->NewObject(env, class, constructor, strings[0], strings[1], strings[2], strings[3], value);
  if (exception) (*env)->Throw(env, exception);
}

// Returns a name with a zero byte at its end. A zero inside, after which C would not read, is an error with the given status.
// Returns NULL with a pending exception after an error.
static char *name(JNIEnv *env, jstring string, int32_t status) {
  size_t length;
  char *bytes = utf8(env, string, &length);
  if (bytes && strlen(bytes) != length) {
    free(bytes);
    throw_status(env, status, string, NULL);
    return NULL;
  }
  return bytes;
}

// ---- PricePack

JNIEXPORT jlong JNICALL Java_pricetag_PricePack_open(JNIEnv *env, jclass class, jstring path) {
  (void)class;
  char *bytes = name(env, path, PRICETAG_INVALID_ARGUMENT);
  if (!bytes) return 0;
  const pricetag_pack *pack = NULL;
  int32_t status = pricetag_pack_open_file(bytes, &pack);
  char reason[256];
  int error = errno;
  free(bytes);
  if (status == PRICETAG_OK) return handle(pack);
  int has_reason = status == PRICETAG_UNREADABLE_FILE && strerror_r(error, reason, sizeof reason) == 0;
  throw_status(env, status, path, has_reason ? reason : NULL);
  return 0;
}

JNIEXPORT void JNICALL Java_pricetag_PricePack_close(JNIEnv *env, jclass class, jlong pack) {
  (void)env, (void)class;
  pricetag_pack_close(pointer(pack));
}

JNIEXPORT jlong JNICALL Java_pricetag_PricePack_storefront(JNIEnv *env, jclass class, jlong pack, jstring storefront,
                                                           jint date) {
  (void)class;
  char *bytes = name(env, storefront, PRICETAG_UNKNOWN_STOREFRONT);
  if (!bytes) return 0;
  const pricetag_formatter *formatter = NULL;
  int32_t status = pricetag_formatter_for_storefront(pointer(pack), bytes, date, NULL, &formatter);
  free(bytes);
  if (status != PRICETAG_OK) throw_status(env, status, storefront, NULL);
  return handle(formatter);
}

JNIEXPORT jlong JNICALL Java_pricetag_PricePack_locale(JNIEnv *env, jclass class, jlong pack, jstring locale,
                                                       jstring currency) {
  (void)class;
  char *tag = name(env, locale, PRICETAG_UNKNOWN_LOCALE);
  char *code = tag ? name(env, currency, PRICETAG_UNKNOWN_CURRENCY) : NULL;
  const pricetag_formatter *formatter = NULL;
  if (code) {
    int32_t status = pricetag_formatter_for_locale(pointer(pack), tag, code, NULL, &formatter);
    if (status != PRICETAG_OK) throw_status(env, status, status == PRICETAG_UNKNOWN_LOCALE ? locale : currency, NULL);
  }
  free(tag);
  free(code);
  return handle(formatter);
}

// ---- PriceFormatter

JNIEXPORT jstring JNICALL Java_pricetag_PriceFormatter_format(JNIEnv *env, jclass class, jlong formatter, jstring amount,
                                                              jint rounding) {
  (void)class;
  size_t count;
  char *bytes = utf8(env, amount, &count);
  if (!bytes) return NULL;
  char text[PRICETAG_MAXIMUM_CAPACITY];
  size_t length = 0;
  int32_t status = pricetag_format(pointer(formatter), bytes, count, rounding, text, sizeof text, &length);
  free(bytes);
  if (status == PRICETAG_OK) return new_string(env, text, length);
  throw_status(env, status, amount, NULL);
  return NULL;
}

JNIEXPORT jstring JNICALL Java_pricetag_PriceFormatter_formatUnits(JNIEnv *env, jclass class, jlong formatter, jlong units,
                                                                   jint exponent, jint rounding) {
  (void)class;
  char text[PRICETAG_MAXIMUM_CAPACITY];
  size_t length = 0;
  int32_t status = pricetag_format_units(pointer(formatter), units, exponent, rounding, text, sizeof text, &length);
  if (status == PRICETAG_OK) return new_string(env, text, length);
  throw_status(env, status, NULL, NULL);
  return NULL;
}

JNIEXPORT jlong JNICALL Java_pricetag_PriceFormatter_spoken(JNIEnv *env, jclass class, jlong formatter) {
  (void)class;
  const pricetag_formatter *spoken = pricetag_formatter_spoken(pointer(formatter));
  if (!spoken) throw_status(env, PRICETAG_MISSING_STYLE, NULL, NULL);
  return handle(spoken);
}
