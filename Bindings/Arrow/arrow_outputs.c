// Outputs: what the rows of a batch have, and the arrays and schemas of its result.
#include "arrow_internal.h"

// A dictionary of texts that are known when this file is compiled.
typedef struct {
  const char *bytes;
  int32_t count;
  int32_t offsets[24];
} text_list;

#define TEXT_OF(name, text, status) text
#define FIELD_OF(name, text, status) char name[sizeof text - 1];
#define OFFSET_OF(name, text, status) offsetof(struct error_bytes, name),
struct error_bytes {
  ERROR_CODES(FIELD_OF)
};
// The index of a code is the code less one.
static const text_list error_list = {
    ERROR_CODES(TEXT_OF), ERROR_COUNT - 1, {ERROR_CODES(OFFSET_OF) sizeof(struct error_bytes)}};
static const text_list direction_list = {"ltrrtl", 2, {0, 3, 6}};
// In the order of the kinds of pricetag_part.
static const text_list part_list = {
    "literalsymbolintegergroupdecimalfractionsigncompactqualifierunit", 10, {0, 7, 13, 20, 25, 32, 40, 44, 51, 60, 64}};

// ---- Arrays

// What a result owns. Buffers of dictionaries are constants of this file.
typedef struct {
  bool owns_buffers;
  const void **buffers;
  struct ArrowArray children[PRICETAG_ARROW_OUTPUTS];
  struct ArrowArray *child_pointers[PRICETAG_ARROW_OUTPUTS];
  struct ArrowArray dictionary;
} array_data;

static void release_array(struct ArrowArray *array) {
  array_data *data = array->private_data;
  if (data->owns_buffers) {
    for (int64_t index = 0; index < array->n_buffers; index++) free((void *)(uintptr_t)data->buffers[index]);
  }
  // A child that was moved has no release callback here.
  for (int64_t index = 0; index < array->n_children; index++) {
    if (data->children[index].release) data->children[index].release(&data->children[index]);
  }
  if (data->dictionary.release) data->dictionary.release(&data->dictionary);
  free(data->buffers);
  free(data);
  array->release = NULL;
}

// Makes an array without buffers and children, which can be released from now on.
static bool start_array(struct ArrowArray *array, int64_t length, int64_t buffers, int64_t children,
                        bool has_dictionary) {
  memset(array, 0, sizeof *array);
  array_data *data = calloc(1, sizeof *data);
  if (!data) return false;
  data->owns_buffers = true;
  data->buffers = calloc((size_t)buffers + 1, sizeof *data->buffers);
  if (!data->buffers) {
    free(data);
    return false;
  }
  array->length = length;
  array->n_buffers = buffers;
  array->buffers = data->buffers;
  array->n_children = children;
  for (int64_t index = 0; index < children; index++) data->child_pointers[index] = &data->children[index];
  array->children = children ? data->child_pointers : NULL;
  array->dictionary = has_dictionary ? &data->dictionary : NULL;
  array->private_data = data;
  array->release = release_array;
  return true;
}

// An array of int8 indices, whose dictionary is a list of texts.
static bool start_dictionary(struct ArrowArray *array, int64_t length, const text_list *list) {
  if (!start_array(array, length, 2, 0, true)) return false;
  if (!start_array(array->dictionary, list->count, 3, 0, false)) return false;
  array_data *data = array->dictionary->private_data;
  data->owns_buffers = false;
  data->buffers[1] = list->offsets;
  data->buffers[2] = list->bytes;
  return true;
}

static void set_buffer(struct ArrowArray *array, int index, void *buffer) {
  array_data *data = array->private_data;
  data->buffers[index] = buffer;
}

// Moves text into an array that was started with it.
static bool set_text(struct ArrowArray *array, text_builder *text) {
  array_data *data = array->private_data;
  if (text->layout == PRICETAG_ARROW_UTF8_VIEW) {
    if (!arrow_finish_block(text)) return false;
    size_t count = text->block_count + 3;
    const void **buffers = calloc(count, sizeof *buffers);
    if (!buffers) return false;
    free(data->buffers);
    data->buffers = array->buffers = buffers;
    array->n_buffers = (int64_t)count;
    for (size_t index = 0; index < text->block_count; index++) buffers[2 + index] = text->blocks[index];
    buffers[count - 1] = text->block_sizes;
    text->block_sizes = NULL;
    text->block_count = 0;
  } else {
    arrow_shrink_text(text);
    data->buffers[2] = text->bytes;
    text->bytes = NULL;
  }
  data->buffers[1] = text->places;
  text->places = NULL;
  arrow_free_text(text);
  return true;
}

// ---- Schemas

typedef struct {
  struct ArrowSchema children[PRICETAG_ARROW_OUTPUTS];
  struct ArrowSchema *child_pointers[PRICETAG_ARROW_OUTPUTS];
  struct ArrowSchema dictionary;
} schema_data;

static void release_schema(struct ArrowSchema *schema) {
  schema_data *data = schema->private_data;
  for (int64_t index = 0; index < schema->n_children; index++) {
    if (data->children[index].release) data->children[index].release(&data->children[index]);
  }
  if (data->dictionary.release) data->dictionary.release(&data->dictionary);
  free(data);
  schema->release = NULL;
}

static bool start_schema(struct ArrowSchema *schema, const char *name, const char *format, int64_t flags,
                         int64_t children) {
  memset(schema, 0, sizeof *schema);
  schema_data *data = calloc(1, sizeof *data);
  if (!data) return false;
  for (int64_t index = 0; index < children; index++) data->child_pointers[index] = &data->children[index];
  schema->format = format;
  schema->name = name;
  schema->flags = flags;
  schema->n_children = children;
  schema->children = children ? data->child_pointers : NULL;
  schema->private_data = data;
  schema->release = release_schema;
  return true;
}

static bool start_dictionary_schema(struct ArrowSchema *schema, const char *name, int64_t flags) {
  if (!start_schema(schema, name, "c", flags, 0)) return false;
  schema_data *data = schema->private_data;
  schema->dictionary = &data->dictionary;
  return start_schema(schema->dictionary, "", "u", ARROW_FLAG_NULLABLE, 0);
}

static bool start_output_schema(struct ArrowSchema *schema, const pricetag_arrow_plan *plan, uint8_t output) {
  int32_t text = plan->text;
  const char *value = plan->reading ? "amount" : "display";
  const char *format = text == PRICETAG_ARROW_UTF8_VIEW ? "vu" : text == PRICETAG_ARROW_LARGE_UTF8 ? "U" : "u";
  switch (output) {
    case PRICETAG_ARROW_DISPLAY: return start_schema(schema, value, format, ARROW_FLAG_NULLABLE, 0);
    case PRICETAG_ARROW_SPOKEN: return start_schema(schema, "spoken", format, ARROW_FLAG_NULLABLE, 0);
    case PRICETAG_ARROW_ERROR: return start_dictionary_schema(schema, "error", ARROW_FLAG_NULLABLE);
    case PRICETAG_ARROW_DIRECTION: return start_dictionary_schema(schema, "direction", ARROW_FLAG_NULLABLE);
    default:
      return start_schema(schema, "parts", "+l", ARROW_FLAG_NULLABLE, 1) &&
             start_schema(schema->children[0], "item", "+s", 0, 2) &&
             start_dictionary_schema(schema->children[0]->children[0], "type", 0) &&
             start_schema(schema->children[0]->children[1], "value", "u", 0, 0);
  }
}

int32_t pricetag_arrow_plan_schema(const pricetag_arrow_plan *plan, struct ArrowSchema *schema,
                                   pricetag_arrow_error *error) {
  if (!plan || !schema)
    return arrow_fail(error, PRICETAG_INVALID_ARGUMENT, "pass it", "the plan or the schema is NULL");
  struct ArrowSchema result;
  bool is_complete = start_schema(&result, "", "+s", 0, plan->output_count);
  if (!is_complete) return arrow_out_of_memory(error);
  for (int index = 0; index < plan->output_count && is_complete; index++) {
    is_complete = start_output_schema(result.children[index], plan, plan->outputs[index]);
  }
  if (!is_complete) {
    result.release(&result);
    return arrow_out_of_memory(error);
  }
  *schema = result;
  return PRICETAG_OK;
}

// ---- Rows

void arrow_free_outputs(outputs *out) {
  free(out->validity);
  free(out->error_validity);
  free(out->errors);
  free(out->directions);
  free(out->part_offsets);
  free(out->part_kinds);
  arrow_free_text(&out->display);
  arrow_free_text(&out->spoken);
  arrow_free_text(&out->values);
}

static size_t bitmap_size(int64_t count) { return ((size_t)count + 7) / 8 + 1; }

bool arrow_start_outputs(outputs *out, const pricetag_arrow_plan *plan, int64_t count) {
  memset(out, 0, sizeof *out);
  out->count = count;
  // Without the output, the buffer of the display is for the price of one row.
  if (!arrow_start_text(&out->display, plan->text, plan->wants[PRICETAG_ARROW_DISPLAY] ? count : 0)) return false;
  if (plan->wants[PRICETAG_ARROW_SPOKEN] && !arrow_start_text(&out->spoken, plan->text, count)) return false;
  if (plan->wants[PRICETAG_ARROW_DIRECTION] && !(out->directions = calloc((size_t)count + 1, 1))) return false;
  if (plan->wants[PRICETAG_ARROW_PARTS]) {
    if (!arrow_start_text(&out->values, PRICETAG_ARROW_UTF8, 0)) return false;
    out->part_offsets = calloc((size_t)count + 1, sizeof *out->part_offsets);
    if (!out->part_offsets) return false;
  }
  return true;
}

bool arrow_append_null(outputs *out, const pricetag_arrow_plan *plan, int64_t row, uint8_t error) {
  if (!out->validity) {
    out->validity = malloc(bitmap_size(out->count));
    if (!out->validity) return false;
    memset(out->validity, 0xFF, bitmap_size(out->count));
  }
  out->validity[row >> 3] &= (uint8_t)~(1u << (row & 7));
  out->null_count++;
  if (plan->wants[PRICETAG_ARROW_DISPLAY]) append_length(&out->display, row, 0);
  if (plan->wants[PRICETAG_ARROW_SPOKEN]) append_length(&out->spoken, row, 0);
  if (plan->wants[PRICETAG_ARROW_PARTS]) out->part_offsets[row + 1] = (int32_t)out->part_count;
  if (!error || !plan->wants[PRICETAG_ARROW_ERROR]) return true;
  if (!out->errors) {
    out->error_validity = calloc(bitmap_size(out->count), 1);
    out->errors = calloc((size_t)out->count + 1, 1);
    if (!out->error_validity || !out->errors) return false;
  }
  out->error_validity[row >> 3] |= (uint8_t)(1u << (row & 7));
  out->errors[row] = (int8_t)(error - 1);
  out->error_count++;
  return true;
}

enum { MAXIMUM_PARTS = 128 };

// Makes room for a price's parts, and their values.
static bool reserve_parts(outputs *out, size_t count, size_t bytes) {
  if (!reserve(&out->values, bytes)) return false;
  int64_t needed = out->part_count + (int64_t)count;
  if (needed <= out->part_capacity) return true;
  int64_t capacity = out->part_capacity ? out->part_capacity * 2 : 1024;
  if (capacity < needed) capacity = needed;
  int8_t *kinds = realloc(out->part_kinds, (size_t)capacity);
  if (!kinds) return false;
  out->part_kinds = kinds;
  uint8_t *offsets = realloc(out->values.places, ((size_t)capacity + 1) * 4);
  if (!offsets) return false;
  out->values.places = offsets;
  out->part_capacity = capacity;
  return true;
}

int32_t arrow_too_large(pricetag_arrow_error *error, bool is_of_parts) {
  return arrow_fail(error, PRICETAG_ARROW_RESULT_TOO_LARGE,
                    is_of_parts ? "pass smaller batches" : "pass smaller batches, or request text as utf8_view",
                    "the text of the batch has more than 2,147,483,647 bytes");
}

int32_t arrow_append_forms(outputs *out, const pricetag_arrow_plan *plan, const entry *formatters, int64_t row,
                           int64_t units, int32_t exponent, const char *display, uint8_t *row_error,
                           pricetag_arrow_error *error) {
  int32_t status = PRICETAG_OK, direction = PRICETAG_LEFT_TO_RIGHT;
  size_t spoken_length = 0, part_count = 0;
  pricetag_part parts[MAXIMUM_PARTS];
  if (plan->wants[PRICETAG_ARROW_SPOKEN]) {
    if (!reserve(&out->spoken, formatters->spoken_capacity)) return arrow_out_of_memory(error);
    status = pricetag_format_units(formatters->spoken, units, exponent, plan->rounding,
                                   out->spoken.bytes + out->spoken.length, formatters->spoken_capacity, &spoken_length);
  }
  if (status == PRICETAG_OK && plan->wants[PRICETAG_ARROW_DIRECTION]) {
    status = pricetag_direction(formatters->formatter, units, exponent, plan->rounding, &direction);
  }
  if (status == PRICETAG_OK && plan->wants[PRICETAG_ARROW_PARTS]) {
    status = pricetag_parts(formatters->formatter, units, exponent, plan->rounding, parts, MAXIMUM_PARTS, &part_count);
    if (status == PRICETAG_OK && part_count > MAXIMUM_PARTS) status = PRICETAG_INVALID_ARGUMENT;
  }
  if (status != PRICETAG_OK) {
    *row_error = arrow_error_of(status);
    return PRICETAG_OK;
  }
  if (plan->wants[PRICETAG_ARROW_SPOKEN] && !append_length(&out->spoken, row, spoken_length)) {
    return arrow_too_large(error, false);
  }
  if (plan->wants[PRICETAG_ARROW_DIRECTION]) out->directions[row] = direction == PRICETAG_RIGHT_TO_LEFT;
  if (plan->wants[PRICETAG_ARROW_PARTS]) {
    if (!reserve_parts(out, part_count, formatters->capacity)) return arrow_out_of_memory(error);
    for (size_t index = 0; index < part_count; index++) {
      size_t length = parts[index].end - parts[index].start;
      memcpy(out->values.bytes + out->values.length, display + parts[index].start, length);
      out->part_kinds[out->part_count] = (int8_t)parts[index].kind;
      if (!append_length(&out->values, out->part_count, length)) return arrow_too_large(error, true);
      out->part_count++;
    }
    if (out->part_count > INT32_MAX) return arrow_too_large(error, true);
    out->part_offsets[row + 1] = (int32_t)out->part_count;
  }
  return PRICETAG_OK;
}

// ---- Results

// Returns a copy of a bitmap, which is NULL if there are no nulls.
static bool copy_validity(struct ArrowArray *array, const outputs *out) {
  array->null_count = out->null_count;
  if (out->null_count == 0) return true;
  uint8_t *copy = malloc(bitmap_size(out->count));
  if (!copy) return false;
  memcpy(copy, out->validity, bitmap_size(out->count));
  set_buffer(array, 0, copy);
  return true;
}

// Moves an output into an array. The array owns what it has, also after a failure.
static bool finish_output(struct ArrowArray *array, uint8_t output, outputs *out, int32_t layout) {
  int64_t text_buffers = layout == PRICETAG_ARROW_UTF8_VIEW ? 2 : 3;
  switch (output) {
    case PRICETAG_ARROW_DISPLAY:
    case PRICETAG_ARROW_SPOKEN:
      return start_array(array, out->count, text_buffers, 0, false) &&
             set_text(array, output == PRICETAG_ARROW_DISPLAY ? &out->display : &out->spoken) &&
             copy_validity(array, out);
    case PRICETAG_ARROW_ERROR:
      if (!out->error_validity) out->error_validity = calloc(bitmap_size(out->count), 1);
      if (!out->errors) out->errors = calloc((size_t)out->count + 1, 1);
      if (!out->error_validity || !out->errors || !start_dictionary(array, out->count, &error_list)) return false;
      array->null_count = out->count - out->error_count;
      set_buffer(array, 0, out->error_validity);
      set_buffer(array, 1, out->errors);
      out->error_validity = NULL;
      out->errors = NULL;
      return true;
    case PRICETAG_ARROW_DIRECTION:
      if (!start_dictionary(array, out->count, &direction_list)) return false;
      set_buffer(array, 1, out->directions);
      out->directions = NULL;
      return copy_validity(array, out);
    default: {
      if (!reserve_parts(out, 1, 0) || !start_array(array, out->count, 2, 1, false)) return false;
      set_buffer(array, 1, out->part_offsets);
      out->part_offsets = NULL;
      struct ArrowArray *item = array->children[0];
      if (!copy_validity(array, out) || !start_array(item, out->part_count, 1, 2, false) ||
          !start_dictionary(item->children[0], out->part_count, &part_list)) {
        return false;
      }
      set_buffer(item->children[0], 1, out->part_kinds);
      out->part_kinds = NULL;
      return start_array(item->children[1], out->part_count, 3, 0, false) && set_text(item->children[1], &out->values);
    }
  }
}

bool arrow_finish_outputs(struct ArrowArray *result, const pricetag_arrow_plan *plan, outputs *out) {
  struct ArrowArray made;
  if (!start_array(&made, out->count, 1, plan->output_count, false)) return false;
  for (int index = 0; index < plan->output_count; index++) {
    if (finish_output(made.children[index], plan->outputs[index], out, plan->text)) continue;
    made.release(&made);
    return false;
  }
  *result = made;
  return true;
}
