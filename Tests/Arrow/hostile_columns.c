// Tests pricetag_arrow.h with arrays that contradict Arrow's specification: each must be refused with a message that
// names the column. Then every allocation fails once: the call must report it, and lose no memory.
//
//     hostile_columns PACK       the pack of Tests/Kernel/make_pack.py
#include "arrays.h"

static const pricetag_pack *pack;

// ---- Allocations that fail. pricetag_arrow.c is compiled with these functions.

static int64_t allocations_until_failure = -1;

static bool fails(void) { return allocations_until_failure >= 0 && allocations_until_failure-- == 0; }

void *test_malloc(size_t size) { return fails() ? NULL : malloc(size); }
void *test_calloc(size_t count, size_t size) { return fails() ? NULL : calloc(count, size); }
void *test_realloc(void *memory, size_t size) { return fails() ? NULL : realloc(memory, size); }

// ---- Hostile arrays

enum { ROWS = 6, OFFSET = 2 };

// The arrays of a test: amounts (utf8), storefronts (dictionary<int32, utf8_view>), and currencies (large_utf8).
typedef struct {
  struct ArrowArray amounts, storefronts, currencies;
  struct ArrowArray *dictionary;
  int32_t *amount_offsets, *indices;
  int64_t *currency_offsets;
  uint8_t *views;
  int64_t *view_sizes;
} columns_of_test;

static void store32(uint8_t *place, int32_t value) { memcpy(place, &value, 4); }

static void start_columns(columns_of_test *test) {
  static const char *const amounts[ROWS] = {"1", "2.5", "", NULL, "4", "5"};
  static const char *const storefronts[3] = {"USA", "a storefront of more than twelve bytes", "DEU"};
  static const char *const currencies[ROWS] = {"USD", NULL, "EUR", NULL, "USD", "EUR"};
  static const int64_t indices[ROWS] = {0, 1, 2, -1, 0, 2};
  make_texts(&test->amounts, "u", amounts, ROWS, OFFSET);
  make_texts(&test->storefronts, "vu", storefronts, 3, OFFSET);
  make_dictionary(&test->storefronts, "i", indices, ROWS, OFFSET);
  make_texts(&test->currencies, "U", currencies, ROWS, OFFSET);
  test->dictionary = test->storefronts.dictionary;
  test->amount_offsets = (int32_t *)(uintptr_t)test->amounts.buffers[1];
  test->indices = (int32_t *)(uintptr_t)test->storefronts.buffers[1];
  test->currency_offsets = (int64_t *)(uintptr_t)test->currencies.buffers[1];
  test->views = (uint8_t *)(uintptr_t)test->dictionary->buffers[1];
  test->view_sizes = (int64_t *)(uintptr_t)test->dictionary->buffers[4];
}

static void (*const release)(struct ArrowArray *) = release_test_array;

static void end_columns(columns_of_test *test) {
  struct ArrowArray *arrays[] = {&test->amounts, &test->storefronts, &test->currencies};
  for (int index = 0; index < 3; index++) {
    test_array *data = (test_array *)arrays[index]->private_data;
    data->dictionary.release = data->dictionary.private_data ? release : NULL;
    release(arrays[index]);
  }
}

static void *swap_buffer(struct ArrowArray *array, int index, void *buffer) {
  void *previous = (void *)(uintptr_t)array->buffers[index];
  array->buffers[index] = buffer;
  return previous;
}

static pricetag_arrow_plan *start_plan(uint8_t outputs, int32_t text) {
  static struct ArrowSchema utf8, view, large, indices;
  utf8 = make_schema("u");
  view = make_schema("vu");
  large = make_schema("U");
  indices = make_schema("i");
  indices.dictionary = &view;
  pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {
      {.schema = &utf8}, {.schema = &indices}, {0}, {.schema = &large}};
  pricetag_arrow_options options = {.text = text};
  for (uint8_t output = 0; output < outputs; output++) options.outputs[output] = output + 1;
  pricetag_arrow_plan *plan = NULL;
  pricetag_arrow_plan_create(pack, arguments, &options, &plan, NULL);
  return plan;
}

static int32_t format(pricetag_arrow_plan *plan, const columns_of_test *test, int64_t count,
                      pricetag_arrow_error *error) {
  pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {
      {&test->amounts, 0}, {&test->storefronts, 0}, {NULL, 0}, {&test->currencies, 0}};
  struct ArrowArray result;
  memset(&result, 0xA5, sizeof result);
  int32_t status = pricetag_arrow_format(plan, columns, count, &result, error);
  if (status == PRICETAG_OK) {
    // The display and the error of every row, so that the sanitizer reads the buffers.
    for (int64_t row = 0; row < count; row++) {
      (void)text_of(result.children[0], "u", row);
      (void)text_of(result.children[1], "", row);
    }
    result.release(&result);
    CHECK(!result.release, "the result was not released");
  }
  return status;
}

static void test_hostile_arrays(void) {
  enum { CASES = 70 };
  int refused = 0;
  for (int number = 0; number < CASES; number++) {
    columns_of_test test;
    start_columns(&test);
    const char *expected = NULL;
    void *kept = NULL;
    struct ArrowArray *kept_of = NULL;
    int kept_index = 0;
    int64_t count = ROWS;
    struct ArrowArray *a = &test.amounts, *s = &test.storefronts, *c = &test.currencies, *d = test.dictionary;
#define REFUSE(text, ...) \
  expected = text;        \
  __VA_ARGS__;            \
  break
#define WITHOUT(array, index) kept = swap_buffer(array, index, NULL), kept_of = array, kept_index = index
    switch (number) {
      case 0: REFUSE("amount: the array was released", a->release = NULL);
      case 1: REFUSE("storefront: the array was released", s->release = NULL);
      case 2: REFUSE("storefront: the dictionary was released", d->release = NULL);
      case 3: REFUSE("storefront: the dictionary is NULL", s->dictionary = NULL);
      case 4: REFUSE("amount: the array has a dictionary", a->dictionary = d);
      case 5: REFUSE("storefront: the dictionary has a dictionary", d->dictionary = a);
      case 6: REFUSE("amount: the array has the length -1", a->length = -1);
      case 7: REFUSE("amount: the array has the length", a->length = INT64_MAX);
      case 8: REFUSE("amount: the array has the length", a->offset = INT64_MAX);
      case 9: REFUSE("amount: the array has the length", a->offset = -1);
      case 10: REFUSE("amount: the array has the length", a->offset = INT64_MIN);
      case 11: REFUSE("amount: the array has 5 rows", a->length = ROWS - 1);
      case 12: REFUSE("storefront: the array has 5 rows", s->length = ROWS - 1);
      case 13: REFUSE("storefront: the dictionary has the length", d->length = -3);
      case 14: REFUSE("storefront: the dictionary has the length", d->offset = INT64_MIN);
      case 15: REFUSE("amount: the array has 2 buffers, not 3", a->n_buffers = 2);
      case 16: REFUSE("amount: the array has 4 buffers, not 3", a->n_buffers = 4);
      case 17: REFUSE("amount: the array has -1 buffers", a->n_buffers = -1);
      case 18: REFUSE("storefront: the array has 3 buffers, not 2", s->n_buffers = 3);
      case 19: REFUSE("storefront: the dictionary has 2 buffers, not at least 3", d->n_buffers = 2);
      case 20: REFUSE("storefront: the dictionary has -5 buffers", d->n_buffers = -5);
      case 21: REFUSE("amount: the array has 1 children", a->n_children = 1);
      case 22: REFUSE("amount: the array has -1 children", a->n_children = -1);
      case 23: REFUSE("storefront: the dictionary has 1 children", d->n_children = 1);
      case 24: REFUSE("amount: the buffers of the array are NULL", a->buffers = NULL);
      case 25: REFUSE("storefront: the buffers of the dictionary are NULL", d->buffers = NULL);
      case 26: REFUSE("amount: the array has -2 nulls", a->null_count = -2);
      case 27: REFUSE("amount: the array has 7 nulls", a->null_count = ROWS + 1);
      case 28: REFUSE("amount: the array has 1 nulls and no null bitmap", a->null_count = 1; WITHOUT(a, 0));
      case 29: REFUSE("storefront: the dictionary has 1 nulls and no null bitmap", d->null_count = 1);
      case 30: REFUSE("amount: buffer 1 of the array is NULL", WITHOUT(a, 1));
      case 31: REFUSE("amount: the last offset of the array is", WITHOUT(a, 2));
      case 32: REFUSE("storefront: buffer 1 of the array is NULL", WITHOUT(s, 1));
      case 33: REFUSE("storefront: buffer 1 of the dictionary is NULL", WITHOUT(d, 1));
      case 34: REFUSE("storefront, row 1: the view has", WITHOUT(d, 3));
      case 35: REFUSE("storefront: the sizes of the dictionary's buffers are NULL", WITHOUT(d, 4));
      case 36: REFUSE("amount: the last offset of the array is -1", test.amount_offsets[OFFSET + ROWS] = -1);
      case 37: REFUSE("amount, row 0: the offsets are -5", test.amount_offsets[OFFSET] = -5);
      case 38: REFUSE("amount, row 1: the offsets are", test.amount_offsets[OFFSET + 2] = 0);
      case 39: REFUSE("amount, row 0: the offsets are", test.amount_offsets[OFFSET + 1] = 1000000);
      case 40: REFUSE("amount, row 0: the offsets are", test.amount_offsets[OFFSET] = INT32_MAX);
      case 41: REFUSE("amount, row 0: the offsets are", test.amount_offsets[OFFSET + ROWS] = 1);
      case 42: REFUSE("currency: the last offset of the array is -1", test.currency_offsets[OFFSET + ROWS] = -1);
      case 43: REFUSE("currency, row 0: the offsets are", test.currency_offsets[OFFSET] = INT64_MIN);
      case 44: REFUSE("currency, row 0: the offsets are", test.currency_offsets[OFFSET + 1] = INT64_MAX);
      case 45: REFUSE("storefront, row 0: the index is outside the dictionary", test.indices[OFFSET] = 3);
      case 46: REFUSE("storefront, row 0: the index is outside the dictionary", test.indices[OFFSET] = -1);
      case 47: REFUSE("storefront, row 5: the index is outside the dictionary", test.indices[OFFSET + 5] = INT32_MAX);
      case 48: REFUSE("storefront, row 5: the index is outside the dictionary", test.indices[OFFSET + 5] = INT32_MIN);
      case 49: REFUSE("storefront, row 0: the index is outside the dictionary", d->length = 0);
      case 50: REFUSE("storefront, row 1: the view has", store32(test.views + (OFFSET + 1) * 16, -1));
      case 51: REFUSE("storefront, row 1: the view has", store32(test.views + (OFFSET + 1) * 16, INT32_MAX));
      case 52: REFUSE("storefront, row 1: the view has", store32(test.views + (OFFSET + 1) * 16 + 8, 2));
      case 53: REFUSE("storefront, row 1: the view has", store32(test.views + (OFFSET + 1) * 16 + 8, -1));
      case 54: REFUSE("storefront, row 1: the view has", store32(test.views + (OFFSET + 1) * 16 + 8, INT32_MAX));
      case 55: REFUSE("storefront, row 1: the view has", store32(test.views + (OFFSET + 1) * 16 + 12, -1));
      case 56: REFUSE("storefront, row 1: the view has", store32(test.views + (OFFSET + 1) * 16 + 12, INT32_MAX));
      case 57: REFUSE("storefront, row 1: the view has", store32(test.views + (OFFSET + 1) * 16 + 8, 0));
      case 58: REFUSE("storefront, row 1: the view has", test.view_sizes[1] = -1);
      case 59: REFUSE("storefront, row 1: the view has", test.view_sizes[1] = 10);
      case 60: REFUSE("storefront, row 0: the view has", store32(test.views + OFFSET * 16, INT32_MIN));
      case 61: REFUSE("amount: the array has 6 rows", count = ROWS + 1);
      case 62: REFUSE("amount: the array has 6 rows", count = INT64_MAX);
      // Not an error: a count of nulls that is wrong within its range, and values of null rows.
      case 63: a->null_count = 0; break;
      case 64: test.indices[OFFSET + 3] = INT32_MIN; break;
      case 65: d->length = 3, d->null_count = 0; break;
      case 66: count = 0; break;
      case 67: count = 0, test.indices[OFFSET] = -1; break;
      case 68: REFUSE("amount: the array has the length", count = 0, a->length = INT64_MIN);
      default: break;
    }
    pricetag_arrow_plan *plan = start_plan(2, PRICETAG_ARROW_UTF8);
    pricetag_arrow_error error = {0};
    int32_t status = format(plan, &test, count, &error);
    if (expected) {
      CHECK(status == PRICETAG_ARROW_INVALID_ARRAY && strcmp(error.code, "invalid-array") == 0,
            "case %d: status %d, %s", number, (int)status, error.message);
      CHECK(strncmp(error.message, expected, strlen(expected)) == 0, "case %d: %s", number, error.message);
      CHECK(error.fix[0], "case %d: no fix", number);
      CHECK(format(plan, &test, count, NULL) == status, "case %d: another status", number);
      refused++;
    } else {
      CHECK(status == PRICETAG_OK, "case %d: %s", number, error.message);
    }
    if (kept_of) swap_buffer(kept_of, kept_index, kept);
    a->buffers = ((test_array *)a->private_data)->buffers;
    a->release = s->release = c->release = release;
    // The plan goes on with other arrays.
    columns_of_test others;
    start_columns(&others);
    CHECK(format(plan, &others, ROWS, &error) == PRICETAG_OK, "%s", error.message);
    end_columns(&others);
    pricetag_arrow_plan_free(plan);
    end_columns(&test);
  }
  CHECK(refused == 64, "%d cases", refused);
  printf("hostile arrays: %d refused\n", refused);
}

static void test_hostile_batches(void) {
  for (int number = 0; number < 16; number++) {
    columns_of_test test;
    start_columns(&test);
    struct ArrowArray batch, result;
    struct ArrowArray *children[] = {&test.amounts, &test.storefronts, &test.currencies};
    start_test_array(&batch, ROWS, 0, 1);
    batch.children = children;
    batch.n_children = 3;
    int64_t places[PRICETAG_ARROW_ARGUMENTS] = {0, 1, -1, 2, -1};
    bool is_valid = false;
    switch (number) {
      case 0: batch.release = NULL; break;
      case 1: batch.length = -1; break;
      case 2: batch.offset = -1; break;
      case 3: batch.offset = INT64_MAX; break;
      case 4: batch.length = INT64_MAX; break;
      case 5: batch.n_buffers = 0; break;
      case 6: batch.n_children = -1; break;
      case 7: batch.children = NULL; break;
      case 8: children[1] = NULL; break;
      case 9: batch.dictionary = &test.amounts; break;
      case 10: batch.null_count = 1; break;
      case 11: batch.null_count = -3; break;
      case 12: batch.buffers = NULL; break;
      case 13: places[3] = 3; break;
      case 14: batch.offset = 1; break;
      default: is_valid = true;
    }
    pricetag_arrow_plan *plan = start_plan(2, PRICETAG_ARROW_UTF8);
    pricetag_arrow_error error;
    int32_t status = pricetag_arrow_format_batch(plan, &batch, places, &result, &error);
    CHECK(status == (is_valid ? PRICETAG_OK : PRICETAG_ARROW_INVALID_ARRAY), "case %d: status %d", number, (int)status);
    if (is_valid) result.release(&result);
    pricetag_arrow_plan_free(plan);
    batch.release = release;
    batch.release(&batch);
    end_columns(&test);
  }
  printf("hostile batches: refused\n");
}

// The core of this test is compiled with offsets of utf8 that end at MAXIMUM_UTF8.
static void test_large_results(void) {
  enum { LARGE = 4000 };
  static int64_t units[LARGE], indices[LARGE];
  static const char *names[LARGE];
  static const char *const storefronts[2] = {"USA", "DEU"};
  int refused = 0;
  for (int row = 0; row < LARGE; row++) {
    units[row] = 100 * row;
    indices[row] = row % 2;
    names[row] = storefronts[row % 2];
  }
  // A constant storefront, a dictionary, and text; the display, the spoken form, and the parts.
  for (int shape = 0; shape < 3; shape++) {
    for (uint8_t output = PRICETAG_ARROW_DISPLAY; output <= PRICETAG_ARROW_PARTS; output++) {
      for (int32_t text = PRICETAG_ARROW_UTF8; text <= PRICETAG_ARROW_UTF8_VIEW; text++) {
        struct ArrowSchema integers = make_schema("l"), utf8 = make_schema("u"), keys = make_schema("i");
        struct ArrowArray amounts, stores, result;
        make_units(&amounts, "l", units, LARGE, 0);
        if (shape == 1) {
          make_texts(&stores, "u", storefronts, 2, 0);
          make_dictionary(&stores, "i", indices, LARGE, 0);
          keys.dictionary = &utf8;
        } else {
          make_texts(&stores, "u", names, LARGE, 0);
        }
        pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = &integers}};
        if (shape == 0) arguments[PRICETAG_ARROW_STOREFRONT] = (pricetag_arrow_argument){.text = "USA", .length = 3};
        if (shape > 0) arguments[PRICETAG_ARROW_STOREFRONT].schema = shape == 1 ? &keys : &utf8;
        pricetag_arrow_options options = {.unit = PRICETAG_ARROW_MINOR, .text = text, .outputs = {output}};
        pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {{&amounts, 0}, {&stores, 0}};
        pricetag_arrow_plan *plan = NULL;
        pricetag_arrow_error error;
        CHECK(pricetag_arrow_plan_create(pack, arguments, &options, &plan, &error) == PRICETAG_OK, "%s", error.message);
        bool has_text = output == PRICETAG_ARROW_DISPLAY || output == PRICETAG_ARROW_SPOKEN;
        bool is_too_large = output == PRICETAG_ARROW_PARTS || (has_text && text == PRICETAG_ARROW_UTF8);
        int32_t status = pricetag_arrow_format(plan, columns, LARGE, &result, &error);
        CHECK(status == (is_too_large ? PRICETAG_ARROW_RESULT_TOO_LARGE : PRICETAG_OK), "status %d of output %d",
              (int)status, output);
        if (status == PRICETAG_OK) result.release(&result);
        CHECK(!is_too_large || !strstr(error.fix, "utf8_view") == (output == PRICETAG_ARROW_PARTS), "%s", error.fix);
        refused += is_too_large;
        // An eighth of the rows fits.
        CHECK(pricetag_arrow_format(plan, columns, LARGE / 8, &result, &error) == PRICETAG_OK, "%s", error.message);
        result.release(&result);
        pricetag_arrow_plan_free(plan);
        amounts.release(&amounts);
        stores.release(&stores);
      }
    }
  }
  printf("large results: %d refused\n", refused);
}

static void test_failing_allocations(void) {
  int64_t failures = 0;
  for (int32_t text = PRICETAG_ARROW_UTF8; text <= PRICETAG_ARROW_UTF8_VIEW; text++) {
    columns_of_test test;
    start_columns(&test);
    bool is_complete = false;
    for (int64_t until = 0; !is_complete; until++) {
      CHECK(until < 1000, "the allocations do not end");
      allocations_until_failure = until;
      pricetag_arrow_plan *plan = start_plan(PRICETAG_ARROW_OUTPUTS, text);
      struct ArrowSchema schema;
      struct ArrowArray result;
      pricetag_arrow_error error;
      pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {
          {&test.amounts, 0}, {&test.storefronts, 0}, {NULL, 0}, {&test.currencies, 0}};
      int32_t status = plan ? pricetag_arrow_plan_schema(plan, &schema, &error) : PRICETAG_ARROW_OUT_OF_MEMORY;
      if (status == PRICETAG_OK) {
        schema.release(&schema);
        status = pricetag_arrow_format(plan, columns, ROWS, &result, &error);
        if (status == PRICETAG_OK) result.release(&result);
      }
      is_complete = allocations_until_failure >= 0;
      // Memory that was only too much may be returned later.
      CHECK(status == PRICETAG_OK || (!is_complete && status == PRICETAG_ARROW_OUT_OF_MEMORY), "status %d",
            (int)status);
      failures += status != PRICETAG_OK;
      allocations_until_failure = -1;
      pricetag_arrow_plan_free(plan);
    }
    end_columns(&test);
  }
  CHECK(failures > 90, "only %d allocations failed", (int)failures);
  printf("failing allocations: %d reported\n", (int)failures);
}

int main(int count, char **values) {
  if (count != 2 || pricetag_pack_open_file(values[1], &pack) != PRICETAG_OK) {
    fprintf(stderr, "usage: hostile_columns PACK\n");
    return 2;
  }
  test_hostile_arrays();
  test_hostile_batches();
  test_large_results();
  test_failing_allocations();
  pricetag_pack_close(pack);
  return 0;
}
