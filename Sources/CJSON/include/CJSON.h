// JSON Lines through simdjson: the only code that sees <simdjson.h> is behind this header.
//
// A reader goes through a block of lines and gives the members of each line's object, by their places in the block.
// Every byte is validated: UTF-8, grammar, escapes, numbers, and that no object has a key twice. Nothing is allocated
// for a row, but for one that is larger than all before it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma clang assume_nonnull begin

/// What a value is.
typedef enum {
  CJSONKindNull,
  CJSONKindBoolean,
  CJSONKindNumber,
  CJSONKindString,
  CJSONKindArray,
  CJSONKindObject,
} CJSONKind;

/// What is wrong with a row.
typedef enum {
  CJSONProblemNone,
  /// A byte that is zero stands in the row.
  CJSONProblemNUL,
  CJSONProblemNotUTF8,
  /// The grammar is broken at `problem_start`.
  CJSONProblemMalformed,
  /// A string is not closed.
  CJSONProblemUnclosedString,
  /// A control character stands in a string at `problem_start`, unescaped.
  CJSONProblemControlCharacter,
  /// An escape at `problem_start` is none, or half of a surrogate pair.
  CJSONProblemEscape,
  /// Something follows the object at `problem_start`.
  CJSONProblemTrailing,
  /// The row is another value than an object.
  CJSONProblemNotObject,
  /// The key at `problem_start` stands twice in its object; `problem_count` bytes, without quotation marks.
  CJSONProblemDuplicateKey,
  /// Values are nested deeper than `cjson_most_depth`.
  CJSONProblemTooDeep,
  /// There is no memory to read the row with.
  CJSONProblemNoMemory,
} CJSONProblem;

/// A key and its value, by their places in the row. A string's place is without its quotation marks.
typedef struct {
  uint32_t key_start;
  uint32_t key_count;
  uint32_t value_start;
  uint32_t value_count;
  CJSONKind kind;
  bool key_has_escapes;
  bool value_has_escapes;
} CJSONMember;

/// The most names that a reader looks for.
#define CJSON_MOST_NAMES 16

/// The most values within values.
static const int32_t cjson_most_depth = 512;

/// Which members of a row have the names that a reader looks for.
typedef struct {
  /// For each name, the member that has it; -1 where none has.
  int32_t member[CJSON_MOST_NAMES];
  /// The names that some member has, in no order.
  int32_t found[CJSON_MOST_NAMES];
  int32_t found_count;
  /// The same for rows of the same keys in the same order.
  uint64_t shape;
} CJSONNames;

/// A line with something in it.
typedef struct {
  /// Where it starts, and how long it is without its line feed.
  const uint8_t *bytes;
  size_t count;
  /// How many line feeds stand before it in the block.
  size_t line;
  CJSONProblem problem;
  size_t problem_start;
  size_t problem_count;
  /// Behind the last value of the object.
  size_t values_end;
  const CJSONMember *members;
  size_t member_count;
  /// Which members have the reader's names.
  const CJSONNames *names;
} CJSONRow;

/// The arrays, for languages that have none of C's.
static inline const int32_t *cjson_names_member(const CJSONNames *names) { return names->member; }
static inline const int32_t *cjson_names_found(const CJSONNames *names) { return names->found; }

typedef struct CJSONReader CJSONReader;

/// A reader that looks for members of some names; null where there is no memory.
CJSONReader *_Nullable cjson_reader_create(const char *_Nullable const *_Nonnull names, int32_t count);
void cjson_reader_free(CJSONReader *reader);

/// Starts with a block of whole lines, of which the last needs no line feed. At most 2 GB.
void cjson_reader_start(CJSONReader *reader, const uint8_t *bytes, size_t count);

/// The next line that is not blank, valid until the next call; null behind the last.
const CJSONRow *_Nullable cjson_reader_next(CJSONReader *reader);

/// How many lines the block had so far.
size_t cjson_reader_line_count(const CJSONReader *reader);

/// The text of a valid string's bytes, in at most as many bytes; answers how many.
size_t cjson_unescape(const uint8_t *bytes, size_t count, uint8_t *text);

/// Whether bytes are UTF-8.
bool cjson_is_utf8(const uint8_t *bytes, size_t count);

#pragma clang assume_nonnull end

#ifdef __cplusplus
}
#endif
