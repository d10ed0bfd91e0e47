// Fuzzes pricetag_arrow.h. The input decides the types, the options, and arrays whose lengths, offsets, counts of
// buffers, nulls, indices and views may be wrong. Their buffers have as many elements as Arrow's interface requires the
// producer to guarantee (see the end of the comment in pricetag_arrow.h), and not a byte more. Results must be valid.
//
// libFuzzer calls the functions (Scripts/test/arrow-tests). The variable ARROW_FUZZ_PACK names the pack of make_pack.py.
#include "arrays.h"

static const pricetag_pack *pack;

int LLVMFuzzerInitialize(int *count, char ***arguments) {
  (void)count, (void)arguments;
  const char *path = getenv("ARROW_FUZZ_PACK");
  CHECK(path && pricetag_pack_open_file(path, &pack) == PRICETAG_OK, "ARROW_FUZZ_PACK names no pack");
  return 0;
}

// ---- Choices of the input; zeros after its end

static const uint8_t *bytes;
static size_t bytes_left;

static uint8_t choice(void) {
  if (bytes_left == 0) return 0;
  bytes_left--;
  return *bytes++;
}

static bool rarely(void) { return choice() >= 250; }

static int64_t number(size_t size) {
  uint64_t value = 0;
  for (size_t index = 0; index < size; index++) value |= (uint64_t)choice() << 8 * index;
  return (int64_t)value;
}

static int64_t hostile_number(int64_t valid) {
  static const int64_t numbers[] = {-1,        -2,        INT64_MIN, INT64_MAX, INT64_MAX / 2, INT64_MAX / 64 + 1,
                                    INT32_MIN, INT32_MAX, 1};
  if (!rarely()) return valid;
  return numbers[choice() % (sizeof numbers / sizeof *numbers)];
}

// ---- Types

static const char *const formats[] = {
    "u", "U", "vu",  "n",   "c",      "C",        "s",         "S",           "i",       "I",
    "l", "L", "tdD", "tdm", "d:38,2", "d:9,2,32", "d:18,4,64", "d:76,20,256", "d:38,-5", "d:38,20,128",
    "g", "z", "+s",  "+r",  "d:",     "d:38,",    "",          "tss:UTC"};
enum { FORMATS = sizeof formats / sizeof *formats };

static const char *random_format(char *place) {
  if (!rarely()) return formats[choice() % FORMATS];
  size_t length = choice() % 20;
  for (size_t index = 0; index < length; index++) place[index] = (char)choice();
  place[length] = 0;
  return place;
}

// ---- Arrays

static const char *const words[] = {"USA",
                                    "JPN",
                                    "de-DE",
                                    "en-US",
                                    "USD",
                                    "EUR",
                                    "BGR",
                                    "2026-01-01",
                                    "4.99",
                                    "-1234567.891",
                                    "",
                                    "x",
                                    "a text of more than twelve bytes",
                                    "2025-12-31",
                                    "1200",
                                    "9999999999999999999"};

// The text of a value, which is in static memory.
static size_t random_text(char *text) {
  if (choice() % 8) {
    const char *word = words[choice() % 16];
    memcpy(text, word, strlen(word));
    return strlen(word);
  }
  size_t length = choice() % 100;
  for (size_t index = 0; index < length; index++) text[index] = (char)choice();
  return length;
}

static void make_random(struct ArrowArray *array, const char *format, int64_t rows, bool has_indices);

// Fills the buffers of text, with `total` rows.
static void make_random_text(test_array *data, struct ArrowArray *array, const char *format, int64_t total) {
  static char text[1 << 16], one[256];
  size_t end = 0;
  bool is_view = strcmp(format, "vu") == 0, is_large = format[0] == 'U';
  size_t size = is_view ? 16 : is_large ? 8 : 4;
  uint8_t *places = (uint8_t *)new_buffer((size_t)(total + 1) * size);
  for (int64_t row = 0; row <= total; row++) {
    size_t length = row < total ? random_text(one) : 0;
    if (end + length > sizeof text) length = 0;
    if (is_view) {
      int32_t values[4] = {(int32_t)hostile_number((int64_t)length), 0, (int32_t)hostile_number(0),
                           (int32_t)hostile_number((int64_t)end)};
      memcpy(places + row * 16, values, 16);
      if (length <= 12) memcpy(places + row * 16 + 4, one, length);
    } else {
      // The last offset is what the producer guarantees.
      int64_t start = row < total ? hostile_number((int64_t)end) : (int64_t)end;
      int32_t short_start = (int32_t)start;
      memcpy(places + (size_t)row * size, is_large ? (void *)&start : (void *)&short_start, size);
    }
    memcpy(text + end, one, length);
    end += length;
  }
  if (is_view) {
    // The places have one element more than needed.
    uint8_t *exact = (uint8_t *)copy_buffer(places, (size_t)total * 16);
    free(places);
    places = exact;
    int64_t sizes[1] = {rarely() ? -1 : (int64_t)end};
    bool has_buffer = choice() % 4;
    data->buffers[2] = has_buffer && !rarely() ? copy_buffer(text, end) : NULL;
    data->buffers[has_buffer ? 3 : 2] = copy_buffer(sizes, sizeof sizes);
    array->n_buffers = has_buffer ? 4 : 3;
    if (has_buffer && rarely()) {
      free((void *)(uintptr_t)data->buffers[3]);
      data->buffers[3] = NULL;
    }
  } else {
    data->buffers[2] = copy_buffer(text, end);
  }
  data->buffers[1] = places;
}

static void make_random(struct ArrowArray *array, const char *format, int64_t rows, bool has_indices) {
  int64_t offset = choice() % 4 == 0 ? choice() % 16 : 0;
  int64_t total = rows + offset;
  bool is_text = strcmp(format, "u") == 0 || strcmp(format, "U") == 0 || strcmp(format, "vu") == 0;
  test_array *data = start_test_array(array, rows, offset, is_text ? 3 : strcmp(format, "n") == 0 ? 0 : 2);
  if (choice() % 2) {
    uint8_t *bits = (uint8_t *)new_buffer((size_t)(total + 7) / 8);
    for (int64_t index = 0; index < (total + 7) / 8; index++) bits[index] = choice() | choice();
    data->buffers[0] = bits;
  }
  if (is_text) {
    make_random_text(data, array, format, total);
  } else {
    bool is_decimal = strncmp(format, "d:", 2) == 0 && strchr(format, ',');
    size_t size = is_decimal                    ? value_size(format)
                  : strcmp(format, "tdD") == 0  ? 4
                  : strchr("cCsSiI", format[0]) ? value_size(format)
                                                : 8;
    if (size == 0 || size > 32) size = 32;
    uint8_t *values = (uint8_t *)new_buffer((size_t)total * size);
    memset(values, 0, (size_t)total * size);
    for (int64_t row = 0; row < total; row++) {
      // Small values, as valid indices are, and some of all bits.
      if (has_indices && !rarely()) {
        values[(size_t)row * size] = choice() % 16;
      } else {
        for (size_t index = 0; index < size; index++) values[(size_t)row * size + index] = choice();
      }
    }
    data->buffers[1] = values;
  }
  // Counts and lengths whose error can be seen before a buffer is read.
  array->null_count = hostile_number(array->null_count);
  if (rarely()) array->n_buffers = choice() % 2 ? -1 : choice() % 3;
  if (rarely()) array->n_children = hostile_number(0);
  if (rarely()) array->length = rows - 1 - choice();
  if (rarely()) array->length = -number(4) - 1;
  if (rarely()) array->offset = INT64_MAX - number(4);
  if (rarely()) array->offset = -number(4) - 1;
  if (rarely()) array->release = NULL;
  if (rarely()) array->buffers = NULL;
  if (rarely()) {
    int index = choice() % 2;
    free((void *)(uintptr_t)data->buffers[index]);
    data->buffers[index] = NULL;
  }
}

// ---- Results

static void check_text(const struct ArrowArray *array, const char *layout) {
  int64_t nulls = 0;
  for (int64_t row = 0; row < array->length; row++) {
    const char *text = text_of(array, layout, row);
    nulls += !text;
    for (; text && *text; text++)
      CHECK((unsigned char)*text < 0xF8 && (unsigned char)*text >= 0x20, "a byte outside UTF-8");
  }
  CHECK(nulls == array->null_count, "a wrong count of nulls");
}

static void check_result(const struct ArrowArray *result, const struct ArrowSchema *schema, int64_t count) {
  CHECK(result->length == count && result->n_children == schema->n_children, "a wrong struct");
  const struct ArrowArray *display = NULL, *error = NULL;
  for (int64_t index = 0; index < result->n_children; index++) {
    const struct ArrowArray *child = result->children[index];
    const char *name = schema->children[index]->name;
    CHECK(child->length == count && child->offset == 0, "a wrong child");
    if (strcmp(name, "display") == 0) display = child;
    if (strcmp(name, "error") == 0) error = child;
    if (strcmp(name, "parts") != 0) {
      check_text(child, schema->children[index]->format);
    } else {
      const int32_t *offsets = (const int32_t *)child->buffers[1];
      const struct ArrowArray *item = child->children[0];
      CHECK(offsets[0] == 0 && offsets[count] == item->length, "wrong offsets of parts");
      for (int64_t row = 0; row < count; row++) CHECK(offsets[row] <= offsets[row + 1], "wrong offsets of parts");
      check_text(item->children[0], "");
      check_text(item->children[1], "u");
    }
  }
  for (int64_t row = 0; display && error && row < count; row++) {
    CHECK(is_null_at(display, row) || is_null_at(error, row), "a row has a price and an error");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
  bytes = input;
  bytes_left = size;
  static char names[PRICETAG_ARROW_ARGUMENTS][2][24];
  static char constants[PRICETAG_ARROW_ARGUMENTS][256];
  struct ArrowSchema schemas[PRICETAG_ARROW_ARGUMENTS], values[PRICETAG_ARROW_ARGUMENTS];
  pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS];
  memset(arguments, 0, sizeof arguments);
  uint8_t kinds = choice();
  for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) {
    if (argument > 0 && !(kinds >> argument & 1)) continue;
    if (choice() % 8 == 7) {
      arguments[argument].text = constants[argument];
      arguments[argument].length = random_text(constants[argument]);
      continue;
    }
    // Usually a type that the argument accepts.
    bool is_usual = choice() % 16;
    const char *format =
        is_usual ? formats[argument == 0 ? (choice() % 4 < 3 ? 4 + choice() % 8 : 14 + choice() % 6) : choice() % 3]
                 : random_format(names[argument][0]);
    if (argument == 0 && choice() % 4 == 0) format = formats[choice() % 3];
    if (argument == PRICETAG_ARROW_DATE && choice() % 2) format = choice() % 2 ? "tdD" : "tdm";
    schemas[argument] = make_schema(format);
    if (choice() % 2) {
      values[argument] = schemas[argument];
      schemas[argument] = make_schema(is_usual ? formats[4 + choice() % 8] : random_format(names[argument][1]));
      schemas[argument].dictionary = &values[argument];
    }
    if (rarely()) schemas[argument].release = NULL;
    if (rarely()) schemas[argument].n_children = hostile_number(0);
    arguments[argument].schema = &schemas[argument];
  }
  pricetag_arrow_options options = {.unit = choice() % 4, .rounding = choice() % 9, .text = choice() % 4};
  if (options.unit == 3 && !rarely()) options.unit = PRICETAG_ARROW_MAJOR;
  if (options.text == 3 && !rarely()) options.text = PRICETAG_ARROW_UTF8;
  if (options.rounding == 8 && !rarely()) options.rounding = PRICETAG_EXACT;
  if (choice() % 2) options.date = choice() % 8 ? 20260131 : (int32_t)number(4);
  uint8_t outputs = choice();
  for (int output = 0, place = 0; output < PRICETAG_ARROW_OUTPUTS; output++) {
    if (outputs >> output & 1)
      options.outputs[place++] = (uint8_t)(1 + (output + outputs / 32) % PRICETAG_ARROW_OUTPUTS);
  }
  const pricetag_style iso = {.width = PRICETAG_WIDTH_ISO};
  if (choice() % 8 == 0) options.style = &iso;
  if (choice() % 4 == 0) {
    options.reading = choice() % 4;
    if (!rarely()) options.unit = PRICETAG_ARROW_MAJOR, memset(options.outputs, 0, sizeof options.outputs);
  }
  pricetag_arrow_plan *plan = NULL;
  pricetag_arrow_error error;
  int32_t status = pricetag_arrow_plan_create(pack, arguments, &options, &plan, &error);
  if (status != PRICETAG_OK) {
    CHECK(!plan && error.status == status && error.message[0] && error.code[0] && error.fix[0], "an incomplete error");
    return 0;
  }
  struct ArrowSchema schema;
  CHECK(pricetag_arrow_plan_schema(plan, &schema, &error) == PRICETAG_OK, "no schema");
  for (int batch = 0; batch < 2; batch++) {
    int64_t rows = choice() % 64;
    struct ArrowArray arrays[PRICETAG_ARROW_ARGUMENTS];
    pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS];
    memset(columns, 0, sizeof columns);
    int64_t start = choice() % 8 ? 0 : choice() % 8;
    for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) {
      const struct ArrowSchema *type = arguments[argument].schema;
      if (!type) continue;
      make_random(&arrays[argument], type->format, rows + start, type->dictionary);
      if (type->dictionary) {
        test_array *data = (test_array *)arrays[argument].private_data;
        make_random(&data->dictionary, type->dictionary->format, choice() % 32, false);
        if (!rarely()) arrays[argument].dictionary = &data->dictionary;
      }
      columns[argument].array = rarely() ? NULL : &arrays[argument];
      columns[argument].start = hostile_number(start);
    }
    // Without columns, any number of rows is valid.
    bool has_column = false;
    for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++)
      has_column |= columns[argument].array != NULL;
    int64_t count = has_column && rarely() ? hostile_number(rows) : rows;
    struct ArrowArray result;
    status = pricetag_arrow_format(plan, columns, count, &result, &error);
    if (status == PRICETAG_OK) {
      check_result(&result, &schema, count);
      result.release(&result);
    } else {
      CHECK(error.status == status && error.message[0] && error.code[0] && error.fix[0], "an incomplete error");
    }
    for (int argument = 0; argument < PRICETAG_ARROW_ARGUMENTS; argument++) {
      if (!arguments[argument].schema) continue;
      test_array *data = (test_array *)arrays[argument].private_data;
      data->dictionary.release = data->dictionary.private_data ? release_test_array : NULL;
      release_test_array(&arrays[argument]);
    }
  }
  schema.release(&schema);
  pricetag_arrow_plan_free(plan);
  return 0;
}
