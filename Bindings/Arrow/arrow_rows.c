// Rows: the amounts of columns, the loops over a batch, and the functions that format one.
#include "arrow_internal.h"

#include "../C/pricetag_shared.h"

enum { AMOUNT_INVALID = -1, AMOUNT_NULL, AMOUNT_UNITS, AMOUNT_TEXT, AMOUNT_TOO_LARGE };

typedef struct {
  int64_t units;
  int32_t exponent;
  const char *text;
  size_t length;
} amount_value;

// Brings decimals into the range of amounts: removes zeros at the end of the fraction, or adds those of a negative
// scale.
static int bounded_decimal(const uint64_t limbs[4], int32_t scale, amount_value *amount) {
  uint64_t digits[4];
  bool is_negative = limbs[3] >> 63;
  uint64_t carry = is_negative;
  for (int index = 0; index < 4; index++) {
    digits[index] = (is_negative ? ~limbs[index] : limbs[index]) + carry;
    carry = carry && digits[index] == 0;
  }
  if (!(digits[0] | digits[1] | digits[2] | digits[3])) {
    amount->units = amount->exponent = 0;
    return AMOUNT_UNITS;
  }
  const uint64_t limit = (uint64_t)INT64_MAX + is_negative;
  while (scale > 18 || digits[1] || digits[2] || digits[3] || digits[0] > limit) {
    if (scale <= 0) return AMOUNT_TOO_LARGE;
    unsigned __int128 rest = 0;
    for (int index = 3; index >= 0; index--) {
      rest = rest << 64 | digits[index];
      digits[index] = (uint64_t)(rest / 10);
      rest %= 10;
    }
    if (rest) return AMOUNT_TOO_LARGE;
    scale--;
  }
  for (; scale < 0; scale++) {
    if (digits[0] > limit / 10) return AMOUNT_TOO_LARGE;
    digits[0] *= 10;
  }
  amount->units = (int64_t)(is_negative ? 0 - digits[0] : digits[0]);
  amount->exponent = scale;
  return AMOUNT_UNITS;
}

static int decimal_at(const column *read, int64_t place, amount_value *amount) {
  uint64_t limbs[4];
  int count = 1;
  switch (read->values_type) {
    case TYPE_DECIMAL32: limbs[0] = (uint64_t)(int64_t)load_int32(read->values, place); break;
    case TYPE_DECIMAL64: limbs[0] = load_uint64(read->values, place); break;
    case TYPE_DECIMAL128:
      limbs[0] = load_uint64(read->values, place * 2);
      limbs[1] = load_uint64(read->values, place * 2 + 1);
      count = 2;
      break;
    default:
      for (count = 0; count < 4; count++) limbs[count] = load_uint64(read->values, place * 4 + count);
  }
  for (; count < 4; count++) limbs[count] = limbs[count - 1] >> 63 ? UINT64_MAX : 0;
  uint64_t extension = limbs[0] >> 63 ? UINT64_MAX : 0;
  if (limbs[1] == extension && limbs[2] == extension && limbs[3] == extension && read->scale >= 0 &&
      read->scale <= 18) {
    amount->units = (int64_t)limbs[0];
    amount->exponent = read->scale;
    return AMOUNT_UNITS;
  }
  return bounded_decimal(limbs, read->scale, amount);
}

// Reads a row's amount. The exponent of integers is set by the caller.
static inline int amount_at(const column *read, int64_t row, amount_value *amount, pricetag_arrow_error *error) {
  int64_t place;
  int found = locate(read, row, &place, error);
  if (found != IS_VALUE) return found == IS_NULL ? AMOUNT_NULL : AMOUNT_INVALID;
  switch (read->values_type) {
    case TYPE_INT64: amount->units = load_int64(read->values, place); return AMOUNT_UNITS;
    case TYPE_INT32: amount->units = load_int32(read->values, place); return AMOUNT_UNITS;
    case TYPE_INT16: amount->units = load_int16(read->values, place); return AMOUNT_UNITS;
    case TYPE_INT8: amount->units = load_int8(read->values, place); return AMOUNT_UNITS;
    case TYPE_UINT32: amount->units = load_uint32(read->values, place); return AMOUNT_UNITS;
    case TYPE_UINT16: amount->units = load_uint16(read->values, place); return AMOUNT_UNITS;
    case TYPE_UINT8: amount->units = load_uint8(read->values, place); return AMOUNT_UNITS;
    case TYPE_UINT64: {
      uint64_t value = load_uint64(read->values, place);
      amount->units = (int64_t)(value & INT64_MAX);
      return value > INT64_MAX ? AMOUNT_TOO_LARGE : AMOUNT_UNITS;
    }
    case TYPE_TEXT:
    case TYPE_LARGE_TEXT:
    case TYPE_TEXT_VIEW:
      return arrow_text_at(read, place, row, &amount->text, &amount->length, error) ? AMOUNT_TEXT : AMOUNT_INVALID;
    default: return decimal_at(read, place, amount);
  }
}

// The columns of a batch, and the null bitmap of its struct array.
typedef struct {
  column amount;
  key_reader keys;
  const uint8_t *validity;
  int64_t validity_first;
} inputs;

// Formats all rows of a constant formatter and integers without nulls.
static int32_t format_plain(const pricetag_arrow_plan *plan, const column *amount, outputs *out,
                            pricetag_arrow_error *error) {
  const entry *formatters = &plan->uncached;
  text_builder *text = &out->display;
  const uint8_t *units = amount->values + (size_t)amount->first * 8;
  int64_t row = 0;
  while (row < out->count) {
    // At least one price fits. A call returns what fits, and offsets that start with 0.
    if (!reserve(text, formatters->capacity)) return arrow_out_of_memory(error);
    size_t done = 0;
    int32_t *offsets = (int32_t *)(void *)text->places + row;
    int32_t start = *offsets;
    int32_t status = pricetag_format_column(formatters->formatter, (const int64_t *)(const void *)units + row,
                                            (size_t)(out->count - row), formatters->exponent, plan->rounding,
                                            text->bytes + text->length, text->capacity - text->length, offsets, &done);
    for (size_t index = 0; index <= done; index++) {
      int64_t end = (int64_t)offsets[index] + start;
      if (end > MAXIMUM_UTF8) return arrow_too_large(error, false);
      offsets[index] = (int32_t)end;
    }
    text->length = (size_t)offsets[done];
    row += (int64_t)done;
    if (status == PRICETAG_BUFFER_TOO_SMALL) {
      // The rest of the buffer may be smaller than a price.
      if (!arrow_grow_text(text, formatters->capacity)) return arrow_out_of_memory(error);
    } else if (status != PRICETAG_OK) {
      if (!arrow_append_null(out, plan, row, arrow_error_of(status))) return arrow_out_of_memory(error);
      row++;
    }
  }
  return PRICETAG_OK;
}

// Finds the entry of a row whose only key is a dictionary or text, without nulls; NULL if no row before had its key.
static inline const entry *known_entry(const pricetag_arrow_plan *plan, const column *key, int64_t row) {
  int64_t at = key->first + row, index;
  uint32_t place;
  if (key->indices_type) {
    if (!index_at(key, at, &index)) return NULL;
    // The first place of the map is that of nulls.
    place = plan->map[index + 1];
  } else {
    const char *text;
    size_t length;
    pricetag_arrow_error unused;
    if (!arrow_text_at(key, at, row, &text, &length, &unused) || length >= 8) return NULL;
    uint64_t word = key_word(text, length);
    place = arrow_find_entry(plan, &word, 1);
  }
  return place == NO_ENTRY ? NULL : &plan->entries[place];
}

// Formats int64 amounts by one column of keys, with less work for a row than format_rows.
static int32_t format_keyed(pricetag_arrow_plan *plan, inputs *in, outputs *out, pricetag_arrow_error *error) {
  const column *amount = &in->amount, *key = &in->keys.keys[0];
  text_builder *text = &out->display;
  int32_t *offsets = (int32_t *)(void *)text->places;
  for (int64_t row = 0; row < out->count; row++) {
    int32_t status = PRICETAG_OK;
    const entry *formatters = known_entry(plan, key, row);
    if (!formatters) formatters = arrow_entry_at(&in->keys, row, &status, error);
    if (!formatters) return status;
    uint8_t row_error = formatters->error ? formatters->error : formatters->amount_error;
    if (!row_error) {
      size_t length = 0;
      if (!reserve(text, formatters->capacity)) return arrow_out_of_memory(error);
      status = pricetag_format_units(formatters->formatter, load_int64(amount->values, amount->first + row),
                                     formatters->exponent, plan->rounding, text->bytes + text->length,
                                     formatters->capacity, &length);
      if (status == PRICETAG_OK) {
        text->length += length;
        if (text->length > MAXIMUM_UTF8) return arrow_too_large(error, false);
        offsets[row + 1] = (int32_t)text->length;
        continue;
      }
      row_error = arrow_error_of(status);
    }
    if (!arrow_append_null(out, plan, row, row_error)) return arrow_out_of_memory(error);
  }
  return PRICETAG_OK;
}

// Returns whether the amounts are int64 without nulls, and the only output of text is `display`, as utf8.
static bool is_simple(const pricetag_arrow_plan *plan, const inputs *in) {
  const column *amount = &in->amount;
  if (!plan->wants[PRICETAG_ARROW_DISPLAY] || plan->text != PRICETAG_ARROW_UTF8) return false;
  for (int output = PRICETAG_ARROW_SPOKEN; output <= PRICETAG_ARROW_OUTPUTS; output++) {
    if (plan->wants[output]) return false;
  }
  return amount->values_type == TYPE_INT64 && !amount->indices_type && !amount->validity && !in->validity &&
         amount->values;
}

static bool is_plain(const pricetag_arrow_plan *plan, const inputs *in) {
  return is_simple(plan, in) && plan->key_count == 0 && (uintptr_t)in->amount.values % sizeof(int64_t) == 0;
}

static bool is_keyed(const pricetag_arrow_plan *plan, const inputs *in) {
  const column *key = &in->keys.keys[0];
  return is_simple(plan, in) && plan->key_count == 1 && !key->validity &&
         (key->indices_type ? in->keys.has_map && key->values_type != TYPE_NULL : is_text(key->values_type));
}

static int32_t format_rows(pricetag_arrow_plan *plan, inputs *in, outputs *out, pricetag_arrow_error *error) {
  const bool has_forms =
      plan->wants[PRICETAG_ARROW_SPOKEN] || plan->wants[PRICETAG_ARROW_DIRECTION] || plan->wants[PRICETAG_ARROW_PARTS];
  const bool has_integers = is_integer(in->amount.values_type);
  const bool has_display = plan->wants[PRICETAG_ARROW_DISPLAY];
  const bool is_constant = !plan->types[PRICETAG_ARROW_AMOUNT].values;
  text_builder *display = &out->display;
  amount_value amount = {plan->constant_units, plan->constant_exponent, plan->constants[PRICETAG_ARROW_AMOUNT], 0};
  if (amount.text) amount.length = strlen(amount.text);
  for (int64_t row = 0; row < out->count; row++) {
    int kind = AMOUNT_UNITS;
    if (in->validity && !is_bit_set(in->validity, in->validity_first + row)) {
      kind = AMOUNT_NULL;
    } else if (!is_constant) {
      kind = amount_at(&in->amount, row, &amount, error);
      if (kind == AMOUNT_INVALID) return PRICETAG_ARROW_INVALID_ARRAY;
    }
    uint8_t row_error = NO_ERROR;
    if (kind == AMOUNT_NULL) {
      if (!arrow_append_null(out, plan, row, NO_ERROR)) return arrow_out_of_memory(error);
      continue;
    }
    int32_t status = PRICETAG_OK;
    const entry *formatters = arrow_entry_at(&in->keys, row, &status, error);
    if (!formatters) return status;
    size_t length = 0;
    if (formatters->error) {
      row_error = formatters->error;
    } else if (kind == AMOUNT_TOO_LARGE) {
      row_error = AMOUNT_OUT_OF_RANGE;
    } else if (formatters->amount_error) {
      row_error = formatters->amount_error;
    } else if (plan->reading) {
      if (!reserve(display, PRICETAG_AMOUNT_TEXT)) return arrow_out_of_memory(error);
      int32_t mode = plan->reading == PRICETAG_ARROW_READ_LENIENT ? PRICETAG_LENIENT : PRICETAG_STRICT;
      status = pricetag_read(formatters->formatter, amount.text, amount.length, mode, &amount.units, &amount.exponent,
                             NULL);
      row_error = arrow_error_of(status);
      if (!row_error) {
        length = pricetag_amount_text(amount.units, amount.exponent, display->bytes + display->length);
      }
    } else {
      if (!reserve(display, formatters->capacity)) return arrow_out_of_memory(error);
      char *end = display->bytes + display->length;
      if (kind == AMOUNT_TEXT && has_forms) {
        status = pricetag_parse(amount.text, amount.length, &amount.units, &amount.exponent);
        kind = AMOUNT_UNITS;
      } else if (has_integers) {
        amount.exponent = formatters->exponent;
      }
      if (status == PRICETAG_OK) {
        status = kind == AMOUNT_TEXT ? pricetag_format(formatters->formatter, amount.text, amount.length,
                                                       plan->rounding, end, formatters->capacity, &length)
                                     : pricetag_format_units(formatters->formatter, amount.units, amount.exponent,
                                                             plan->rounding, end, formatters->capacity, &length);
      }
      row_error = arrow_error_of(status);
      if (!row_error && has_forms) {
        status = arrow_append_forms(out, plan, formatters, row, amount.units, amount.exponent, end, &row_error, error);
        if (status != PRICETAG_OK) return status;
      }
    }
    if (row_error) {
      if (!arrow_append_null(out, plan, row, row_error)) return arrow_out_of_memory(error);
    } else if (has_display && !append_length(display, row, length)) {
      return arrow_too_large(error, false);
    }
  }
  return PRICETAG_OK;
}

// Reads the columns, and formats their rows.
static int32_t format_inputs(pricetag_arrow_plan *plan, inputs *in, const pricetag_arrow_column *columns, int64_t count,
                             struct ArrowArray *result, pricetag_arrow_error *error) {
  int key = 0;
  for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) {
    if (!plan->types[argument].values) continue;
    column *read = argument == PRICETAG_ARROW_AMOUNT ? &in->amount : &in->keys.keys[key++];
    const pricetag_arrow_column *given = &columns[argument];
    if (count == 0 && !given->array) continue;
    int32_t status = arrow_read_column(plan, argument, given->array, given->start, count, read, error);
    if (status != PRICETAG_OK) return status;
  }
  outputs out = {0};
  if ((uint64_t)count > SIZE_MAX / 64) return arrow_out_of_memory(error);
  in->keys.plan = plan;
  if (!arrow_prepare_keys(&in->keys) || !arrow_start_outputs(&out, plan, count)) {
    arrow_free_outputs(&out);
    return arrow_out_of_memory(error);
  }
  int32_t status = is_plain(plan, in)     ? format_plain(plan, &in->amount, &out, error)
                   : is_keyed(plan, in) ? format_keyed(plan, in, &out, error)
                                        : format_rows(plan, in, &out, error);
  if (status == PRICETAG_OK && !arrow_finish_outputs(result, plan, &out)) status = arrow_out_of_memory(error);
  arrow_free_outputs(&out);
  return status;
}

int32_t pricetag_arrow_format(pricetag_arrow_plan *plan, const pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS],
                              int64_t count, struct ArrowArray *result, pricetag_arrow_error *error) {
  if (!plan || !columns || !result || count < 0) {
    return arrow_fail(error, PRICETAG_INVALID_ARGUMENT, "pass it",
                      "the plan, the columns or the result are NULL, or the number of rows is negative");
  }
  inputs in = {.validity = NULL};
  return format_inputs(plan, &in, columns, count, result, error);
}

int32_t pricetag_arrow_format_batch(pricetag_arrow_plan *plan, const struct ArrowArray *batch,
                                    const int64_t children[PRICETAG_ARROW_ARGUMENTS], struct ArrowArray *result,
                                    pricetag_arrow_error *error) {
  if (!plan || !batch || !children || !result) {
    return arrow_fail(error, PRICETAG_INVALID_ARGUMENT, "pass it",
                      "the plan, the batch, the children or the result are NULL");
  }
  if (!batch->release) {
    return arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, "pass the batch before it is released or moved",
                      "the batch was released");
  }
  if (batch->length < 0 || batch->offset < 0 || batch->length > INT64_MAX / 64 || batch->offset > INT64_MAX / 64) {
    return arrow_invalid(error, "the batch has the length %" PRId64 " and the offset %" PRId64, batch->length,
                         batch->offset);
  }
  if (batch->n_buffers != 1 || !batch->buffers || batch->n_children < 0 ||
      (batch->n_children > 0 && !batch->children) || batch->dictionary || batch->null_count < -1 ||
      batch->null_count > batch->length || (batch->null_count > 0 && !batch->buffers[0])) {
    return arrow_invalid(error, "the batch is not a valid struct array");
  }
  inputs in = {.validity = batch->null_count != 0 ? batch->buffers[0] : NULL, .validity_first = batch->offset};
  pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS];
  for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) {
    int64_t child = children[argument];
    if (!plan->types[argument].values) continue;
    if (child < 0 || child >= batch->n_children || !batch->children[child]) {
      return arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, "pass a batch with the columns of the plan's schemas",
                        "%s: the batch has %" PRId64 " columns, and none at %" PRId64, arrow_argument_names[argument],
                        batch->n_children, child);
    }
    columns[argument] = (pricetag_arrow_column){batch->children[child], batch->offset};
  }
  return format_inputs(plan, &in, columns, batch->length, result, error);
}
