// Reading columns: the checks of arrays and their buffers, and the text at a place.
#include "arrow_internal.h"

static int64_t buffer_count_of(uint8_t type) {
  switch (type) {
    case TYPE_NULL: return 0;
    case TYPE_TEXT:
    case TYPE_LARGE_TEXT: return 3;
    default: return 2;
  }
}

// Checks what all arrays have in common, and reads the null bitmap.
static int32_t check_array(const struct ArrowArray *array, uint8_t type, const char *name, const char *part,
                           const uint8_t **validity, pricetag_arrow_error *error) {
  if (!array) return arrow_invalid(error, "%s: the %s is NULL", name, part);
  if (!array->release) {
    return arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, "pass the array before it is released or moved",
                      "%s: the %s was released", name, part);
  }
  // Places of up to 32 bytes fit into the memory.
  if (array->length < 0 || array->offset < 0 || array->length > INT64_MAX / 64 || array->offset > INT64_MAX / 64) {
    return arrow_invalid(error, "%s: the %s has the length %" PRId64 " and the offset %" PRId64, name, part,
                         array->length, array->offset);
  }
  if (array->null_count < -1 || array->null_count > array->length) {
    return arrow_invalid(error, "%s: the %s has %" PRId64 " nulls in %" PRId64 " rows", name, part, array->null_count,
                         array->length);
  }
  int64_t count = buffer_count_of(type);
  bool has_count = type == TYPE_TEXT_VIEW ? array->n_buffers >= 3
                   // Some producers have a null bitmap here.
                   : type == TYPE_NULL ? array->n_buffers >= 0 && array->n_buffers <= 1
                                       : array->n_buffers == count;
  if (!has_count) {
    return arrow_invalid(error, "%s: the %s has %" PRId64 " buffers, not %s%" PRId64, name, part, array->n_buffers,
                         type == TYPE_TEXT_VIEW ? "at least " : "", type == TYPE_TEXT_VIEW ? 3 : count);
  }
  if (array->n_children != 0) {
    return arrow_invalid(error, "%s: the %s has %" PRId64 " children, not 0", name, part, array->n_children);
  }
  *validity = NULL;
  if (type == TYPE_NULL) return PRICETAG_OK;
  if (!array->buffers) return arrow_invalid(error, "%s: the buffers of the %s are NULL", name, part);
  if (array->null_count != 0) {
    *validity = array->buffers[0];
    if (!*validity && array->null_count > 0) {
      return arrow_invalid(error, "%s: the %s has %" PRId64 " nulls and no null bitmap", name, part, array->null_count);
    }
  }
  return PRICETAG_OK;
}

// Reads the buffers of values. `array` has been checked.
static int32_t read_values(column *read, const struct ArrowArray *array, const char *name, const char *part,
                           pricetag_arrow_error *error) {
  if (read->values_type == TYPE_NULL) return PRICETAG_OK;
  read->values = array->buffers[1];
  bool is_empty = array->length == 0;
  if (!read->values && !is_empty) return arrow_invalid(error, "%s: buffer 1 of the %s is NULL", name, part);
  if (read->values_type == TYPE_TEXT || read->values_type == TYPE_LARGE_TEXT) {
    read->bytes = array->buffers[2];
    if (is_empty) return PRICETAG_OK;
    int64_t end = array->offset + array->length;
    read->last_offset = read->values_type == TYPE_TEXT ? load_int32(read->values, end) : load_int64(read->values, end);
    if (read->last_offset < 0 || (read->last_offset > 0 && !read->bytes)) {
      return arrow_invalid(error, "%s: the last offset of the %s is %" PRId64 "%s", name, part, read->last_offset,
                           read->last_offset < 0 ? "" : ", and its text is NULL");
    }
  } else if (read->values_type == TYPE_TEXT_VIEW) {
    read->view_count = array->n_buffers - 3;
    read->view_buffers = array->buffers + 2;
    if (read->view_count > 0) {
      read->view_sizes = array->buffers[array->n_buffers - 1];
      if (!read->view_sizes) return arrow_invalid(error, "%s: the sizes of the %s's buffers are NULL", name, part);
    }
  }
  return PRICETAG_OK;
}

int32_t arrow_read_column(const pricetag_arrow_plan *plan, int argument, const struct ArrowArray *array, int64_t start,
                          int64_t count, column *read, pricetag_arrow_error *error) {
  column_type type = plan->types[argument];
  memset(read, 0, sizeof *read);
  read->argument = argument == PRICETAG_ARROW_AMOUNT && plan->reading ? READ_TEXT : argument;
  const char *name = arrow_argument_names[read->argument];
  read->values_type = type.values;
  read->indices_type = type.indices;
  read->scale = type.scale;
  int32_t status = check_array(array, type.indices ? type.indices : type.values, name, "array", &read->validity, error);
  if (status != PRICETAG_OK) return status;
  if (start < 0 || start > array->length || count > array->length - start) {
    return arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, "pass columns of the same length",
                      "%s: the array has %" PRId64 " rows, which are not enough for the %" PRId64
                      " rows from row %" PRId64,
                      name, array->length, count, start);
  }
  read->first = array->offset + start;
  if (!type.indices) {
    if (array->dictionary) return arrow_invalid(error, "%s: the array has a dictionary, and its schema none", name);
    return read_values(read, array, name, "array", error);
  }
  read->indices = array->buffers[1];
  if (!read->indices && array->length > 0) {
    return arrow_invalid(error, "%s: buffer 1 of the array is NULL", name);
  }
  const struct ArrowArray *dictionary = array->dictionary;
  status = check_array(dictionary, type.values, name, "dictionary", &read->values_validity, error);
  if (status != PRICETAG_OK) return status;
  if (dictionary->dictionary) return arrow_invalid(error, "%s: the dictionary has a dictionary", name);
  read->values_first = dictionary->offset;
  read->values_count = dictionary->length;
  return read_values(read, dictionary, name, "dictionary", error);
}

int32_t arrow_refuse_index(const column *read, int64_t row, pricetag_arrow_error *error) {
  return arrow_invalid(error, "%s, row %" PRId64 ": the index is outside the dictionary, which has %" PRId64 " values",
                       arrow_argument_names[read->argument], row, read->values_count);
}

bool arrow_text_at(const column *read, int64_t place, int64_t row, const char **text, size_t *length,
                   pricetag_arrow_error *error) {
  const char *name = arrow_argument_names[read->argument];
  int64_t start, end;
  if (read->values_type == TYPE_TEXT_VIEW) {
    const uint8_t *view = read->values + (size_t)place * 16;
    int32_t size = load_int32(view, 0);
    if (size >= 0 && size <= 12) {
      *text = (const char *)view + 4;
      *length = (size_t)size;
      return true;
    }
    int32_t buffer = load_int32(view, 2);
    start = load_int32(view, 3);
    if (size >= 0 && start >= 0 && buffer >= 0 && buffer < read->view_count && read->view_buffers[buffer]) {
      int64_t limit = load_int64(read->view_sizes, buffer);
      if (start <= limit && size <= limit - start) {
        *text = (const char *)read->view_buffers[buffer] + start;
        *length = (size_t)size;
        return true;
      }
    }
    arrow_invalid(error,
                  "%s, row %" PRId64 ": the view has %" PRId32 " bytes at %" PRId64 " of buffer %" PRId32
                  ", which does not have them",
                  name, row, size, start, buffer);
    return false;
  }
  if (read->values_type == TYPE_TEXT) {
    start = load_int32(read->values, place);
    end = load_int32(read->values, place + 1);
  } else {
    start = load_int64(read->values, place);
    end = load_int64(read->values, place + 1);
  }
  if (start < 0 || end < start || end > read->last_offset) {
    arrow_invalid(error,
                  "%s, row %" PRId64 ": the offsets are %" PRId64 " and %" PRId64 ", and the last offset is %" PRId64,
                  name, row, start, end, read->last_offset);
    return false;
  }
  *text = read->bytes ? read->bytes + start : "";
  *length = (size_t)(end - start);
  return true;
}
