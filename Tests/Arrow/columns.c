// Tests pricetag_arrow.c with valid columns of every type, and with plans that must be refused.
//
//     columns PACK       the pack of Tests/Kernel/make_pack.py
#include "arrays.h"

static const pricetag_pack *pack;

static const char *const text_formats[] = {"u", "U", "vu"};
static const char *const index_formats[] = {NULL, "c", "C", "s", "S", "i", "I", "l", "L"};
enum { TEXT_FORMATS = 3, INDEX_FORMATS = 9 };

static pricetag_arrow_plan *plan_of(const pricetag_arrow_argument *arguments, const pricetag_arrow_options *options) {
  pricetag_arrow_plan *plan = NULL;
  pricetag_arrow_error error;
  int32_t status = pricetag_arrow_plan_create(pack, arguments, options, &plan, &error);
  CHECK(status == PRICETAG_OK && plan, "%s: %s; %s", error.code, error.message, error.fix);
  return plan;
}

static struct ArrowArray format(pricetag_arrow_plan *plan, const pricetag_arrow_column *columns, int64_t count) {
  struct ArrowArray result;
  pricetag_arrow_error error;
  int32_t status = pricetag_arrow_format(plan, columns, count, &result, &error);
  CHECK(status == PRICETAG_OK, "%s: %s; %s", error.code, error.message, error.fix);
  CHECK(result.length == count && result.offset == 0 && result.null_count == 0, "a wrong struct");
  return result;
}

// A row, and what it becomes.
typedef struct {
  const char *storefront, *amount, *display, *error;
} text_row;

static const text_row text_rows[] = {
    {"USA", "4.99", "$4.99", NULL},
    {"USA", "1234567.5", "$1,234,567.50", NULL},
    {"jpn", "1200", "￥1,200", NULL},
    {"JP", "1200", "￥1,200", NULL},
    {"JPN", "1200.50", NULL, "needs-rounding"},
    {"JPN", "1200.00000000000000000000", "￥1,200", NULL},
    {"DEU", "-0.05", "-0,05\u00a0€", NULL},
    {NULL, "1", NULL, "missing-storefront"},
    {NULL, NULL, NULL, NULL},
    {"USA", NULL, NULL, NULL},
    {"XXX", "1", NULL, "unknown-storefront"},
    {"XXX", NULL, NULL, NULL},
    {"XXX", "x", NULL, "unknown-storefront"},
    {"", "1", NULL, "unknown-storefront"},
    {"a name that is longer than all identifiers of storefronts", "1", NULL, "unknown-storefront"},
    {"longer than one, but one word", "1", NULL, "unknown-storefront"},
    {"\xff\xfe", "1", NULL, "unknown-storefront"},
    {"USA", "", NULL, "malformed-amount"},
    {"USA", "1,5", NULL, "malformed-amount"},
    {"USA", "\xff", NULL, "malformed-amount"},
    {"USA", "99999999999999999999", NULL, "amount-out-of-range"},
    {"USA", "-9223372036854775808", "-$9,223,372,036,854,775,808.00", NULL},
    {"BGR", "1", "1,00\u00a0€", NULL},
    {"USA", "0", "$0.00", NULL},
};
enum { TEXT_ROWS = sizeof text_rows / sizeof *text_rows };

static void expect_rows(const struct ArrowArray *result, const char *layout, const text_row *rows, int64_t count,
                        const char *where) {
  int64_t nulls = 0, errors = 0;
  for (int64_t row = 0; row < count; row++) {
    const char *display = text_of(result->children[0], layout, row), *error = text_of(result->children[1], "", row);
    CHECK(is_same(display, rows[row].display) && is_same(error, rows[row].error), "%s, row %d: %s (%s), not %s (%s)",
          where, (int)row, display ? display : "null", error ? error : "null",
          rows[row].display ? rows[row].display : "null", rows[row].error ? rows[row].error : "null");
    nulls += !display;
    errors += error != NULL;
  }
  CHECK(result->children[0]->null_count == nulls && result->children[1]->null_count == count - errors,
        "%s: wrong counts of nulls", where);
}

// Every type of keys and of text amounts, plain and in dictionaries, with offsets and slices, in every layout of
// results.
static void test_text_columns(void) {
  const char *storefronts[TEXT_ROWS], *amounts[TEXT_ROWS];
  int64_t indices[2][TEXT_ROWS];
  for (int64_t row = 0; row < TEXT_ROWS; row++) {
    storefronts[row] = text_rows[row].storefront;
    amounts[row] = text_rows[row].amount;
    // The nulls of amounts are in the dictionary, those of storefronts in the indices.
    indices[0][row] = storefronts[row] ? TEXT_ROWS - 1 - row : -1;
    indices[1][row] = row;
  }
  const char *reversed[TEXT_ROWS];
  for (int row = 0; row < TEXT_ROWS; row++) reversed[row] = storefronts[TEXT_ROWS - 1 - row];
  int tests = 0;
  for (int key = 0; key < TEXT_FORMATS; key++) {
    for (int key_index = 0; key_index < INDEX_FORMATS; key_index++) {
      for (int amount = 0; amount < TEXT_FORMATS; amount++) {
        for (int offset = 0; offset <= 9; offset += 3) {
          int amount_index = (key_index + offset) % INDEX_FORMATS, layout = (key + amount + offset) % 3;
          char where[100];
          snprintf(where, sizeof where, "storefront %s[%d], amount %s[%d], offset %d, layout %d", text_formats[key],
                   key_index, text_formats[amount], amount_index, offset, layout);
          struct ArrowSchema values[2] = {make_schema(text_formats[key]), make_schema(text_formats[amount])};
          struct ArrowSchema schemas[2] = {values[0], values[1]};
          struct ArrowArray arrays[2];
          if (index_formats[key_index]) {
            schemas[0] = make_schema(index_formats[key_index]);
            schemas[0].dictionary = &values[0];
            make_texts(&arrays[0], text_formats[key], reversed, TEXT_ROWS, offset / 3);
            make_dictionary(&arrays[0], index_formats[key_index], indices[0], TEXT_ROWS, offset);
          } else {
            make_texts(&arrays[0], text_formats[key], storefronts, TEXT_ROWS, offset);
          }
          if (index_formats[amount_index]) {
            schemas[1] = make_schema(index_formats[amount_index]);
            schemas[1].dictionary = &values[1];
            make_texts(&arrays[1], text_formats[amount], amounts, TEXT_ROWS, offset);
            make_dictionary(&arrays[1], index_formats[amount_index], indices[1], TEXT_ROWS, offset / 3);
          } else {
            make_texts(&arrays[1], text_formats[amount], amounts, TEXT_ROWS, 0);
          }
          pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {
              [PRICETAG_ARROW_AMOUNT] = {.schema = &schemas[1]}, [PRICETAG_ARROW_STOREFRONT] = {.schema = &schemas[0]}};
          pricetag_arrow_options options = {.date = 20260131, .text = layout};
          pricetag_arrow_plan *plan = plan_of(arguments, &options);
          // The second batch uses the formatters of the first one; the others start in the middle, and are empty.
          const int64_t starts[] = {0, 0, 7, TEXT_ROWS};
          for (int batch = 0; batch < 4; batch++) {
            int64_t start = starts[batch], count = TEXT_ROWS - start - (batch == 2 ? 3 : 0);
            pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {{&arrays[1], start}, {&arrays[0], start}};
            struct ArrowArray result = format(plan, columns, count);
            expect_rows(&result, text_formats[layout], text_rows + start, count, where);
            result.release(&result);
            tests++;
          }
          pricetag_arrow_plan_free(plan);
          arrays[0].release(&arrays[0]);
          arrays[1].release(&arrays[1]);
        }
      }
    }
  }
  printf("text columns: %d batches as expected\n", tests);
}

// Amounts as integers and decimals: units, and what the first row of storefronts makes of them.
typedef struct {
  const char *format, *storefront;
  int32_t unit;
  int64_t units;
  const char *display, *error;
} number_row;

static const number_row number_rows[] = {
    {"c", "USA", PRICETAG_ARROW_MAJOR, -5, "-$5.00", NULL},
    {"C", "USA", PRICETAG_ARROW_MAJOR, 255, "$255.00", NULL},
    {"s", "JPN", PRICETAG_ARROW_MINOR, -1200, "-￥1,200", NULL},
    {"S", "JPN", PRICETAG_ARROW_MINOR, 65535, "￥65,535", NULL},
    {"i", "USA", PRICETAG_ARROW_MINOR, -499, "-$4.99", NULL},
    {"I", "USA", PRICETAG_ARROW_MINOR, 4294967295, "$42,949,672.95", NULL},
    {"l", "USA", PRICETAG_ARROW_MICROS, 4990000, "$4.99", NULL},
    {"l", "USA", PRICETAG_ARROW_MICROS, 4999999, NULL, "needs-rounding"},
    {"l", "USA", PRICETAG_ARROW_MINOR, INT64_MIN, "-$92,233,720,368,547,758.08", NULL},
    {"l", "USA", PRICETAG_ARROW_MINOR, INT64_MAX, "$92,233,720,368,547,758.07", NULL},
    {"L", "USA", PRICETAG_ARROW_MINOR, INT64_MAX, "$92,233,720,368,547,758.07", NULL},
    {"L", "USA", PRICETAG_ARROW_MINOR, INT64_MIN, NULL, "amount-out-of-range"},
    {"L", "USA", PRICETAG_ARROW_MINOR, -1, NULL, "amount-out-of-range"},
    {"d:9,2,32", "USA", PRICETAG_ARROW_MAJOR, -499, "-$4.99", NULL},
    {"d:18,3,64", "USA", PRICETAG_ARROW_MAJOR, 4990, "$4.99", NULL},
    {"d:18,3,64", "USA", PRICETAG_ARROW_MAJOR, 4995, NULL, "needs-rounding"},
    {"d:38,2", "USA", PRICETAG_ARROW_MAJOR, -499, "-$4.99", NULL},
    {"d:38,2,128", "USA", PRICETAG_ARROW_MAJOR, 123456, "$1,234.56", NULL},
    {"d:38,-3", "JPN", PRICETAG_ARROW_MAJOR, 12, "￥12,000", NULL},
    {"d:38,-17", "JPN", PRICETAG_ARROW_MAJOR, 92, "￥9,200,000,000,000,000,000", NULL},
    {"d:38,-17", "JPN", PRICETAG_ARROW_MAJOR, 93, NULL, "amount-out-of-range"},
    {"d:38,-18", "JPN", PRICETAG_ARROW_MAJOR, -9, "-￥9,000,000,000,000,000,000", NULL},
    {"d:38,-9999", "JPN", PRICETAG_ARROW_MAJOR, 1, NULL, "amount-out-of-range"},
    {"d:38,-9999", "JPN", PRICETAG_ARROW_MAJOR, 0, "￥0", NULL},
    {"d:38,20", "USA", PRICETAG_ARROW_MAJOR, 500, NULL, "needs-rounding"},
    {"d:38,20", "USA", PRICETAG_ARROW_MAJOR, 1, NULL, "amount-out-of-range"},
    {"d:38,9999", "USA", PRICETAG_ARROW_MAJOR, INT64_MAX, NULL, "amount-out-of-range"},
    {"d:76,18,256", "USA", PRICETAG_ARROW_MAJOR, 1500000000000000000, "$1.50", NULL},
    {"d:76,40,256", "USA", PRICETAG_ARROW_MAJOR, 0, "$0.00", NULL},
    {"d:76,2,256", "USA", PRICETAG_ARROW_MAJOR, INT64_MIN, "-$92,233,720,368,547,758.08", NULL},
    {"l", "USA", PRICETAG_ARROW_MINOR, NULL_UNITS, NULL, NULL},
    {"d:38,2", "USA", PRICETAG_ARROW_MAJOR, NULL_UNITS, NULL, NULL},
};

static void test_number_columns(void) {
  const size_t count = sizeof number_rows / sizeof *number_rows;
  for (size_t index = 0; index < count; index++) {
    const number_row *row = &number_rows[index];
    for (int variant = 0; variant < 8; variant++) {
      // The constant storefront uses the functions of columns; an offset, nulls in other rows, and a dictionary do not.
      bool has_null = variant & 1, has_dictionary = variant & 2, has_column = variant & 4;
      int64_t units[] = {row->units, row->units, has_null ? NULL_UNITS : row->units, row->units};
      int64_t indices[] = {3, 0, 2, 1};
      struct ArrowSchema values = make_schema(row->format), schema = values, text = make_schema("u");
      struct ArrowArray amounts, storefronts;
      const char *names[] = {row->storefront, row->storefront, row->storefront, row->storefront};
      make_units(&amounts, row->format, units, 4, variant);
      if (has_dictionary) {
        make_dictionary(&amounts, "C", indices, 4, 2);
        schema = make_schema("C");
        schema.dictionary = &values;
      }
      make_texts(&storefronts, "u", names, 4, 1);
      pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = &schema},
                                                                     {.text = row->storefront, .length = 3}};
      if (has_column) arguments[PRICETAG_ARROW_STOREFRONT].schema = &text;
      pricetag_arrow_options options = {.unit = row->unit};
      pricetag_arrow_plan *plan = plan_of(arguments, &options);
      pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {{&amounts, 0}, {&storefronts, 0}};
      struct ArrowArray result = format(plan, columns, 4);
      text_row expected[4];
      for (int at = 0; at < 4; at++) {
        bool is_null = has_null && at == 2;
        expected[at] = (text_row){NULL, NULL, is_null ? NULL : row->display, is_null ? NULL : row->error};
      }
      char where[100];
      snprintf(where, sizeof where, "%s %lld, variant %d", row->format, (long long)row->units, variant);
      expect_rows(&result, "u", expected, 4, where);
      result.release(&result);
      pricetag_arrow_plan_free(plan);
      amounts.release(&amounts);
      storefronts.release(&storefronts);
    }
  }
  // Decimals of more than 64 bits.
  const struct {
    uint64_t limbs[4];
    const char *format, *display, *error;
  } wide[] = {
      // 12345678901234567890.00, and 123456789012345678.9 with zeros.
      {{0xAB54A98CEB1F0AD2, 0, 0, 0}, "d:38,0", NULL, "amount-out-of-range"},
      {{12345678901234567890u, 0, 0, 0}, "d:38,2", "$123,456,789,012,345,678.90", NULL},
      {{0, 1, 0, 0}, "d:38,2", NULL, "amount-out-of-range"},
      {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}, "d:76,2,256", "-$0.01", NULL},
      {{0, 0, 0, 0x8000000000000000}, "d:76,2,256", NULL, "amount-out-of-range"},
      // 15 with 20 zeros behind it: 1.5.
      {{15 * 7766279631452241920u, 15 * 5 + 6 /* the carry */, 0, 0}, "d:38,21", "$1.50", NULL},
  };
  for (size_t index = 0; index < sizeof wide / sizeof *wide; index++) {
    struct ArrowArray amounts;
    struct ArrowSchema schema = make_schema(wide[index].format);
    test_array *data = start_test_array(&amounts, 1, 0, 2);
    data->buffers[1] = copy_buffer(wide[index].limbs, value_size(wide[index].format));
    pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = &schema}, {.text = "USA", .length = 3}};
    pricetag_arrow_options options = {0};
    pricetag_arrow_plan *plan = plan_of(arguments, &options);
    pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {{&amounts, 0}};
    struct ArrowArray result = format(plan, columns, 1);
    text_row expected = {NULL, NULL, wide[index].display, wide[index].error};
    expect_rows(&result, "u", &expected, 1, wide[index].format);
    result.release(&result);
    pricetag_arrow_plan_free(plan);
    amounts.release(&amounts);
  }
  printf("number columns: %zu amounts as expected\n", count + sizeof wide / sizeof *wide);
}

// Locales, currencies and dates, as columns and as constants.
typedef struct {
  const char *storefront, *locale, *currency, *date;
  const char *display, *error;
} key_row;

static void test_keys(void) {
  static const key_row rows[] = {
      {NULL, "en-US", "USD", NULL, "$1.00", NULL},
      {NULL, "en_us", "usd", NULL, "$1.00", NULL},
      {NULL, "en-US", "USD", "2026-02-30", NULL, "malformed-date"},
      {NULL, "en-US", "JPY", NULL, NULL, "missing-formatter"},
      {NULL, "en-US", "XXX", NULL, NULL, "unknown-currency"},
      {NULL, "en-US", NULL, NULL, NULL, "missing-storefront"},
      {NULL, NULL, "USD", NULL, NULL, "missing-storefront"},
      {NULL, NULL, "XXX", NULL, NULL, "unknown-currency"},
      {NULL, NULL, NULL, "x", NULL, "malformed-date"},
      {NULL, "xx-XX", "XXX", NULL, NULL, "unknown-locale"},
      {NULL, "q", "USD", NULL, NULL, "malformed-locale"},
      {NULL, "", "USD", NULL, NULL, "malformed-locale"},
      {NULL, "en-US-u-nu-latn", "USD", NULL, NULL, "unexpected-extension"},
      {NULL, "en@x", "USD", NULL, NULL, "unexpected-extension"},
      {"USA", NULL, NULL, NULL, "$1.00", NULL},
      {"USA", NULL, "USD", NULL, "$1.00", NULL},
      {"USA", NULL, "RKT", NULL, "1 coins", NULL},
      {"USA", NULL, "EUR", NULL, NULL, "currency-mismatch"},
      {"USA", NULL, "XXX", NULL, NULL, "unknown-currency"},
      {"XXX", NULL, "XXX", "x", NULL, "unknown-currency"},
      {"XXX", NULL, NULL, "x", NULL, "malformed-date"},
      {"BGR", NULL, NULL, NULL, NULL, "missing-date"},
      {"BGR", NULL, NULL, "2025-12-31", "$1.00", NULL},
      {"BGR", NULL, NULL, "2026-01-01", "1,00\u00a0€", NULL},
      {"BGR", NULL, "EUR", "2025-12-31", NULL, "currency-mismatch"},
      {"BGR", NULL, NULL, "0001-01-01", "$1.00", NULL},
      {"BGR", NULL, NULL, "9999-12-31", "1,00\u00a0€", NULL},
      {"BGR", NULL, NULL, "0000-01-01", NULL, "malformed-date"},
      {"BGR", NULL, NULL, "2025-02-29", NULL, "malformed-date"},
      {"BGR", NULL, NULL, "2024-02-29", "$1.00", NULL},
      {"BGR", NULL, NULL, "1900-02-29", NULL, "malformed-date"},
      {"BGR", NULL, NULL, "2025-1-01", NULL, "malformed-date"},
      {"BGR", NULL, NULL, "2025-13-01", NULL, "malformed-date"},
  };
  enum { ROWS = sizeof rows / sizeof *rows };
  // Rows with a storefront, and rows with a locale; a dictionary of each argument in the second round.
  for (int round = 0; round < 4; round++) {
    bool has_storefronts = round & 1, has_dictionaries = round & 2;
    const char *texts[4][ROWS];
    text_row expected[ROWS];
    int64_t count = 0, indices[ROWS];
    for (size_t index = 0; index < ROWS; index++) {
      if ((rows[index].storefront != NULL) != has_storefronts) continue;
      texts[0][count] = rows[index].storefront;
      texts[1][count] = rows[index].locale;
      texts[2][count] = rows[index].currency;
      texts[3][count] = rows[index].date;
      indices[count] = count;
      expected[count++] = (text_row){NULL, NULL, rows[index].display, rows[index].error};
    }
    struct ArrowSchema values[4], schemas[4];
    struct ArrowArray arrays[4];
    pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.text = "1", .length = 1}};
    pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {{NULL, 0}};
    for (int argument = 0; argument < 4; argument++) {
      const char *format = text_formats[argument % 3];
      values[argument] = schemas[argument] = make_schema(format);
      make_texts(&arrays[argument], format, texts[argument], count, argument);
      if (has_dictionaries) {
        schemas[argument] = make_schema("I");
        schemas[argument].dictionary = &values[argument];
        make_dictionary(&arrays[argument], "I", indices, count, argument);
      }
      columns[argument + 1].array = &arrays[argument];
      if (argument != has_storefronts) arguments[argument + 1].schema = &schemas[argument];
    }
    pricetag_arrow_options options = {0};
    pricetag_arrow_plan *plan = plan_of(arguments, &options);
    struct ArrowArray result = format(plan, columns, count);
    expect_rows(&result, "u", expected, count, has_storefronts ? "storefronts" : "locales");
    result.release(&result);
    pricetag_arrow_plan_free(plan);
    for (int argument = 0; argument < 4; argument++) arrays[argument].release(&arrays[argument]);
  }
  // Dates as numbers.
  static const struct {
    const char *format;
    int64_t units;
    const char *display, *error;
  } dates[] = {
      {"tdD", 20453, "$1.00", NULL},
      {"tdD", 20454, "1,00\u00a0€", NULL},
      {"tdD", -719162, "$1.00", NULL},
      {"tdD", -719163, NULL, "malformed-date"},
      {"tdD", 2932896, "1,00\u00a0€", NULL},
      {"tdD", 2932897, NULL, "malformed-date"},
      {"tdD", INT32_MIN, NULL, "malformed-date"},
      {"tdD", INT32_MAX, NULL, "malformed-date"},
      {"tdD", -1, "$1.00", NULL},
      {"tdm", 20454 * 86400000LL - 1, "$1.00", NULL},
      {"tdm", 20454 * 86400000LL, "1,00\u00a0€", NULL},
      {"tdm", -1, "$1.00", NULL},
      {"tdm", INT64_MIN, NULL, "malformed-date"},
      {"tdm", INT64_MAX, NULL, "malformed-date"},
      {"tdD", NULL_UNITS, NULL, "missing-date"},
  };
  for (size_t index = 0; index < sizeof dates / sizeof *dates; index++) {
    struct ArrowSchema schema = make_schema(dates[index].format);
    struct ArrowArray array;
    make_units(&array, dates[index].format, &dates[index].units, 1, 2);
    pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {
        {.text = "1", .length = 1}, {.text = "BGR", .length = 3}, {0}, {0}, {.schema = &schema}};
    pricetag_arrow_options options = {0};
    pricetag_arrow_plan *plan = plan_of(arguments, &options);
    pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {[PRICETAG_ARROW_DATE] = {&array, 0}};
    struct ArrowArray result = format(plan, columns, 1);
    text_row expected = {NULL, NULL, dates[index].display, dates[index].error};
    expect_rows(&result, "u", &expected, 1, dates[index].format);
    result.release(&result);
    pricetag_arrow_plan_free(plan);
    array.release(&array);
  }
  printf("keys and dates: %zu rows as expected\n", ROWS + sizeof dates / sizeof *dates);
}

// A column of the null type has null rows.
static void test_null_type(void) {
  struct ArrowSchema nulls = make_schema("n"), text = make_schema("u");
  struct ArrowArray none, amounts, storefronts;
  start_test_array(&none, 2, 0, 0);
  make_texts(&amounts, "u", (const char *const[]){"1", NULL}, 2, 0);
  make_texts(&storefronts, "u", (const char *const[]){"USA", "USA"}, 2, 0);
  pricetag_arrow_options options = {0};
  const text_row expected[2][2] = {{{0}, {0}}, {{NULL, NULL, NULL, "missing-storefront"}, {0}}};
  for (int round = 0; round < 2; round++) {
    pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = round ? &text : &nulls},
                                                                   {.schema = round ? &nulls : &text}};
    pricetag_arrow_plan *plan = plan_of(arguments, &options);
    pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {{round ? &amounts : &none, 0},
                                                               {round ? &none : &storefronts, 0}};
    struct ArrowArray result = format(plan, columns, 2);
    expect_rows(&result, "u", expected[round], 2, "null type");
    result.release(&result);
    pricetag_arrow_plan_free(plan);
  }
  none.release(&none);
  amounts.release(&amounts);
  storefronts.release(&storefronts);
  printf("null type: as expected\n");
}

// Every output, in each layout of text, and children that are moved out of the result.
static void test_outputs(void) {
  for (int layout = 0; layout < 3; layout++) {
    struct ArrowSchema schema = make_schema("u");
    struct ArrowArray amounts;
    make_texts(&amounts, "u", (const char *const[]){"-1234.50", "x", NULL, "1"}, 4, 1);
    pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = &schema}, {.text = "USA", .length = 3}};
    pricetag_arrow_options options = {.text = layout,
                                      .outputs = {PRICETAG_ARROW_PARTS, PRICETAG_ARROW_SPOKEN, PRICETAG_ARROW_DIRECTION,
                                                  PRICETAG_ARROW_ERROR, PRICETAG_ARROW_DISPLAY}};
    pricetag_arrow_plan *plan = plan_of(arguments, &options);
    pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {{&amounts, 0}};
    struct ArrowArray result = format(plan, columns, 4);
    struct ArrowSchema result_schema;
    CHECK(pricetag_arrow_plan_schema(plan, &result_schema, NULL) == PRICETAG_OK, "no schema");
    // The result needs neither the plan nor the arrays.
    pricetag_arrow_plan_free(plan);
    amounts.release(&amounts);
    static const char *const names[] = {"parts", "spoken", "direction", "error", "display"};
    CHECK(result_schema.n_children == 5 && result.n_children == 5, "not five outputs");
    for (int child = 0; child < 5; child++)
      CHECK(is_same(result_schema.children[child]->name, names[child]), "a wrong name");
    CHECK(is_same(result_schema.children[4]->format, text_formats[layout]), "a wrong layout");
    CHECK(is_same(result_schema.children[0]->children[0]->children[0]->dictionary->format, "u"),
          "no dictionary of kinds");
    result_schema.release(&result_schema);

    struct ArrowArray moved[5];
    for (int child = 0; child < 5; child++) {
      moved[child] = *result.children[child];
      result.children[child]->release = NULL;
    }
    if (layout) result.release(&result);
    CHECK(is_same(text_of(&moved[4], text_formats[layout], 0), "-$1,234.50"), "a wrong display");
    CHECK(is_same(text_of(&moved[1], text_formats[layout], 0), "-1,234.50 US dollars"), "a wrong spoken form");
    CHECK(is_same(text_of(&moved[1], text_formats[layout], 3), "1.00 US dollars"), "a wrong spoken form");
    CHECK(is_same(text_of(&moved[3], "", 1), "malformed-amount") && !text_of(&moved[3], "", 2), "wrong errors");
    CHECK(is_same(text_of(&moved[2], "", 0), "ltr") && !text_of(&moved[2], "", 1), "wrong directions");
    for (int child = 0; child < 5; child++) {
      CHECK(child == 3 || (is_null_at(&moved[child], 1) && is_null_at(&moved[child], 2)),
            "rows without a price are not null");
    }
    const int32_t *ends = (const int32_t *)moved[0].buffers[1];
    struct ArrowArray items = *moved[0].children[0];
    moved[0].children[0]->release = NULL;
    struct ArrowArray kinds = *items.children[0];
    items.children[0]->release = NULL;
    static const char *const parts[][2] = {{"sign", "-"},      {"symbol", "$"},  {"integer", "1"},  {"group", ","},
                                           {"integer", "234"}, {"decimal", "."}, {"fraction", "50"}};
    // The sample patterns of the pack have a sign and a symbol as one part.
    CHECK(ends[0] == 0 && ends[1] > 0 && ends[2] == ends[1] && ends[3] == ends[1], "wrong offsets of parts");
    char joined[64] = "";
    for (int32_t part = 0; part < ends[1]; part++) strcat(joined, text_of(items.children[1], "u", part));
    CHECK(is_same(joined, "-$1,234.50"), "the parts are %s", joined);
    for (int32_t part = ends[1] - 5; part < ends[1]; part++) {
      const char *const *expected = parts[part - ends[1] + 7];
      CHECK(is_same(text_of(&kinds, "", part), expected[0]) &&
                is_same(text_of(items.children[1], "u", part), expected[1]),
            "a wrong part %d", (int)part);
    }
    moved[0].release(&moved[0]);
    items.release(&items);
    struct ArrowArray dictionary = *kinds.dictionary;
    kinds.dictionary->release = NULL;
    kinds.release(&kinds);
    CHECK(is_same(text_of(&dictionary, "u", 0), "literal") && is_same(text_of(&dictionary, "u", 9), "unit"),
          "wrong kinds");
    dictionary.release(&dictionary);
    for (int child = 4; child > 0; child--) moved[child].release(&moved[child]);
    if (!layout) result.release(&result);
  }
  printf("outputs: as expected\n");
}

// A pack without the spoken form, and an output without the display.
static void test_missing_spoken(void) {
  struct ArrowSchema schema = make_schema("l");
  struct ArrowArray amounts;
  make_units(&amounts, "l", (const int64_t[]){1, 2}, 2, 0);
  struct ArrowSchema text = make_schema("u");
  struct ArrowArray storefronts;
  make_texts(&storefronts, "u", (const char *const[]){"JPN", "USA"}, 2, 0);
  pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = &schema}, {.schema = &text}};
  pricetag_arrow_options options = {.outputs = {PRICETAG_ARROW_SPOKEN, PRICETAG_ARROW_ERROR}};
  pricetag_arrow_plan *plan = plan_of(arguments, &options);
  pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {{&amounts, 0}, {&storefronts, 0}};
  struct ArrowArray result = format(plan, columns, 2);
  const text_row expected[] = {{NULL, NULL, NULL, "missing-formatter"}, {NULL, NULL, "2.00 US dollars", NULL}};
  expect_rows(&result, "u", expected, 2, "spoken");
  result.release(&result);
  pricetag_arrow_plan_free(plan);
  amounts.release(&amounts);
  storefronts.release(&storefronts);
  printf("missing spoken form: as expected\n");
}

// A record batch: its offset and its nulls apply to the columns.
static void test_batches(void) {
  enum { ROWS = 5, OFFSET = 3 };
  struct ArrowSchema integers = make_schema("i"), text = make_schema("u");
  struct ArrowArray children[3], batch;
  make_units(&children[0], "i", (const int64_t[]){9, 9, 9, 1, 2, NULL_UNITS, 4, 5}, ROWS + OFFSET, 1);
  start_test_array(&children[1], ROWS + OFFSET, 0, 0);
  make_texts(&children[2], "u", (const char *const[]){"x", "x", "x", "USA", "XXX", "USA", "JPN", "USA"}, ROWS + OFFSET,
             4);
  test_array *data = start_test_array(&batch, ROWS, OFFSET, 1);
  const bool is_valid[ROWS] = {true, true, true, true, false};
  data->buffers[0] = new_bitmap(is_valid, ROWS, OFFSET);
  batch.null_count = 1;
  struct ArrowArray *pointers[3] = {&children[0], &children[1], &children[2]};
  batch.children = pointers;
  batch.n_children = 3;
  pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = &integers}, {.schema = &text}};
  pricetag_arrow_options options = {0};
  pricetag_arrow_plan *plan = plan_of(arguments, &options);
  const int64_t places[PRICETAG_ARROW_ARGUMENTS] = {0, 2, -1, -1, -1};
  const text_row expected[ROWS] = {
      {NULL, NULL, "$1.00", NULL}, {NULL, NULL, NULL, "unknown-storefront"}, {0}, {NULL, NULL, "￥4", NULL}, {0}};
  struct ArrowArray result;
  pricetag_arrow_error error;
  CHECK(pricetag_arrow_format_batch(plan, &batch, places, &result, &error) == PRICETAG_OK, "%s", error.message);
  expect_rows(&result, "u", expected, ROWS, "batch");
  result.release(&result);
  // The batch is longer than its columns.
  batch.length = ROWS + 1;
  CHECK(pricetag_arrow_format_batch(plan, &batch, places, &result, &error) == PRICETAG_ARROW_INVALID_ARRAY,
        "rows are missing");
  CHECK(strncmp(error.message, "amount: ", 8) == 0, "%s", error.message);
  batch.length = ROWS;
  const int64_t wrong[][PRICETAG_ARROW_ARGUMENTS] = {
      {0, 3, -1, -1, -1}, {-1, 2, -1, -1, -1}, {0, INT64_MAX, -1, -1, -1}};
  for (int index = 0; index < 3; index++) {
    CHECK(pricetag_arrow_format_batch(plan, &batch, wrong[index], &result, &error) == PRICETAG_ARROW_INVALID_ARRAY,
          "a child is missing");
  }
  pricetag_arrow_plan_free(plan);
  for (int child = 0; child < 3; child++) children[child].release(&children[child]);
  batch.release(&batch);
  printf("batches: as expected\n");
}

// More keys than a plan stores, in random order; each of them must get its own answer, and quickly.
static void test_many_keys(void) {
  enum { KEYS = 100000, ROUNDS = 3 };
  struct ArrowSchema text = make_schema("u"), integers = make_schema("l");
  struct ArrowArray storefronts, amounts;
  test_array *data = start_test_array(&storefronts, KEYS, 0, 3);
  int32_t *offsets = (int32_t *)new_buffer((KEYS + 1) * sizeof *offsets);
  char *bytes = (char *)new_buffer(KEYS * 12);
  int64_t *units = (int64_t *)new_buffer(KEYS * sizeof *units);
  int32_t end = 0;
  for (int32_t row = 0; row < KEYS; row++) {
    offsets[row] = end;
    end += row % 10 == 0 ? snprintf(bytes + end, 12, "USA") : snprintf(bytes + end, 12, "key%d", row * 7919 % KEYS);
    units[row] = row;
  }
  offsets[KEYS] = end;
  data->buffers[1] = offsets;
  data->buffers[2] = bytes;
  data = start_test_array(&amounts, KEYS, 0, 2);
  data->buffers[1] = units;
  pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = &integers}, {.schema = &text}};
  pricetag_arrow_options options = {.unit = PRICETAG_ARROW_MINOR};
  // The second round has the same keys in a dictionary that is too large for a map.
  for (int round = 0; round < 2; round++) {
    struct ArrowSchema indices = make_schema("i");
    indices.dictionary = &text;
    if (round) {
      struct ArrowArray values = storefronts;
      int32_t *numbers = (int32_t *)new_buffer(KEYS * sizeof *numbers);
      for (int32_t row = 0; row < KEYS; row++) numbers[row] = row;
      data = start_test_array(&storefronts, KEYS, 0, 2);
      data->buffers[1] = numbers;
      data->dictionary = values;
      storefronts.dictionary = &data->dictionary;
      arguments[PRICETAG_ARROW_STOREFRONT].schema = &indices;
    }
    pricetag_arrow_plan *plan = plan_of(arguments, &options);
    for (int repeat = 0; repeat < ROUNDS; repeat++) {
      pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {{&amounts, 0}, {&storefronts, 0}};
      struct ArrowArray result = format(plan, columns, KEYS);
      for (int32_t row = 0; row < KEYS; row++) {
        char expected[32];
        snprintf(expected, sizeof expected, "$%d.%02d", row / 100, row % 100);
        bool is_usa = row % 10 == 0;
        CHECK(is_usa == (text_of(result.children[1], "", row) == NULL), "row %d", row);
        CHECK(!is_usa || is_same(text_of(result.children[0], "u", row), expected), "row %d", row);
        CHECK(is_usa || is_same(text_of(result.children[1], "", row), "unknown-storefront"), "row %d", row);
      }
      result.release(&result);
    }
    pricetag_arrow_plan_free(plan);
  }
  storefronts.release(&storefronts);
  amounts.release(&amounts);
  printf("many keys: as expected\n");
}

// The batch of int64 amounts and a column of storefronts, which has a loop of its own, must be that of the general loop,
// which writes large_utf8.
static void test_keyed_rows(void) {
  enum { ROWS = 900, NAMES = 7, START = 3 };
  static const char *const names[NAMES] = {"USA", "XXX", "JPN", NULL, "DEU", "USA", "BGR"};
  static const char *const texts[NAMES] = {"USA", "XXX", "JPN", "", "DEU", "an unknown storefront", "BGR"};
  static const char *const text_formats[] = {"u", "U", "vu"};
  const char *row_texts[ROWS];
  static const int64_t amounts[] = {0,          1,         -1,       499,       123456,    99999999, 100000000, -7,
                                    1000000000, INT64_MAX, INT64_MIN, 1500000, -2500000, 12,       8};
  int64_t units[ROWS], indices[ROWS], errors = 0;
  for (int row = 0; row < ROWS; row++) {
    units[row] = amounts[row % (int)(sizeof amounts / sizeof *amounts)];
    indices[row] = row / 40 % 3 ? row % NAMES : row / 50 % NAMES;
    row_texts[row] = texts[indices[row]];
  }
  for (int type = 1; type < INDEX_FORMATS + 3; type++) {
    const bool is_dictionary = type < INDEX_FORMATS;
    const char *key_format = is_dictionary ? index_formats[type] : text_formats[type - INDEX_FORMATS];
    for (int unit = PRICETAG_ARROW_MAJOR; unit <= PRICETAG_ARROW_MICROS; unit++) {
      struct ArrowSchema integers = make_schema("l"), text = make_schema("u"), keys = make_schema(key_format);
      struct ArrowArray amounts_array, storefronts, results[2];
      make_units(&amounts_array, "l", units, ROWS, type % 3);
      if (is_dictionary) {
        keys.dictionary = &text;
        make_texts(&storefronts, "u", names, NAMES, type % 4);
        make_dictionary(&storefronts, key_format, indices, ROWS, type % 2);
      } else {
        make_texts(&storefronts, key_format, row_texts, ROWS, type % 4);
      }
      pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = &integers}, {.schema = &keys}};
      pricetag_arrow_column columns[PRICETAG_ARROW_ARGUMENTS] = {{&amounts_array, START}, {&storefronts, START}};
      pricetag_arrow_options options = {.unit = unit};
      for (int layout = 0; layout < 2; layout++) {
        options.text = layout ? PRICETAG_ARROW_LARGE_UTF8 : PRICETAG_ARROW_UTF8;
        pricetag_arrow_plan *plan = plan_of(arguments, &options);
        results[layout] = format(plan, columns, ROWS - START);
        // A second batch finds the formatters of the first one.
        struct ArrowArray again = format(plan, columns, 1);
        CHECK(is_same(text_of(again.children[0], layout ? "U" : "u", 0),
                      text_of(results[layout].children[0], layout ? "U" : "u", 0)),
              "another price");
        again.release(&again);
        pricetag_arrow_plan_free(plan);
      }
      for (int64_t row = 0; row < ROWS - START; row++) {
        const char *error = text_of(results[0].children[1], "", row);
        const char *display = text_of(results[0].children[0], "u", row);
        CHECK(is_same(display, text_of(results[1].children[0], "U", row)) &&
                  is_same(error, text_of(results[1].children[1], "", row)),
              "keys %s, unit %d, row %d: %s", key_format, unit, (int)row, display ? display : error);
        CHECK(!display != !error, "row %d has a price and an error, or neither", (int)row);
        errors += error != NULL;
      }
      for (int child = 0; child < 2; child++) {
        CHECK(results[0].children[child]->null_count == results[1].children[child]->null_count, "other nulls");
      }
      if (is_dictionary) {
        // Indices outside the dictionary, in the last row.
        int64_t outside = type % 2 ? -1 : NAMES;
        size_t size = value_size(key_format);
        memcpy((uint8_t *)(uintptr_t)storefronts.buffers[1] + (size_t)(ROWS - 1 + type % 2) * size, &outside, size);
        options.text = PRICETAG_ARROW_UTF8;
        pricetag_arrow_plan *plan = plan_of(arguments, &options);
        pricetag_arrow_error refused;
        struct ArrowArray none;
        CHECK(pricetag_arrow_format(plan, columns, ROWS - START, &none, &refused) == PRICETAG_ARROW_INVALID_ARRAY &&
                  strstr(refused.message, "storefront, row 896: the index is outside the dictionary, which has 7 values"),
              "%s", refused.message);
        pricetag_arrow_plan_free(plan);
      }
      for (int layout = 0; layout < 2; layout++) results[layout].release(&results[layout]);
      amounts_array.release(&amounts_array);
      storefronts.release(&storefronts);
    }
  }
  CHECK(errors > 1000, "only %d rows have an error", (int)errors);
  printf("rows by one column of keys: as in the general loop\n");
}

// ---- Plans that are refused

typedef struct {
  const char *amount, *amount_dictionary, *storefront, *storefront_dictionary;
  int32_t status;
  const char *message;
} plan_row;

static void test_refused_types(void) {
  static const plan_row rows[] = {
      {"g", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE,
       "amount: the column is float64, and binary floating point cannot hold 0.10"},
      {"f", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: the column is float32"},
      {"e", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: the column is float16"},
      {"i", "g", "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: the column is float64"},
      {"b", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: the column has the type bool"},
      {"+r", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: the column has the type run_end_encoded"},
      {"+s", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: the column has the type struct"},
      {"tdD", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: the column has the type date32"},
      {"z", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: the column has the type binary"},
      {"", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: the column has the type \"\""},
      {"d:", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: the column has the type decimal"},
      {"d:38", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: "},
      {"d:38,", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: "},
      {"d:38,2,", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: "},
      {"d:38,2,512", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: "},
      {"d:39,2", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: "},
      {"d:0,2", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: "},
      {"d:38,2x", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: "},
      {"d:38,99999", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: "},
      {"d:99999999999,2", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: "},
      {"uu", NULL, "u", NULL, PRICETAG_ARROW_WRONG_TYPE, "amount: "},
      {"i", NULL, "i", NULL, PRICETAG_ARROW_WRONG_TYPE, "storefront: the column has the type int32 (\"i\")"},
      {"i", NULL, "i", "i", PRICETAG_ARROW_WRONG_TYPE, "storefront: the column has the type int32 (\"i\")"},
      {"i", NULL, "\x01\xff", NULL, PRICETAG_ARROW_WRONG_TYPE, "storefront: the column has the type \"?"},
      {"i", NULL, "u", "u", PRICETAG_ARROW_INVALID_ARRAY, "storefront: the dictionary has indices of the type \"u\""},
      {"i", NULL, NULL, NULL, PRICETAG_ARROW_INVALID_ARRAY, "storefront: the schema has no format"},
  };
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
    const plan_row *row = &rows[index];
    struct ArrowSchema schemas[2] = {make_schema(row->amount), make_schema(row->storefront)};
    struct ArrowSchema dictionaries[2] = {make_schema(row->amount_dictionary), make_schema(row->storefront_dictionary)};
    if (row->amount_dictionary) schemas[0].dictionary = &dictionaries[0];
    if (row->storefront_dictionary) schemas[1].dictionary = &dictionaries[1];
    pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = &schemas[0]}, {.schema = &schemas[1]}};
    pricetag_arrow_options options = {0};
    pricetag_arrow_plan *plan = NULL;
    pricetag_arrow_error error;
    int32_t status = pricetag_arrow_plan_create(pack, arguments, &options, &plan, &error);
    CHECK(status == row->status && error.status == status && !plan, "%zu: status %d", index, (int)status);
    CHECK(strncmp(error.message, row->message, strlen(row->message)) == 0, "%zu: %s", index, error.message);
    CHECK(error.fix[0] && strcmp(error.code, status == PRICETAG_ARROW_WRONG_TYPE ? "wrong-type" : "invalid-array") == 0,
          "%zu: %s", index, error.code);
    CHECK(pricetag_arrow_plan_create(pack, arguments, &options, &plan, NULL) == status, "%zu: another status", index);
  }
  // Schemas that were released, or have levels that they must not have.
  struct ArrowSchema integers = make_schema("i");
  for (int kind = 0; kind < 5; kind++) {
    struct ArrowSchema values = make_schema("u"), inner = make_schema("u"), schema = make_schema("i");
    schema.dictionary = &values;
    if (kind == 0) schema.release = NULL;
    if (kind == 1) values.release = NULL;
    if (kind == 2) values.dictionary = &inner;
    if (kind == 3) values.n_children = 1;
    if (kind == 4) schema.n_children = -1;
    pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {{.schema = &integers}, {.schema = &schema}};
    pricetag_arrow_options options = {0};
    pricetag_arrow_plan *plan = NULL;
    pricetag_arrow_error error;
    int32_t status = pricetag_arrow_plan_create(pack, arguments, &options, &plan, &error);
    CHECK(status == PRICETAG_ARROW_INVALID_ARRAY && strncmp(error.message, "storefront: ", 12) == 0, "%d: %s", kind,
          error.message);
  }
  printf("refused types: as expected\n");
}

static void test_refused_options(void) {
  struct ArrowSchema integers = make_schema("l"), text = make_schema("u");
  const pricetag_style iso = {.width = PRICETAG_WIDTH_ISO}, formal = {.width = PRICETAG_WIDTH_FORMAL};
#define TEXT(value) {.text = value, .length = sizeof value - 1}
#define INTEGERS {.schema = &integers}
#define TEXTS {.schema = &text}
#define ABSENT     \
  {                \
    .schema = NULL \
  }
  const struct {
    pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS];
    pricetag_arrow_options options;
    int32_t status;
    const char *code, *message;
  } rows[] = {
      {{ABSENT, TEXTS}, {0}, PRICETAG_ARROW_INVALID_OPTION, "invalid-option", "there is no amount"},
      {{INTEGERS}, {0}, PRICETAG_ARROW_INVALID_OPTION, "invalid-option", "the storefront is missing"},
      {{INTEGERS, ABSENT, TEXTS}, {0}, PRICETAG_ARROW_INVALID_OPTION, "invalid-option", "the currency is missing"},
      {{INTEGERS, ABSENT, ABSENT, TEXTS},
       {0},
       PRICETAG_ARROW_INVALID_OPTION,
       "invalid-option",
       "the locale or the storefront is missing"},
      {{INTEGERS, TEXTS, TEXTS, TEXTS},
       {0},
       PRICETAG_ARROW_INVALID_OPTION,
       "invalid-option",
       "a storefront and a locale exclude"},
      {{TEXTS, TEXTS},
       {.unit = PRICETAG_ARROW_MINOR},
       PRICETAG_ARROW_WRONG_TYPE,
       "wrong-type",
       "amount: a column of minor units must be integers"},
      {{TEXT("1"), TEXTS},
       {.unit = PRICETAG_ARROW_MICROS},
       PRICETAG_ARROW_WRONG_TYPE,
       "wrong-type",
       "amount: a constant counts major units, not micros"},
      {{INTEGERS, TEXTS}, {.unit = 3}, PRICETAG_ARROW_INVALID_OPTION, "invalid-option", "the option unit"},
      {{INTEGERS, TEXTS}, {.unit = -1}, PRICETAG_ARROW_INVALID_OPTION, "invalid-option", "the option unit"},
      {{INTEGERS, TEXTS}, {.rounding = 8}, PRICETAG_ARROW_INVALID_OPTION, "invalid-option", "the option rounding"},
      {{INTEGERS, TEXTS}, {.text = 3}, PRICETAG_ARROW_INVALID_OPTION, "invalid-option", "the option text"},
      {{INTEGERS, TEXTS}, {.date = 20260230}, PRICETAG_ARROW_MALFORMED_DATE, "malformed-date", "the date 20260230"},
      {{INTEGERS, TEXTS}, {.date = -20260101}, PRICETAG_ARROW_MALFORMED_DATE, "malformed-date", "the date -20260101"},
      {{INTEGERS, TEXTS},
       {.outputs = {1, 1}},
       PRICETAG_ARROW_INVALID_OPTION,
       "invalid-option",
       "output 1 is named twice"},
      {{INTEGERS, TEXTS}, {.outputs = {6}}, PRICETAG_ARROW_INVALID_OPTION, "invalid-option", "output 6 is unknown"},
      {{INTEGERS, TEXTS}, {.style = &formal}, PRICETAG_MISSING_STYLE, "missing-style", ""},
      {{INTEGERS, TEXT("XXX")}, {0}, PRICETAG_UNKNOWN_STOREFRONT, "unknown-storefront", "storefront \"XXX\""},
      {{INTEGERS, TEXT("BGR")}, {0}, PRICETAG_MISSING_DATE, "missing-date", "storefront \"BGR\""},
      {{INTEGERS, TEXT("USA"), ABSENT, TEXT("EUR")},
       {0},
       PRICETAG_CURRENCY_MISMATCH,
       "currency-mismatch",
       "storefront \"USA\""},
      {{INTEGERS, TEXTS, ABSENT, TEXT("XXX")}, {0}, PRICETAG_UNKNOWN_CURRENCY, "unknown-currency", "currency \"XXX\""},
      {{INTEGERS, ABSENT, TEXT("xx"), TEXTS}, {0}, PRICETAG_UNKNOWN_LOCALE, "unknown-locale", "locale \"xx\""},
      {{INTEGERS, ABSENT, TEXT("en-US"), TEXT("JPY")},
       {0},
       PRICETAG_MISSING_FORMATTER,
       "missing-formatter",
       "locale \"en-US\""},
      {{INTEGERS, ABSENT, TEXT("en-US"), TEXT("RKT")},
       {.unit = PRICETAG_ARROW_MINOR},
       PRICETAG_ARROW_NO_MINOR_UNIT,
       "no-minor-unit",
       "currency \"RKT\""},
      {{INTEGERS, TEXTS, ABSENT, ABSENT, TEXT("2026-02-30")},
       {0},
       PRICETAG_ARROW_MALFORMED_DATE,
       "malformed-date",
       "date \"2026-02-30\""},
      {{TEXT("4,99"), TEXTS}, {0}, PRICETAG_MALFORMED_AMOUNT, "malformed-amount", "amount \"4,99\""},
      {{TEXT("1e9"), TEXTS}, {0}, PRICETAG_MALFORMED_AMOUNT, "malformed-amount", "amount \"1e9\""},
      {{INTEGERS, TEXT("U\0A")}, {0}, PRICETAG_INVALID_ARGUMENT, "invalid-argument", "storefront \"U"},
      {{INTEGERS, TEXTS, ABSENT, ABSENT, INTEGERS},
       {0},
       PRICETAG_ARROW_WRONG_TYPE,
       "wrong-type",
       "date: the column has the type int64"},
      {{INTEGERS, TEXTS}, {.style = &iso}, PRICETAG_OK, "", ""},
      {{TEXT("4.99"), TEXTS}, {0}, PRICETAG_OK, "", ""},
      {{INTEGERS, TEXT("BGR"), ABSENT, ABSENT, TEXT("2026-01-01")}, {.date = 20250101}, PRICETAG_OK, "", ""},
  };
  for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
    pricetag_arrow_plan *plan = NULL;
    pricetag_arrow_error error = {0};
    int32_t status = pricetag_arrow_plan_create(pack, rows[index].arguments, &rows[index].options, &plan, &error);
    CHECK(status == rows[index].status && (plan != NULL) == (status == PRICETAG_OK), "%zu: status %d, %s", index,
          (int)status, error.message);
    CHECK(strcmp(error.code, rows[index].code) == 0, "%zu: %s", index, error.code);
    CHECK(strncmp(error.message, rows[index].message, strlen(rows[index].message)) == 0, "%zu: %s", index,
          error.message);
    CHECK(status == PRICETAG_OK || error.fix[0], "%zu: no fix", index);
    pricetag_arrow_plan_free(plan);
  }
  char longest[300];
  memset(longest, 'x', sizeof longest);
  pricetag_arrow_argument arguments[PRICETAG_ARROW_ARGUMENTS] = {INTEGERS, {.text = longest, .length = sizeof longest}};
  pricetag_arrow_options options = {0};
  pricetag_arrow_plan *plan = NULL;
  pricetag_arrow_error error;
  CHECK(pricetag_arrow_plan_create(pack, arguments, &options, &plan, &error) == PRICETAG_INVALID_ARGUMENT,
        "a long name");
  CHECK(pricetag_arrow_plan_create(NULL, arguments, &options, &plan, &error) == PRICETAG_INVALID_ARGUMENT, "no pack");
  CHECK(pricetag_arrow_plan_create(pack, NULL, &options, &plan, &error) == PRICETAG_INVALID_ARGUMENT, "no arguments");
  CHECK(pricetag_arrow_plan_create(pack, arguments, NULL, &plan, &error) == PRICETAG_INVALID_ARGUMENT, "no options");
  CHECK(pricetag_arrow_plan_create(pack, arguments, &options, NULL, &error) == PRICETAG_INVALID_ARGUMENT, "no plan");
  CHECK(pricetag_arrow_plan_schema(NULL, NULL, &error) == PRICETAG_INVALID_ARGUMENT, "no plan");
  CHECK(pricetag_arrow_format(NULL, NULL, 0, NULL, &error) == PRICETAG_INVALID_ARGUMENT, "no plan");
  CHECK(pricetag_arrow_format_batch(NULL, NULL, NULL, NULL, NULL) == PRICETAG_INVALID_ARGUMENT, "no plan");
  pricetag_arrow_plan_free(NULL);
  printf("refused options: as expected\n");
}

int main(int count, char **values) {
  if (count != 2 || pricetag_pack_open_file(values[1], &pack) != PRICETAG_OK) {
    fprintf(stderr, "usage: columns PACK\n");
    return 2;
  }
  test_text_columns();
  test_number_columns();
  test_keys();
  test_null_type();
  test_outputs();
  test_missing_spoken();
  test_batches();
  test_many_keys();
  test_keyed_rows();
  test_refused_types();
  test_refused_options();
  pricetag_pack_close(pack);
  return 0;
}
