// Arrays for tests of pricetag_arrow.h. Each buffer has exactly the bytes that Arrow requires, so that the address
// sanitizer finds every access beyond them.
#ifndef ARRAYS_H
#define ARRAYS_H

#include "pricetag_arrow.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Ends the test if a condition does not hold.
#define CHECK(condition, ...)                                         \
  do {                                                                \
    if (!(condition)) {                                               \
      fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                                   \
      fputc('\n', stderr);                                            \
      abort();                                                        \
    }                                                                 \
  } while (0)

enum { MAXIMUM_BUFFERS = 8 };

// What an array of these tests owns.
typedef struct {
  const void *buffers[MAXIMUM_BUFFERS];
  struct ArrowArray *children[5];
  struct ArrowArray dictionary;
} test_array;

static inline void release_test_array(struct ArrowArray *array) {
  test_array *data = (test_array *)array->private_data;
  for (int index = 0; index < MAXIMUM_BUFFERS; index++) free((void *)(uintptr_t)data->buffers[index]);
  if (data->dictionary.release) data->dictionary.release(&data->dictionary);
  free(data);
  array->release = NULL;
}

static inline test_array *start_test_array(struct ArrowArray *array, int64_t length, int64_t offset, int64_t buffers) {
  test_array *data = (test_array *)calloc(1, sizeof *data);
  CHECK(data, "no memory");
  memset(array, 0, sizeof *array);
  array->length = length;
  array->offset = offset;
  array->null_count = -1;
  array->n_buffers = buffers;
  array->buffers = data->buffers;
  array->private_data = data;
  array->release = release_test_array;
  return data;
}

static inline void *new_buffer(size_t size) {
  void *buffer = malloc(size ? size : 1);
  CHECK(buffer, "no memory");
  memset(buffer, 0xA5, size);
  return buffer;
}

static inline void *copy_buffer(const void *bytes, size_t size) {
  void *buffer = new_buffer(size);
  if (size) memcpy(buffer, bytes, size);
  return buffer;
}

// Returns a bitmap with the bits of `is_valid` after `offset` others; NULL if all are set.
static inline uint8_t *new_bitmap(const bool *is_valid, int64_t length, int64_t offset) {
  bool has_null = false;
  for (int64_t row = 0; row < length; row++) has_null = has_null || !is_valid[row];
  if (!has_null) return NULL;
  uint8_t *bits = (uint8_t *)new_buffer((size_t)(length + offset + 7) / 8);
  for (int64_t row = 0; row < length; row++) {
    int64_t at = row + offset;
    bits[at / 8] = (uint8_t)((bits[at / 8] & ~(1 << at % 8)) | is_valid[row] << at % 8);
  }
  return bits;
}

// The sizes in bytes of the values of a format.
static inline size_t value_size(const char *format) {
  if (strncmp(format, "d:", 2) == 0) {
    const char *bits = strchr(strchr(format, ',') + 1, ',');
    return bits ? (size_t)atoi(bits + 1) / 8 : 16;
  }
  if (strcmp(format, "tdD") == 0) return 4;
  if (strcmp(format, "tdm") == 0) return 8;
  switch (format[0]) {
    case 'c':
    case 'C': return 1;
    case 's':
    case 'S': return 2;
    case 'i':
    case 'I': return 4;
    default: return 8;
  }
}

// Makes an array of texts; a NULL text is a null row. `offset` rows with other values are before them.
static inline void make_texts(struct ArrowArray *array, const char *format, const char *const *texts, int64_t length,
                              int64_t offset) {
  bool is_valid[4096];
  bool is_view = strcmp(format, "vu") == 0, is_large = format[0] == 'U';
  int64_t total = length + offset;
  CHECK(total < 4096, "too many rows");
  test_array *data = start_test_array(array, length, offset, 3);
  char *bytes = (char *)malloc(1 << 20);
  CHECK(bytes, "no memory");
  size_t end = 0;
  size_t size = is_view ? 16 : is_large ? 8 : 4;
  uint8_t *places = (uint8_t *)new_buffer(((size_t)total + !is_view) * size);
  for (int64_t row = 0; row < length; row++) is_valid[row] = texts[row] != NULL;
  for (int64_t row = 0; row <= total; row++) {
    const char *text = row < offset                         ? "rows before the offset"
                       : row < total && texts[row - offset] ? texts[row - offset]
                                                            : "";
    int32_t text_length = (int32_t)strlen(text);
    if (is_view) {
      if (row == total) break;
      uint8_t *view = places + row * 16;
      memset(view, 0, 16);
      memcpy(view, &text_length, 4);
      memcpy(view + 4, text, text_length > 12 ? 4 : (size_t)text_length);
      if (text_length > 12) {
        int32_t buffer = 1, start = (int32_t)end;
        memcpy(view + 8, &buffer, 4);
        memcpy(view + 12, &start, 4);
      }
    } else {
      int64_t start = (int64_t)end;
      int32_t short_start = (int32_t)end;
      memcpy(places + (size_t)row * size, is_large ? (void *)&start : (void *)&short_start, size);
    }
    if (row == total) break;
    memcpy(bytes + end, text, (size_t)text_length);
    end += (size_t)text_length;
  }
  data->buffers[0] = new_bitmap(is_valid, length, offset);
  data->buffers[1] = places;
  data->buffers[2] = copy_buffer(bytes, is_view ? 0 : end);
  if (is_view) {
    // The first buffer is empty, the second one has the texts.
    int64_t sizes[2] = {0, (int64_t)end};
    data->buffers[3] = copy_buffer(bytes, end);
    data->buffers[4] = copy_buffer(sizes, sizeof sizes);
    array->n_buffers = 5;
  }
  free(bytes);
}

// Makes an array of integers or decimals; INT64_MIN + 1 is a null row.
#define NULL_UNITS (INT64_MIN + 1)
static inline void make_units(struct ArrowArray *array, const char *format, const int64_t *units, int64_t length,
                              int64_t offset) {
  bool is_valid[4096];
  size_t size = value_size(format);
  CHECK(length < 4096, "too many rows");
  test_array *data = start_test_array(array, length, offset, 2);
  uint8_t *values = (uint8_t *)new_buffer((size_t)(length + offset) * size);
  for (int64_t row = 0; row < length; row++) {
    is_valid[row] = units[row] != NULL_UNITS;
    uint8_t *place = values + (size_t)(offset + row) * size;
    memset(place, units[row] < 0 ? 0xFF : 0, size);
    memcpy(place, &units[row], size < 8 ? size : 8);
  }
  data->buffers[0] = new_bitmap(is_valid, length, offset);
  data->buffers[1] = values;
}

// Makes the array into the dictionary of an array with these indices; -1 is a null row.
static inline void make_dictionary(struct ArrowArray *array, const char *format, const int64_t *indices, int64_t length,
                                   int64_t offset) {
  struct ArrowArray values = *array;
  int64_t units[4096];
  for (int64_t row = 0; row < length; row++) units[row] = indices[row] < 0 ? NULL_UNITS : indices[row];
  make_units(array, format, units, length, offset);
  test_array *data = (test_array *)array->private_data;
  data->dictionary = values;
  array->dictionary = &data->dictionary;
}

// ---- Schemas, which the caller's memory owns

static inline void release_test_schema(struct ArrowSchema *schema) { schema->release = NULL; }

static inline struct ArrowSchema make_schema(const char *format) {
  struct ArrowSchema schema;
  memset(&schema, 0, sizeof schema);
  schema.format = format;
  schema.name = "";
  schema.release = release_test_schema;
  return schema;
}

// ---- Reading results

static inline bool is_null_at(const struct ArrowArray *array, int64_t row) {
  const uint8_t *bits = (const uint8_t *)array->buffers[0];
  return bits && !(bits[row / 8] >> row % 8 & 1);
}

// Returns the text of a row of utf8, large_utf8, utf8_view or a dictionary<int8, utf8>, in static memory; NULL for
// null.
static inline const char *text_of(const struct ArrowArray *array, const char *format, int64_t row) {
  static char texts[8][2048];
  static int next;
  char *text = texts[next++ % 8];
  const char *bytes;
  int64_t start, end;
  CHECK(row >= 0 && row < array->length, "no such row");
  if (is_null_at(array, row)) return NULL;
  if (array->dictionary) {
    int8_t index = ((const int8_t *)array->buffers[1])[row];
    return text_of(array->dictionary, "u", index);
  }
  if (strcmp(format, "vu") == 0) {
    const uint8_t *view = (const uint8_t *)array->buffers[1] + row * 16;
    int32_t length, buffer, place;
    memcpy(&length, view, 4);
    memcpy(&buffer, view + 8, 4);
    memcpy(&place, view + 12, 4);
    bytes = (const char *)view + 4;
    start = 0;
    end = length;
    if (length > 12) {
      const int64_t *sizes = (const int64_t *)array->buffers[array->n_buffers - 1];
      CHECK(buffer >= 0 && buffer < array->n_buffers - 3 && place + (int64_t)length <= sizes[buffer], "a wrong view");
      bytes = (const char *)array->buffers[2 + buffer];
      CHECK(memcmp(view + 4, bytes + place, 4) == 0, "a wrong prefix");
      start = place;
      end = (int64_t)place + length;
    }
  } else {
    bool is_large = format[0] == 'U';
    bytes = (const char *)array->buffers[2];
    start = is_large ? ((const int64_t *)array->buffers[1])[row] : ((const int32_t *)array->buffers[1])[row];
    end = is_large ? ((const int64_t *)array->buffers[1])[row + 1] : ((const int32_t *)array->buffers[1])[row + 1];
  }
  CHECK(start >= 0 && end >= start && end - start < 2048, "wrong offsets");
  memcpy(text, bytes + start, (size_t)(end - start));
  text[end - start] = 0;
  return text;
}

static inline bool is_same(const char *text, const char *expected) {
  return text && expected ? strcmp(text, expected) == 0 : text == expected;
}

#endif
