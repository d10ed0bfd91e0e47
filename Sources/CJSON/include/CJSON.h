// Reads JSON Lines with simdjson. Only the implementation of this header includes <simdjson.h>.
//
// A reader goes through a block of lines and returns the members of each line's object, as offsets into the row. It
// validates every byte: UTF-8, grammar, escapes, numbers, and that no object has a duplicate key. It allocates memory
// only for a row that is larger than all rows before it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// The type of a value.
typedef enum {
  CJSONKindNull,
  CJSONKindBoolean,
  CJSONKindNumber,
  CJSONKindString,
  CJSONKindArray,
  CJSONKindObject,
} CJSONKind;

/// The problem of a row.
typedef enum {
  CJSONProblemNone,
  /// The row has a NUL byte at `problem_start`.
  CJSONProblemNUL,
  /// The row is not UTF-8.
  CJSONProblemNotUTF8,
  /// The grammar is violated at `problem_start`.
  CJSONProblemMalformed,
  /// The string at `problem_start` is not closed.
  CJSONProblemUnclosedString,
  /// A string has an unescaped control character at `problem_start`.
  CJSONProblemControlCharacter,
  /// The escape at `problem_start` is invalid, or half of a surrogate pair.
  CJSONProblemEscape,
  /// There is more text after the object, at `problem_start`.
  CJSONProblemTrailing,
  /// The row is not an object.
  CJSONProblemNotObject,
  /// The key at `problem_start` appears twice in its object. It has `problem_count` bytes, without quotation marks.
  CJSONProblemDuplicateKey,
  /// Values are nested deeper than `cjson_maximum_depth`.
  CJSONProblemTooDeep,
  /// There is not enough memory to read the row.
  CJSONProblemNoMemory,
} CJSONProblem;

/// A key and its value, as offsets into the row. The offsets of a string exclude its quotation marks.
typedef struct {
  uint32_t key_start;
  uint32_t key_count;
  uint32_t value_start;
  uint32_t value_count;
  CJSONKind kind;
  bool key_has_escapes;
  bool value_has_escapes;
} CJSONMember;

/// The maximum number of names that a reader looks for.
#define CJSON_MAXIMUM_NAME_COUNT 24

/// The maximum nesting depth of values.
static const int32_t cjson_maximum_depth = 512;

/// The members of a row that have the names a reader looks for.
typedef struct {
  /// For each name, the index of the member with that key, or -1.
  int32_t member[CJSON_MAXIMUM_NAME_COUNT];
  /// The indices of the names that have a member, in no particular order.
  int32_t found[CJSON_MAXIMUM_NAME_COUNT];
  int32_t found_count;
  /// A number that is equal for consecutive rows with the same keys in the same order.
  uint64_t shape;
} CJSONNames;

/// A line that is not blank.
typedef struct {
  /// The bytes of the line, without its line feed.
  const uint8_t *bytes;
  size_t count;
  /// The number of line feeds before the line in the block.
  size_t line;
  CJSONProblem problem;
  size_t problem_start;
  size_t problem_count;
  /// The end of the last value of the object.
  size_t values_end;
  const CJSONMember *members;
  size_t member_count;
  /// Which members have the reader's names.
  const CJSONNames *names;
} CJSONRow;

/// The arrays as pointers. Swift imports C arrays as tuples.
static inline const int32_t *cjson_names_member(const CJSONNames *names) { return names->member; }
static inline const int32_t *cjson_names_found(const CJSONNames *names) { return names->found; }

typedef struct CJSONReader CJSONReader;

/// Creates a reader that looks for members with these names. Returns null if there is not enough memory.
CJSONReader *_Nullable cjson_reader_create(const char *_Nullable const *_Nonnull names, int32_t count);
void cjson_reader_free(CJSONReader *reader);

/// Starts reading a block of complete lines, of at most 2 GB. The last line needs no line feed.
void cjson_reader_start(CJSONReader *reader, const uint8_t *bytes, size_t count);

/// Returns the next line that is not blank, or null at the end of the block. The row is valid until the next call.
const CJSONRow *_Nullable cjson_reader_next(CJSONReader *reader);

/// Returns the number of lines read from the block.
size_t cjson_reader_line_count(const CJSONReader *reader);

/// Writes a valid string without its escapes, in at most `count` bytes, and returns the number of bytes.
size_t cjson_unescape(const uint8_t *bytes, size_t count, uint8_t *text);

/// Returns whether bytes are valid UTF-8.
bool cjson_is_utf8(const uint8_t *bytes, size_t count);

/// Returns the bytes of a text of at least one byte from a place: eight of them, the last ones first if there are fewer.
static inline uint64_t cjson_word(const uint8_t *text, size_t count, size_t place) {
  uint64_t word = 0;
  uint32_t half = 0;
  if (count >= 8) {
    memcpy(&word, text + (place + 8 <= count ? place : count - 8), 8);
  } else if (count >= 4) {
    memcpy(&half, text, 4);
    memcpy(&word, text + count - 4, 4);
    word = word << 32 | half;
  } else {
    word = 0x0101010101000000u * text[0] | (uint64_t)text[count - 1] << 16 | (uint64_t)text[count / 2] << 8 | text[0];
  }
  return word;
}

/// Return a word with the highest bit of a byte set if a byte of the word is equal to, or below, a number up to 128.
static inline uint64_t cjson_below(uint64_t word, uint8_t limit) {
  return (word - 0x0101010101010101u * limit) & ~word & 0x8080808080808080u;
}
static inline uint64_t cjson_equal(uint64_t word, uint8_t byte) {
  return cjson_below(word ^ 0x0101010101010101u * byte, 1);
}

/// Returns whether a text has bytes that JSON escapes: control characters, quotation marks and backslashes. With `or_html`,
/// also those that HTML escapes, and DEL.
static inline bool cjson_needs_escapes(const uint8_t *text, size_t count, bool or_html) {
  uint64_t found = 0;
  for (size_t place = 0; place < count; place += 8) {
    uint64_t word = cjson_word(text, count, place);
    found |= cjson_below(word, 0x20) | cjson_equal(word, '"') | cjson_equal(word, '\\');
    if (or_html) {
      found |= cjson_equal(word, '&') | cjson_equal(word, '\'') | cjson_equal(word, '<') | cjson_equal(word, '>') |
               cjson_equal(word, 0x7F);
    }
  }
  return found != 0;
}

/// Returns whether a text must be in quotes in CSV.
static inline bool cjson_needs_quotes(const uint8_t *text, size_t count, uint8_t delimiter) {
  uint64_t found = 0;
  for (size_t place = 0; place < count; place += 8) {
    uint64_t word = cjson_word(text, count, place);
    found |= cjson_equal(word, delimiter) | cjson_equal(word, '"') | cjson_equal(word, '\n') | cjson_equal(word, '\r');
  }
  return found != 0;
}

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
