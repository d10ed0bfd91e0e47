// Reads rows of JSON Lines. simdjson finds the starts of the tokens of many lines, and validates UTF-8 and the ends of
// strings. This code goes from token to token and validates everything else.
//
// Only the first stage of simdjson is used. The second stage stops at the first malformed document of a batch, allows
// duplicate keys, and reads numbers into doubles. The first stage is selected at run time for the processor. It indexes
// many lines at once, because a line of a hundred bytes is too short to use it well.
//
// Of simdjson's internals, this code uses `stage1`, `structural_indexes` and `n_structural_indexes`, which are the same
// from 3.0.1 to 5.0.5. It does not rely on what simdjson writes after the last index.
#include "CJSON.h"
#include "text.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace {

using simdjson::internal::dom_parser_implementation;

// The number of bytes indexed at once, if no line is longer. Tokens and text then stay in the first-level cache.
constexpr size_t indexed_bytes = 32 << 10;
// Up to this number, keys are compared with one another to find duplicates. More keys are sorted.
constexpr size_t maximum_compared_keys = 16;

bool is_space(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

// Returns whether a number or a literal may end before a byte.
bool is_delimiter(uint8_t byte) { return is_space(byte) || byte == ',' || byte == ']' || byte == '}' || byte == ':'; }

// Compares texts of one to two words. Two overlapping loads are faster than a call of memcmp.
template <typename Word>
bool is_same_in_words(const uint8_t *first, const uint8_t *second, size_t count) {
  Word a, b, c, d;
  memcpy(&a, first, sizeof(Word));
  memcpy(&b, second, sizeof(Word));
  memcpy(&c, first + count - sizeof(Word), sizeof(Word));
  memcpy(&d, second + count - sizeof(Word), sizeof(Word));
  return ((a ^ b) | (c ^ d)) == 0;
}

bool is_same(const uint8_t *first, const uint8_t *second, size_t count) {
  if (count >= 8 && count <= 16) return is_same_in_words<uint64_t>(first, second, count);
  if (count >= 4 && count < 8) return is_same_in_words<uint32_t>(first, second, count);
  if (count >= 2 && count < 4) return is_same_in_words<uint16_t>(first, second, count);
  return memcmp(first, second, count) == 0;
}

// A key of an object.
struct Key {
  uint32_t start;  // in the row
  uint32_t count;
  // The offset of the text in `unescaped`; -1 if the key has no escapes and the bytes of the row are the text.
  int64_t unescaped;
  uint32_t text_count;
};

}  // namespace

struct CJSONReader {
  std::unique_ptr<dom_parser_implementation> indexer;
  size_t capacity = 0;

  // The next line, the end of the block, and the number of the next line.
  const uint8_t *at = nullptr;
  const uint8_t *end = nullptr;
  size_t line = 0;

  // The current chunk of lines. If simdjson finds an error in it, each line is indexed separately.
  const uint8_t *chunk_end = nullptr;
  bool is_chunk_indexed = false;
  bool has_backslash = false;
  // The current token, as an offset from `base`.
  const uint8_t *base = nullptr;
  const uint32_t *token = nullptr;
  // The last index, which is the end of the input.
  const uint32_t *last_token = nullptr;

  CJSONRow row{};
  std::vector<CJSONMember> members;
  std::vector<Key> keys;
  std::vector<uint8_t> unescaped;
  // A container around the current value; `first_key` is the index in `keys` of its first key.
  struct Container {
    bool is_object;
    size_t first_key;
  };
  std::vector<Container> containers;

  std::vector<std::string> names;
  // The keys of the previous row, as `,"amount":` with a brace before the first. Most rows have the same keys in the same
  // order. For such a row there is no search for names or duplicate keys.
  std::vector<uint8_t> shape_bytes;
  std::vector<std::pair<uint32_t, uint32_t>> shape;  // offset in shape_bytes, and count of the key
  CJSONNames shape_names{};
  CJSONNames row_names{};

  // MARK: Lines

  bool index(const uint8_t *bytes, size_t count, simdjson::error_code &error) {
    if (count > capacity || !indexer) {
      const size_t new_capacity = std::max(count + count / 4, indexed_bytes);
      if (!indexer) {
        error = simdjson::get_active_implementation()->create_dom_parser_implementation(
            new_capacity, simdjson::DEFAULT_MAX_DEPTH, indexer);
      } else {
        error = indexer->set_capacity(new_capacity);
      }
      if (error) return false;
      capacity = new_capacity;
    }
    error = indexer->stage1(bytes, count, simdjson::stage1_mode::regular);
    if (error != simdjson::SUCCESS) return false;
    base = bytes;
    token = indexer->structural_indexes.get();
    // A last index at the end of the input ends the loops. There is room: simdjson reserves three extra indexes.
    last_token = token + indexer->n_structural_indexes;
    indexer->structural_indexes[indexer->n_structural_indexes] = uint32_t(count);
    return true;
  }

  // Indexes the next chunk: at least one line, and as many complete lines as fit into `indexed_bytes`.
  void index_chunk() {
    const size_t left = size_t(end - at);
    chunk_end = end;
    if (left > indexed_bytes) {
      const auto *last = static_cast<const uint8_t *>(memrchr(at, '\n', indexed_bytes));
      if (!last) last = static_cast<const uint8_t *>(memchr(at + indexed_bytes, '\n', left - indexed_bytes));
      if (last) chunk_end = last + 1;
    }
    simdjson::error_code error;
    is_chunk_indexed = index(at, size_t(chunk_end - at), error);
    if (is_chunk_indexed) has_backslash = memchr(at, '\\', size_t(chunk_end - at)) != nullptr;
  }

  const CJSONRow *next() {
    while (at < end) {
      if (at == chunk_end) index_chunk();
      const uint8_t *start = at;
      row.bytes = start;
      row.count = size_t(chunk_end - start);
      row.line = line++;
      row.problem = CJSONProblemNone;
      row.member_count = 0;
      if (is_chunk_indexed && read_row_of_shape()) {
        row.members = members.data();
        return &row;
      }
      const auto *feed = static_cast<const uint8_t *>(memchr(at, '\n', size_t(chunk_end - at)));
      const uint8_t *line_end = feed ? feed : chunk_end;
      at = feed ? feed + 1 : chunk_end;
      row.count = size_t(line_end - start);
      if (!is_chunk_indexed) {
        if (std::all_of(start, line_end, is_space)) continue;
        simdjson::error_code error;
        if (!index(start, row.count, error)) {
          explain(error);
          return &row;
        }
        has_backslash = memchr(start, '\\', row.count) != nullptr;
      }
      if (base + *token >= line_end) continue;
      read();
      if (row.problem != CJSONProblemNone) {
        // A NUL byte is the reported problem, even if it caused another one.
        if (const auto *nul = memchr(start, 0, row.count)) {
          set_problem(CJSONProblemNUL, static_cast<const uint8_t *>(nul));
        }
      }
      while (base + *token < line_end) token++;
      row.members = members.data();
      return &row;
    }
    return nullptr;
  }

  // MARK: Problems

  void set_problem(CJSONProblem problem, const uint8_t *place, size_t count = 0) {
    row.problem = problem;
    row.problem_start = size_t(place - row.bytes);
    row.problem_count = count;
  }

  // Sets the problem of a line that simdjson could not index.
  void explain(simdjson::error_code error) {
    const uint8_t *start = row.bytes, *line_end = row.bytes + row.count;
    if (const auto *nul = memchr(start, 0, row.count)) {
      return set_problem(CJSONProblemNUL, static_cast<const uint8_t *>(nul));
    }
    if (!cjson_is_utf8(start, row.count)) return set_problem(CJSONProblemNotUTF8, start);
    if (error == simdjson::MEMALLOC || error == simdjson::CAPACITY) return set_problem(CJSONProblemNoMemory, start);
    bool is_string = false;
    const uint8_t *opened = start, *backslash = nullptr;
    for (const uint8_t *place = start; place < line_end; place++) {
      if (*place == '\\') {
        if (!is_string && !backslash) backslash = place;
        place++;
      } else if (*place == '"') {
        is_string = !is_string;
        opened = place;
      } else if (is_string && *place < 0x20) {
        return set_problem(CJSONProblemControlCharacter, place);
      }
    }
    if (backslash) return set_problem(CJSONProblemMalformed, backslash);
    set_problem(is_string ? CJSONProblemUnclosedString : CJSONProblemMalformed, is_string ? opened : start);
  }

  // MARK: Values

  const uint8_t *place() const { return base + *token; }
  const uint8_t *row_end() const { return row.bytes + row.count; }

  bool fail(const uint8_t *place) {
    set_problem(CJSONProblemMalformed, std::min(place, row_end()));
    return false;
  }

  // Returns whether the next token is a punctuation character.
  bool is_next(uint8_t byte) const { return place() < row_end() && *place() == byte; }

  bool take(uint8_t byte) {
    if (!is_next(byte)) return fail(place());
    token++;
    return true;
  }

  // Reads the string at the token. It ends before the next token, with only whitespace between them.
  __attribute__((always_inline)) bool string(uint32_t &start, uint32_t &count, bool &has_escapes) {
    const uint8_t *opened = place();
    const uint8_t *next = std::min(base + token[1], row_end());
    const uint8_t *closed = next - 1;
    while (closed > opened && is_space(*closed)) closed--;
    if (closed == opened || *closed != '"') return fail(closed);
    token++;
    start = uint32_t(opened + 1 - row.bytes);
    count = uint32_t(closed - opened - 1);
    has_escapes = false;
    return !has_backslash || escapes_of(opened, closed, has_escapes);
  }

  bool escapes_of(const uint8_t *opened, const uint8_t *closed, bool &has_escapes) {
    const auto *escape = static_cast<const uint8_t *>(memchr(opened + 1, '\\', size_t(closed - opened - 1)));
    has_escapes = escape != nullptr;
    return !has_escapes || escapes(escape, closed);
  }

  // Validates the escapes of a string, from the first one.
  bool escapes(const uint8_t *escape, const uint8_t *string_end) {
    auto fail = [this](const uint8_t *place) {
      set_problem(CJSONProblemEscape, place);
      return false;
    };
    while (escape) {
      const uint8_t *next = escape + 2;
      if (next > string_end) return fail(escape);
      switch (escape[1]) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't': break;
        case 'u': {
          const int32_t unit = hex_unit(next, string_end);
          if (unit < 0 || (unit >= 0xDC00 && unit <= 0xDFFF)) return fail(escape);
          next += 4;
          if (unit >= 0xD800 && unit <= 0xDBFF) {
            const bool is_pair = string_end - next >= 6 && next[0] == '\\' && next[1] == 'u';
            const int32_t low = is_pair ? hex_unit(next + 2, string_end) : -1;
            if (low < 0xDC00 || low > 0xDFFF) return fail(escape);
            next += 6;
          }
          break;
        }
        default: return fail(escape);
      }
      escape = static_cast<const uint8_t *>(memchr(next, '\\', size_t(string_end - next)));
    }
    return true;
  }

  // Reads the number at the token (RFC 8259).
  bool number(uint32_t &count) {
    const uint8_t *first = place(), *last = row_end();
    const uint8_t *byte = first;
    auto digits = [&] {
      const uint8_t *start = byte;
      while (byte < last && is_digit(*byte)) byte++;
      return byte > start;
    };
    if (*byte == '-') byte++;
    if (byte < last && *byte == '0') {
      byte++;
    } else if (!digits()) {
      return fail(byte);
    }
    if (byte < last && *byte == '.') {
      byte++;
      if (!digits()) return fail(byte);
    }
    if (byte < last && (*byte | 0x20) == 'e') {
      byte++;
      if (byte < last && (*byte == '+' || *byte == '-')) byte++;
      if (!digits()) return fail(byte);
    }
    if (byte < last && !is_delimiter(*byte)) return fail(byte);
    count = uint32_t(byte - first);
    token++;
    return true;
  }

  // Reads `true`, `false` or `null`.
  bool literal(std::string_view text) {
    const uint8_t *first = place();
    const size_t left = size_t(row_end() - first);
    if (left < text.size() || memcmp(first, text.data(), text.size()) != 0) return fail(first);
    if (left > text.size() && !is_delimiter(first[text.size()])) return fail(first + text.size());
    token++;
    return true;
  }

  // Reads a value that is neither an object nor an array.
  bool scalar(CJSONMember &member) {
    const uint8_t *first = place();
    if (first >= row_end()) return fail(first);
    member.value_start = uint32_t(first - row.bytes);
    member.value_has_escapes = false;
    switch (*first) {
      case '"':
        member.kind = CJSONKindString;
        return string(member.value_start, member.value_count, member.value_has_escapes);
      case 't':
        member.kind = CJSONKindBoolean;
        member.value_count = 4;
        return literal("true");
      case 'f':
        member.kind = CJSONKindBoolean;
        member.value_count = 5;
        return literal("false");
      case 'n':
        member.kind = CJSONKindNull;
        member.value_count = 4;
        return literal("null");
      default:
        member.kind = CJSONKindNumber;
        return number(member.value_count);
    }
  }

  // Reads an object or array within the row. A loop, not a recursion, so that input cannot exhaust the stack.
  bool container() {
    containers.clear();
    CJSONMember ignored;
    while (true) {
      // A value starts here.
      const uint8_t byte = place() < row_end() ? *place() : 0;
      bool is_opened = false;
      if (byte == '{' || byte == '[') {
        if (containers.size() >= size_t(cjson_maximum_depth)) {
          set_problem(CJSONProblemTooDeep, place());
          return false;
        }
        containers.push_back({byte == '{', keys.size()});
        token++;
        is_opened = !is_next(byte == '{' ? '}' : ']');
      } else if (!scalar(ignored)) {
        return false;
      }
      // After a value, or at the end of an empty container.
      while (!is_opened) {
        Container &inner = containers.back();
        if (is_next(',')) {
          token++;
          break;
        }
        if (!take(inner.is_object ? '}' : ']')) return false;
        if (inner.is_object && !has_distinct_keys(inner.first_key)) return false;
        containers.pop_back();
        if (containers.empty()) return true;
      }
      if (containers.back().is_object && !key(ignored)) return false;
    }
  }

  // Reads a key and its colon.
  bool key(CJSONMember &member) {
    if (!is_next('"')) return fail(place());
    if (!string(member.key_start, member.key_count, member.key_has_escapes)) return false;
    store_key(member);
    return take(':');
  }

  // MARK: Keys

  std::string_view text(const Key &key) const {
    const uint8_t *bytes = key.unescaped < 0 ? row.bytes + key.start : unescaped.data() + key.unescaped;
    return {reinterpret_cast<const char *>(bytes), key.text_count};
  }

  // Stores a key without its escapes, to find duplicates and names.
  void store_key(const CJSONMember &member) {
    keys.push_back(Key{member.key_start, member.key_count, -1, member.key_count});
    if (!member.key_has_escapes) return;
    Key &added = keys.back();
    added.unescaped = int64_t(unescaped.size());
    unescaped.resize(unescaped.size() + member.key_count);
    added.text_count =
        uint32_t(cjson_unescape(row.bytes + member.key_start, member.key_count, unescaped.data() + added.unescaped));
    unescaped.resize(size_t(added.unescaped) + added.text_count);
  }

  // Returns whether the keys from index `first` are all different, and removes them.
  bool has_distinct_keys(size_t first) {
    const auto start = keys.begin() + ptrdiff_t(first);
    const Key *repeated = nullptr;
    if (keys.size() - first <= maximum_compared_keys) {
      for (auto key = start; key < keys.end() && !repeated; key++) {
        for (auto other = start; other < key; other++) {
          if (key->text_count == other->text_count && text(*key) == text(*other)) {
            repeated = &*key;
            break;
          }
        }
      }
    } else {
      // Sorting limits the time for any number of keys.
      std::sort(start, keys.end(), [this](const Key &a, const Key &b) {
        const int order = text(a).compare(text(b));
        return order != 0 ? order < 0 : a.start < b.start;
      });
      for (auto key = start + 1; key < keys.end() && !repeated; key++) {
        if (text(key[-1]) == text(*key)) repeated = &*key;
      }
    }
    if (repeated) {
      set_problem(CJSONProblemDuplicateKey, row.bytes + repeated->start, repeated->count);
      return false;
    }
    keys.erase(start, keys.end());
    return true;
  }

  // Reads a key and its colon if they are the same bytes as in the previous row at the same index.
  __attribute__((always_inline)) bool is_key_of_shape(CJSONMember &member) {
    if (row.member_count >= shape.size()) return false;
    const auto [start, count] = shape[row.member_count];
    const uint8_t *opened = place(), *colon = base + token[1];
    // The quote, the key, the quote and the colon; the key has neither quotes nor escapes.
    if (colon != opened + count + 2 || colon >= row_end() || *colon != ':' || colon[-1] != '"' || *opened != '"') {
      return false;
    }
    if (!is_same(opened + 1, shape_bytes.data() + start + 2, count)) return false;
    member.key_start = uint32_t(opened + 1 - row.bytes);
    member.key_count = count;
    member.key_has_escapes = false;
    token += 2;
    return true;
  }

  // Reads the next line if it has the keys of the previous row, no whitespace, and strings and numbers as values, as most
  // rows do. Returns false, and leaves the line unread, for any other one.
  bool read_row_of_shape() {
    const uint32_t *const first = token;
    const size_t count = shape.size();
    if (count == 0 || has_backslash || size_t(last_token - first) < 4 * count + 1) return false;
    const uint8_t *const bytes = row.bytes, *const text = base;
    // The brace or comma before a member, and the brace after the last one.
    const uint8_t *after = text + *first;
    if (after != bytes) return false;
    const uint32_t *at = first + 1;
    CJSONMember *member = members.data();
    for (const auto [start, key_count] : shape) {
      // A string, and so a key, has no unescaped quote: equal bytes before the value are the same key.
      const uint8_t *const value = text + at[2];
      if (value != after + key_count + 4 || !is_same(after, shape_bytes.data() + start, key_count + 4)) return false;
      const uint32_t key_place = uint32_t(after + 2 - bytes), place = uint32_t(value - bytes);
      after = text + at[3];
      if (*value == '"') {
        if (after[-1] != '"' || after - value < 2) return false;
        *member = {key_place, key_count, place + 1, uint32_t(after - value - 2), CJSONKindString, false, false};
      } else {
        token = at + 2;
        uint32_t value_count = 0;
        const bool is_number = is_digit(*value) && number(value_count) && value + value_count == after;
        token = first;
        row.problem = CJSONProblemNone;
        if (!is_number) return false;
        *member = {key_place, key_count, place, value_count, CJSONKindNumber, false, false};
      }
      member++;
      at += 4;
    }
    if (*after != '}') return false;
    const uint8_t *line_end = after + 1;
    if (line_end < chunk_end && *line_end == '\r') line_end++;
    if (line_end < chunk_end && *line_end != '\n') return false;
    row.count = size_t(line_end - bytes);
    row.values_end = size_t(after - bytes);
    row.member_count = count;
    row.names = &shape_names;
    token = at;
    this->at = line_end < chunk_end ? line_end + 1 : chunk_end;
    return true;
  }

  void store_shape() {
    shape.clear();
    shape_bytes.clear();
    for (size_t index = 0; index < row.member_count; index++) {
      const CJSONMember &member = members[index];
      if (member.key_has_escapes) return shape.clear();
      const uint8_t *key = row.bytes + member.key_start;
      shape.emplace_back(uint32_t(shape_bytes.size()), member.key_count);
      shape_bytes.push_back(index == 0 ? '{' : ',');
      shape_bytes.push_back('"');
      shape_bytes.insert(shape_bytes.end(), key, key + member.key_count);
      shape_bytes.push_back('"');
      shape_bytes.push_back(':');
    }
    shape_names = row_names;
  }

  void find_names() {
    std::fill(std::begin(row_names.member), std::end(row_names.member), -1);
    row_names.found_count = 0;
    row_names.shape++;
    for (size_t index = 0; index < row.member_count; index++) {
      for (size_t name = 0; name < names.size(); name++) {
        // The first member wins. A row with a duplicate key is rejected afterwards.
        if (row_names.member[name] >= 0 || text(keys[index]) != names[name]) continue;
        row_names.member[name] = int32_t(index);
        row_names.found[row_names.found_count++] = int32_t(name);
      }
    }
    row.names = &row_names;
  }

  // MARK: Rows

  void read() {
    keys.clear();
    unescaped.clear();
    if (*place() != '{') {
      // A malformed value is the reported problem, rather than that it is not an object.
      CJSONMember ignored;
      if (*place() == '[' ? !container() : !scalar(ignored)) return;
      if (place() < row_end()) return set_problem(CJSONProblemTrailing, place());
      return set_problem(CJSONProblemNotObject, row.bytes);
    }
    token++;
    bool is_shape = true;
    if (is_next('}')) {
      row.values_end = size_t(place() - row.bytes);
      is_shape = false;
    } else {
      while (true) {
        if (members.size() <= row.member_count) members.resize(members.size() * 2);
        CJSONMember &member = members[row.member_count];
        // Keys of the previous row's shape are not stored: if all keys have that shape, they are not needed.
        if (is_shape && !is_key_of_shape(member)) {
          is_shape = false;
          for (size_t index = 0; index < row.member_count; index++) store_key(members[index]);
        }
        if (!is_shape && !key(member)) return;
        const uint8_t *first = place();
        if (first < row_end() && (*first == '{' || *first == '[')) {
          member.value_start = uint32_t(first - row.bytes);
          member.kind = *first == '{' ? CJSONKindObject : CJSONKindArray;
          member.value_has_escapes = false;
          if (!container()) return;
          member.value_count = uint32_t(base + token[-1] + 1 - row.bytes) - member.value_start;
          row.values_end = member.value_start + member.value_count;
        } else if (first < row_end() && *first == '"') {
          member.kind = CJSONKindString;
          if (!string(member.value_start, member.value_count, member.value_has_escapes)) return;
          row.values_end = member.value_start + member.value_count + 1;
        } else {
          if (!scalar(member)) return;
          row.values_end = member.value_start + member.value_count;
        }
        row.member_count++;
        if (!is_next(',')) break;
        token++;
      }
    }
    if (!take('}')) return;
    if (place() < row_end()) return set_problem(CJSONProblemTrailing, place());
    if (is_shape && row.member_count == shape.size()) {
      row.names = &shape_names;
      return;
    }
    if (is_shape) {
      for (size_t index = 0; index < row.member_count; index++) store_key(members[index]);
    }
    find_names();
    if (!has_distinct_keys(0)) return;
    store_shape();
  }
};

// MARK: The C interface

extern "C" {

CJSONReader *cjson_reader_create(const char *const *names, int32_t count) {
  try {
    auto reader = std::make_unique<CJSONReader>();
    for (int32_t index = 0; index < std::min(count, CJSON_MAXIMUM_NAME_COUNT); index++) reader->names.emplace_back(names[index]);
    reader->members.resize(16);
    reader->row.members = reader->members.data();
    reader->row.names = &reader->row_names;
    return reader.release();
  } catch (const std::bad_alloc &) {
    return nullptr;
  }
}

void cjson_reader_free(CJSONReader *reader) { delete reader; }

void cjson_reader_start(CJSONReader *reader, const uint8_t *bytes, size_t count) {
  reader->at = reader->chunk_end = bytes;
  reader->end = bytes + count;
  reader->line = 0;
}

const CJSONRow *cjson_reader_next(CJSONReader *reader) {
  try {
    return reader->next();
  } catch (const std::bad_alloc &) {
    reader->set_problem(CJSONProblemNoMemory, reader->row.bytes);
    reader->is_chunk_indexed = false;
    return &reader->row;
  }
}

size_t cjson_reader_line_count(const CJSONReader *reader) { return reader->line; }

}  // extern "C"
