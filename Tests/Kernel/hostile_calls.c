// Calls every function with arguments that no function may trust: NULL, negative and huge sizes, exponents and dates out of
// range, results that overlap, and packs that would take long to check. Each has an expected status, and changes no result.
//
//     hostile_calls PACK FOLDER      FOLDER is for files

#define _GNU_SOURCE
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int failures, checks;

#define EXPECT(call, expected)                                                                          \
  do {                                                                                                  \
    int32_t status = (call);                                                                            \
    checks++;                                                                                           \
    if (status != (expected)) {                                                                         \
      fprintf(stderr, "%s:%d: %s is %s, not %s\n", __FILE__, __LINE__, #call, pricetag_status_code(status), #expected); \
      failures++;                                                                                       \
    }                                                                                                   \
  } while (0)

// Results that no failed call may change.
static const pricetag_pack *no_pack;
static const pricetag_formatter *no_formatter;
static pricetag_text no_text;
static int64_t no_units = 77;
static int32_t no_number = 77;
static size_t no_size = 77;
static char no_buffer[MAXIMUM_PRICE];

static void expect_no_results(int line) {
  static const char zeros[sizeof no_buffer];
  checks++;
  if (no_pack || no_formatter || no_text.bytes || no_text.length || no_units != 77 || no_number != 77 || no_size != 77 ||
      memcmp(no_buffer, zeros, sizeof zeros) != 0) {
    fprintf(stderr, "%s:%d: a failed call has changed a result\n", __FILE__, line);
    failures++;
  }
}

static void check_arguments(const pricetag_pack *pack, const uint8_t *bytes, size_t size, const pricetag_formatter *usa) {
  enum { BAD = PRICETAG_INVALID_ARGUMENT };
  char *buffer = no_buffer;
  const int64_t *units = sample_units;
  int32_t offsets[2];
  pricetag_part parts[1];

  EXPECT(pricetag_pack_open(NULL, size, &no_pack), BAD);
  EXPECT(pricetag_pack_open(NULL, 0, &no_pack), BAD);
  EXPECT(pricetag_pack_open(bytes, size, NULL), BAD);
  EXPECT(pricetag_pack_open(bytes, SIZE_MAX, &no_pack), BAD);
  EXPECT(pricetag_pack_open(bytes, (size_t)PTRDIFF_MAX + 1, &no_pack), BAD);
  EXPECT(pricetag_pack_open(bytes, PTRDIFF_MAX, &no_pack), PRICETAG_TRUNCATED);
  EXPECT(pricetag_pack_open(bytes, ((size_t)1 << 32) + size, &no_pack), PRICETAG_TRUNCATED);
  EXPECT(pricetag_pack_open_file(NULL, &no_pack), BAD);
  EXPECT(pricetag_pack_open_file("/no/such/file", NULL), BAD);
  pricetag_pack_close(NULL);

  EXPECT(pricetag_pack_version(NULL, "icu", &no_text), BAD);
  EXPECT(pricetag_pack_version(pack, NULL, &no_text), BAD);
  EXPECT(pricetag_pack_version(pack, "icu", NULL), BAD);
  EXPECT(pricetag_pack_version(pack, "", &no_text), PRICETAG_UNKNOWN_VERSION);
  EXPECT(pricetag_pack_storefront(NULL, 0, &no_text), BAD);
  EXPECT(pricetag_pack_storefront(pack, 0, NULL), BAD);
  EXPECT(pricetag_pack_currency(NULL, 0, &no_text), BAD);
  EXPECT(pricetag_pack_currency(pack, 0, NULL), BAD);
  static const size_t indexes[] = {1000000, PTRDIFF_MAX, (size_t)PTRDIFF_MAX + 1, SIZE_MAX};
  for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
    EXPECT(pricetag_pack_storefront(pack, indexes[i], &no_text), PRICETAG_UNKNOWN_STOREFRONT);
    EXPECT(pricetag_pack_currency(pack, indexes[i], &no_text), PRICETAG_UNKNOWN_CURRENCY);
  }
  EXPECT(pricetag_storefront(NULL, "USA", 0, &no_text, NULL), BAD);
  EXPECT(pricetag_storefront(pack, NULL, 0, &no_text, NULL), BAD);
  EXPECT(pricetag_storefront(pack, "USA", -1, &no_text, NULL), BAD);
  EXPECT(pricetag_storefront(pack, "USA", INT32_MIN, &no_text, NULL), BAD);
  static const struct {
    int32_t date, status;
  } dates[] = {{0, PRICETAG_OK},        {10101, PRICETAG_OK},    {20240229, PRICETAG_OK}, {20000229, PRICETAG_OK},
               {99991231, PRICETAG_OK}, {INT32_MAX, BAD},        {100000101, BAD},        {1, BAD},
               {1231, BAD},             {20260000, BAD},         {20260100, BAD},         {20260001, BAD},
               {20261301, BAD},         {20260132, BAD},         {20260431, BAD},         {20260229, BAD},
               {19000229, BAD},         {20269999, BAD},         {20260230, BAD}};
  for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
    EXPECT(pricetag_storefront(pack, "USA", dates[i].date, NULL, NULL), dates[i].status);
    if (dates[i].status != BAD) continue;
    EXPECT(pricetag_formatter_for_storefront(pack, "USA", dates[i].date, NULL, &no_formatter), BAD);
    EXPECT(pricetag_formatter_for_storefront_in(pack, "USA", "USD", dates[i].date, NULL, &no_formatter), BAD);
  }
  EXPECT(pricetag_storefront(pack, "", 0, &no_text, NULL), PRICETAG_UNKNOWN_STOREFRONT);
  EXPECT(pricetag_storefront(pack, "U", 0, &no_text, NULL), PRICETAG_UNKNOWN_STOREFRONT);
  EXPECT(pricetag_storefront(pack, "USAA", 0, &no_text, NULL), PRICETAG_UNKNOWN_STOREFRONT);
  EXPECT(pricetag_storefront(pack, "\xFF\xFE\xFD", 0, &no_text, NULL), PRICETAG_UNKNOWN_STOREFRONT);
  EXPECT(pricetag_minor_unit_digits(NULL, "USD", &no_number), BAD);
  EXPECT(pricetag_minor_unit_digits(pack, NULL, &no_number), BAD);
  EXPECT(pricetag_minor_unit_digits(pack, "USD", NULL), BAD);
  EXPECT(pricetag_minor_unit_digits(pack, "", &no_number), PRICETAG_UNKNOWN_CURRENCY);

  EXPECT(pricetag_formatter_for_storefront(NULL, "USA", 0, NULL, &no_formatter), BAD);
  EXPECT(pricetag_formatter_for_storefront(pack, NULL, 0, NULL, &no_formatter), BAD);
  EXPECT(pricetag_formatter_for_storefront(pack, "USA", -20260101, NULL, &no_formatter), BAD);
  EXPECT(pricetag_formatter_for_storefront(pack, "USA", 0, NULL, NULL), BAD);
  EXPECT(pricetag_formatter_for_storefront_in(NULL, "USA", "USD", 0, NULL, &no_formatter), BAD);
  EXPECT(pricetag_formatter_for_storefront_in(pack, NULL, "USD", 0, NULL, &no_formatter), BAD);
  EXPECT(pricetag_formatter_for_storefront_in(pack, "USA", NULL, 0, NULL, &no_formatter), BAD);
  EXPECT(pricetag_formatter_for_storefront_in(pack, "USA", "USD", -1, NULL, &no_formatter), BAD);
  EXPECT(pricetag_formatter_for_storefront_in(pack, "USA", "USD", 0, NULL, NULL), BAD);
  EXPECT(pricetag_formatter_for_storefront_in(pack, "USA", "EUR", 0, NULL, &no_formatter), PRICETAG_CURRENCY_MISMATCH);
  EXPECT(pricetag_formatter_for_locale(NULL, "en-US", "USD", NULL, &no_formatter), BAD);
  EXPECT(pricetag_formatter_for_locale(pack, NULL, "USD", NULL, &no_formatter), BAD);
  EXPECT(pricetag_formatter_for_locale(pack, "en-US", NULL, NULL, &no_formatter), BAD);
  EXPECT(pricetag_formatter_for_locale(pack, "en-US", "USD", NULL, NULL), BAD);
  EXPECT(pricetag_formatter_for_locale(pack, "", "USD", NULL, &no_formatter), PRICETAG_UNKNOWN_LOCALE);
  pricetag_style style;
  memset(&style, 0xFF, sizeof style);
  EXPECT(pricetag_formatter_for_locale(pack, "en-US", "USD", &style, &no_formatter), PRICETAG_MISSING_STYLE);
  checks += 3;
  if (pricetag_formatter_spoken(NULL) || pricetag_formatter_capacity(NULL) || pricetag_formatter_digits(NULL)) failures++;

  EXPECT(pricetag_parse(NULL, 1, &no_units, &no_number), BAD);
  EXPECT(pricetag_parse(NULL, 0, &no_units, &no_number), PRICETAG_MALFORMED_AMOUNT);
  EXPECT(pricetag_parse("1", SIZE_MAX, &no_units, &no_number), BAD);
  EXPECT(pricetag_parse("1", 1, NULL, &no_number), BAD);
  EXPECT(pricetag_parse("1", 1, &no_units, NULL), BAD);
  EXPECT(pricetag_parse("", 0, &no_units, &no_number), PRICETAG_MALFORMED_AMOUNT);
  EXPECT(pricetag_parse("1\0" "2", 3, &no_units, &no_number), PRICETAG_MALFORMED_AMOUNT);
  EXPECT(pricetag_parse("1.0000000000000000001", 21, &no_units, &no_number), PRICETAG_AMOUNT_OUT_OF_RANGE);

  EXPECT(pricetag_format(NULL, "1", 1, 0, buffer, sizeof no_buffer, &no_size), BAD);
  EXPECT(pricetag_format(usa, NULL, 1, 0, buffer, sizeof no_buffer, &no_size), BAD);
  EXPECT(pricetag_format(usa, NULL, 0, 0, buffer, sizeof no_buffer, &no_size), PRICETAG_MALFORMED_AMOUNT);
  EXPECT(pricetag_format(usa, "1", SIZE_MAX, 0, buffer, sizeof no_buffer, &no_size), BAD);
  EXPECT(pricetag_format(usa, "1", 1, 0, buffer, SIZE_MAX, &no_size), BAD);
  EXPECT(pricetag_format(usa, "1", 1, 0, NULL, sizeof no_buffer, &no_size), BAD);
  EXPECT(pricetag_format(usa, "1", 1, 0, buffer, sizeof no_buffer, NULL), BAD);
  EXPECT(pricetag_format(usa, "1", 1, 8, buffer, sizeof no_buffer, &no_size), BAD);
  EXPECT(pricetag_format(usa, "1", 1, -1, buffer, sizeof no_buffer, &no_size), BAD);
  EXPECT(pricetag_format(usa, "1e9", 3, 0, buffer, sizeof no_buffer, &no_size), PRICETAG_MALFORMED_AMOUNT);
  EXPECT(pricetag_format(usa, "0.001", 5, 0, buffer, sizeof no_buffer, &no_size), PRICETAG_NEEDS_ROUNDING);

  EXPECT(pricetag_format_units(NULL, 1, 0, 0, buffer, sizeof no_buffer, &no_size), BAD);
  EXPECT(pricetag_format_units(usa, 1, 0, 0, NULL, 1, &no_size), BAD);
  EXPECT(pricetag_format_units(usa, 1, 0, 0, buffer, SIZE_MAX / 2 + 1, &no_size), BAD);
  EXPECT(pricetag_format_units(usa, 1, 0, 0, buffer, sizeof no_buffer, NULL), BAD);
  EXPECT(pricetag_format_units(usa, 1, 0, INT32_MAX, buffer, sizeof no_buffer, &no_size), BAD);
  EXPECT(pricetag_format_units(usa, 1, -1, 0, buffer, sizeof no_buffer, &no_size), PRICETAG_AMOUNT_OUT_OF_RANGE);
  EXPECT(pricetag_format_units(usa, 1, 19, 0, buffer, sizeof no_buffer, &no_size), PRICETAG_AMOUNT_OUT_OF_RANGE);
  EXPECT(pricetag_format_units(usa, 1, INT32_MIN, 0, buffer, sizeof no_buffer, &no_size), PRICETAG_AMOUNT_OUT_OF_RANGE);
  EXPECT(pricetag_format_units(usa, 1, INT32_MAX, 0, buffer, sizeof no_buffer, &no_size), PRICETAG_AMOUNT_OUT_OF_RANGE);

  EXPECT(pricetag_format_column(NULL, units, 1, 2, 0, buffer, sizeof no_buffer, offsets, &no_size), BAD);
  EXPECT(pricetag_format_column(usa, NULL, 1, 2, 0, buffer, sizeof no_buffer, offsets, &no_size), BAD);
  EXPECT(pricetag_format_column(usa, units, SIZE_MAX, 2, 0, buffer, sizeof no_buffer, offsets, &no_size), BAD);
  EXPECT(pricetag_format_column(usa, units, 1, 2, 0, NULL, 1, offsets, &no_size), BAD);
  EXPECT(pricetag_format_column(usa, units, 1, 2, 0, buffer, SIZE_MAX, offsets, &no_size), BAD);
  EXPECT(pricetag_format_column(usa, units, 1, 2, 0, buffer, sizeof no_buffer, NULL, &no_size), BAD);
  EXPECT(pricetag_format_column(usa, units, 1, 2, 0, buffer, sizeof no_buffer, offsets, NULL), BAD);
  EXPECT(pricetag_format_column(usa, units, 1, 2, 99, buffer, sizeof no_buffer, offsets, &no_size), BAD);

  EXPECT(pricetag_parts(NULL, 1, 0, 0, parts, 1, &no_size), BAD);
  EXPECT(pricetag_parts(usa, 1, 0, 0, NULL, 1, &no_size), BAD);
  EXPECT(pricetag_parts(usa, 1, 0, 0, parts, SIZE_MAX, &no_size), BAD);
  EXPECT(pricetag_parts(usa, 1, 0, 0, parts, 1, NULL), BAD);
  EXPECT(pricetag_parts(usa, 1, 0, -7, parts, 1, &no_size), BAD);
  EXPECT(pricetag_parts(usa, 1, 19, 0, parts, 1, &no_size), PRICETAG_AMOUNT_OUT_OF_RANGE);
  EXPECT(pricetag_parts(usa, 1, 3, 0, parts, 1, &no_size), PRICETAG_NEEDS_ROUNDING);
  EXPECT(pricetag_direction(NULL, 1, 0, 0, &no_number), BAD);
  EXPECT(pricetag_direction(usa, 1, 0, 0, NULL), BAD);
  EXPECT(pricetag_direction(usa, 1, 0, 8, &no_number), BAD);
  EXPECT(pricetag_direction(usa, 1, -1, 0, &no_number), PRICETAG_AMOUNT_OUT_OF_RANGE);

  ptrdiff_t difference = 77;
  EXPECT(pricetag_read(NULL, "$1.00", 5, 0, &no_units, &no_number, &difference), BAD);
  EXPECT(pricetag_read(usa, NULL, 1, 0, &no_units, &no_number, &difference), BAD);
  EXPECT(pricetag_read(usa, "$1.00", SIZE_MAX, 0, &no_units, &no_number, &difference), BAD);
  EXPECT(pricetag_read(usa, "$1.00", 5, 2, &no_units, &no_number, &difference), BAD);
  EXPECT(pricetag_read(usa, "$1.00", 5, -1, &no_units, &no_number, &difference), BAD);
  EXPECT(pricetag_read(usa, "$1.00", 5, 0, NULL, &no_number, &difference), BAD);
  EXPECT(pricetag_read(usa, "$1.00", 5, 0, &no_units, NULL, &difference), BAD);
  CHECK(difference == 77, "an invalid call has stored a difference");
  EXPECT(pricetag_read(usa, NULL, 0, 0, &no_units, &no_number, &difference), PRICETAG_NOT_A_PRICE);
  CHECK(difference == 0, "the difference of no text");
  EXPECT(pricetag_read(usa, NULL, 0, 1, &no_units, &no_number, NULL), PRICETAG_NOT_A_PRICE);
  EXPECT(pricetag_read(usa, "$1", 2, 1, &no_units, &no_number, NULL), PRICETAG_NOT_AS_WRITTEN);
  EXPECT(pricetag_read(usa, "$1", 4097, 1, &no_units, &no_number, NULL), PRICETAG_TEXT_TOO_LONG);
  EXPECT(pricetag_read(usa, "$1", PTRDIFF_MAX, 1, &no_units, &no_number, NULL), PRICETAG_TEXT_TOO_LONG);
  expect_no_results(__LINE__);
}

// What is allowed at the limits.
static void check_limits(const pricetag_formatter *usa) {
  size_t length = 0, formatted = 77;
  int32_t offsets[2] = {77, 77};
  EXPECT(pricetag_format_units(usa, 1, 0, 0, NULL, 0, &length), PRICETAG_BUFFER_TOO_SMALL);
  CHECK(length == 5, "$1.00 has %zu bytes", length);
  EXPECT(pricetag_parts(usa, 1, 0, 0, NULL, 0, &length), PRICETAG_OK);
  EXPECT(pricetag_format_column(usa, NULL, 0, 2, 0, NULL, 0, offsets, &formatted), PRICETAG_OK);
  CHECK(formatted == 0 && offsets[0] == 0 && offsets[1] == 77, "an empty column");
  formatted = 77;
  EXPECT(pricetag_format_column(usa, sample_units, 1, 2, 0, NULL, 0, offsets, &formatted), PRICETAG_BUFFER_TOO_SMALL);
  EXPECT(pricetag_format_column(usa, sample_units + 1, 1, 3, 0, NULL, 0, offsets, &formatted), PRICETAG_NEEDS_ROUNDING);
  CHECK(formatted == 0 && offsets[0] == 0, "a column without a buffer");
  formatted = 77;
  EXPECT(pricetag_format_column(usa, sample_units, 1, 19, 0, no_buffer, 9, offsets, &formatted), PRICETAG_AMOUNT_OUT_OF_RANGE);
  CHECK(formatted == 0 && offsets[0] == 0, "a column with an exponent of 19");
  // The number of units times their size is above the address space; the buffer ends the call.
  formatted = 77;
  char buffer[16];
  EXPECT(pricetag_format_column(usa, sample_units, PTRDIFF_MAX, 2, 0, buffer, 4, offsets, &formatted), PRICETAG_BUFFER_TOO_SMALL);
  CHECK(formatted == 0, "%zu prices in 4 bytes", formatted);
  for (int32_t status = -2; status < 300; status++) {
    CHECK(*pricetag_status_code(status) && *pricetag_status_message(status) && (status == 0 || *pricetag_status_fix(status)),
          "status %d has no text", (int)status);
  }
  CHECK(strcmp(pricetag_status_code(INT32_MIN), "unknown-status") == 0, "a status out of range");
}

// The text and the results may be inside the buffer.
static void check_overlaps(const pricetag_formatter *usa) {
  union {
    char text[64];
    size_t lengths[8];
  } memory;
  memcpy(memory.text, "1234.50", 7);
  size_t length = 0;
  EXPECT(pricetag_format(usa, memory.text, 7, 0, memory.text, sizeof memory, &length), PRICETAG_OK);
  CHECK(length == 9 && memcmp(memory.text, "$1,234.50", 9) == 0, "a text inside the buffer");
  EXPECT(pricetag_format_units(usa, 5, 0, 0, memory.text, sizeof memory, memory.lengths + 7), PRICETAG_OK);
  CHECK(memory.lengths[7] == 5 && memcmp(memory.text, "$5.00", 5) == 0, "a length inside the buffer");
  // A column that overwrites its own units formats other amounts, and stays in the buffer.
  int64_t units[64] = {1, 2, 3};
  int32_t offsets[65];
  size_t formatted = 0;
  (void)pricetag_format_column(usa, units, 64, 2, 0, (char *)units, sizeof units, offsets, &formatted);
  CHECK(formatted <= 64 && offsets[formatted] <= (int32_t)sizeof units, "a column in its units");
}

// Fills a buffer of more than 2³¹ bytes. The same memory is mapped again and again.
static void check_large_column(const pricetag_pack *pack) {
  const size_t CHUNK = 1 << 20, CHUNKS = 2080;
  const pricetag_formatter *formatter;
  EXPECT(pricetag_formatter_for_locale(pack, "en-US long", "USD", NULL, &formatter), PRICETAG_OK);
  int file = memfd_create("column", 0);
  CHECK(file >= 0 && ftruncate(file, CHUNK) == 0, "no memory");
  char *buffer = (char *)mmap(NULL, CHUNKS * CHUNK + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK(buffer != MAP_FAILED, "no address space");
  for (size_t chunk = 0; chunk < CHUNKS; chunk++) {
    void *place = buffer + chunk * CHUNK;
    CHECK(mmap(place, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == place, "no mapping");
  }
  size_t count = 4000000, formatted = 0, length = 0;
  int64_t *units = (int64_t *)calloc(count, sizeof *units);
  int32_t *offsets = (int32_t *)malloc((count + 1) * sizeof *offsets);
  CHECK(units && offsets, "no memory");
  EXPECT(pricetag_format_units(formatter, 0, 0, 0, no_buffer, sizeof no_buffer, &length), PRICETAG_OK);
  memset(no_buffer, 0, sizeof no_buffer);
  EXPECT(pricetag_format_column(formatter, units, count, 0, 0, buffer, CHUNKS * CHUNK, offsets, &formatted),
         PRICETAG_BUFFER_TOO_SMALL);
  CHECK(formatted == (size_t)INT32_MAX / length, "%zu prices of %zu bytes", formatted, length);
  CHECK(offsets[formatted] == (int32_t)(formatted * length), "the last offset is %d", (int)offsets[formatted]);
  free(units);
  free(offsets);
  munmap(buffer, CHUNKS * CHUNK + PAGE);
  close(file);
}

static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// Opens packs of 8 MB whose sections refer to the same bytes again and again. Checking them must not take quadratic time.
static void check_slow_packs(const uint8_t *original, size_t size) {
  const size_t LARGE = 8 << 20;
  uint8_t *pack = (uint8_t *)malloc(LARGE);
  CHECK(pack, "no memory");
  for (int section = 0; section < SECTION_COUNT; section++) {
    for (int fill = 0; fill < 4; fill++) {
      // All elements of the section are the same, and refer to long texts and patterns.
      memset(pack, 0, LARGE);
      memcpy(pack, original, size);
      uint8_t element_bytes[32] = {0};
      const uint8_t *first = element(original, section, 0);
      if (section_count(original, section) > 0) memcpy(element_bytes, first, element_sizes[section]);
      if (fill == 1) memset(element_bytes, 0, sizeof element_bytes);
      if (fill == 2) store32(element_bytes, 0), store32(element_bytes + 4, 0xFFFF);
      if (fill == 3) store32(element_bytes + 4, LARGE / 2), store32(element_bytes + 12, LARGE / 2);
      size_t start = (size + 15) / 16 * 16, middle = LARGE / 2, step = element_sizes[section];
      for (size_t place = middle; place + step <= LARGE; place += step) memcpy(pack + place, element_bytes, step);
      // The texts are the first half of the file.
      store32(pack + SECTION_FIELDS, (uint32_t)start);
      store32(pack + SECTION_FIELDS + 4, (uint32_t)(middle - start));
      memset(pack + start, 'x', middle - start);
      store32(pack + SECTION_FIELDS + 8 * section, (uint32_t)middle);
      store32(pack + SECTION_FIELDS + 8 * section + 4, (uint32_t)((LARGE - middle) / step));
      store32(pack + SIZE_FIELD, LARGE);
      store_checksum(pack, LARGE);
      const pricetag_pack *opened;
      double before = seconds();
      int32_t status = pricetag_pack_open(pack, LARGE, &opened);
      double duration = seconds() - before;
      checks++;
      CHECK(duration < 5, "checking a pack with section %d takes %.1f s", section, duration);
      CHECK(status == PRICETAG_OK || status == PRICETAG_INVALID_PACK, "status %d", (int)status);
    }
  }
  free(pack);
}

// Reads texts of 4,096 bytes that would take long if the work were not proportional to their length.
static void check_slow_texts(const pricetag_pack *pack) {
  static const char *const repeated[] = {" ", "$", "U", "US", "U ", "9", "0", "\u00A0", "\u0660", "\u3007", "9 ", "\xFF", "\xF0\x9D", "'", "-", "$ US"};
  static char text[4096];
  for (uint32_t index = 0; index < formatter_count(pack); index++) {
    const pricetag_formatter *formatter = formatter_at(pack, index);
    for (size_t one = 0; one < sizeof repeated / sizeof *repeated; one++) {
      for (int position = 0; position < 3; position++) {
        const size_t length = strlen(repeated[one]);
        for (size_t place = 0; place < sizeof text; place++) text[place] = repeated[one][place % length];
        if (position) memcpy(position == 1 ? text : text + sizeof text - 5, "$4.99", 5);
        int64_t units = 0;
        int32_t exponent = 0;
        ptrdiff_t difference = 0;
        const double before = seconds();
        for (int32_t mode = 0; mode < 2; mode++) {
          int32_t status = pricetag_read(formatter, text, sizeof text, mode, &units, &exponent, &difference);
          CHECK(difference >= -1 && difference <= (ptrdiff_t)sizeof text, "a difference at %td", difference);
          // Of 4,096 bytes, only spaces can be in addition to a price.
          CHECK(status != PRICETAG_OK || (mode == 1 && (one == 0 || one == 7)), "%s: status %d", repeated[one], (int)status);
        }
        CHECK(seconds() - before < 0.1, "reading %s takes %.3f s", repeated[one], seconds() - before);
        checks++;
      }
    }
  }
}

// Files that are no packs, and one that is overwritten while it is open.
static void check_files(const char *folder, const uint8_t *bytes, size_t size) {
  char path[512];
  errno = 0;
  EXPECT(pricetag_pack_open_file(folder, &no_pack), PRICETAG_UNREADABLE_FILE);
  CHECK(errno == EISDIR, "the error of a folder is %d", errno);
  errno = 0;
  EXPECT(pricetag_pack_open_file("/no/such/file", &no_pack), PRICETAG_UNREADABLE_FILE);
  CHECK(errno == ENOENT, "the error of a missing file is %d", errno);
  EXPECT(pricetag_pack_open_file("", &no_pack), PRICETAG_UNREADABLE_FILE);
  EXPECT(pricetag_pack_open_file("/dev/null", &no_pack), PRICETAG_NOT_A_PACK);
  EXPECT(pricetag_pack_open_file("/dev/zero", &no_pack), PRICETAG_NOT_A_PACK);
  snprintf(path, sizeof path, "%s/pipe", folder);
  unlink(path);
  CHECK(mkfifo(path, 0600) == 0, "%s cannot be created", path);
  EXPECT(pricetag_pack_open_file(path, &no_pack), PRICETAG_UNREADABLE_FILE);
  unlink(path);
  snprintf(path, sizeof path, "%s/changing.pack", folder);
  int file = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
  CHECK(file >= 0 && write(file, bytes, size) == (ssize_t)size, "%s cannot be written", path);
  const pricetag_pack *pack;
  const pricetag_formatter *formatter;
  size_t length = 0;
  EXPECT(pricetag_pack_open_file(path, &pack), PRICETAG_OK);
  EXPECT(pricetag_formatter_for_storefront(pack, "USA", 0, NULL, &formatter), PRICETAG_OK);
  char zeros[512] = {0};
  for (size_t place = 0; place < size; place += sizeof zeros) {
    CHECK(pwrite(file, zeros, sizeof zeros, (off_t)place) == sizeof zeros, "%s cannot be overwritten", path);
  }
  char text[64];
  EXPECT(pricetag_format(formatter, "4.99", 4, 0, text, sizeof text, &length), PRICETAG_OK);
  CHECK(length == 5 && memcmp(text, "$4.99", 5) == 0, "%.*s after the file was overwritten", (int)length, text);
  EXPECT(pricetag_pack_open_file(path, &no_pack), PRICETAG_NOT_A_PACK);
  CHECK(ftruncate(file, (off_t)1 << 40) == 0, "%s cannot be enlarged", path);
  EXPECT(pricetag_pack_open_file(path, &no_pack), PRICETAG_NOT_A_PACK);
  // Large files that are not packs of this size take no memory: more cannot be had here.
  struct rlimit limit, none = {.rlim_cur = 1 << 20};
  CHECK(getrlimit(RLIMIT_AS, &limit) == 0, "the limit of memory cannot be read");
  none.rlim_max = limit.rlim_max;
  CHECK(ftruncate(file, INT32_MAX) == 0 && setrlimit(RLIMIT_AS, &none) == 0, "memory cannot be limited");
  EXPECT(pricetag_pack_open_file(path, &no_pack), PRICETAG_NOT_A_PACK);
  CHECK(pwrite(file, bytes, size, 0) == (ssize_t)size, "%s cannot be overwritten", path);
  EXPECT(pricetag_pack_open_file(path, &no_pack), PRICETAG_TRUNCATED);
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0, "memory cannot be limited");
  pricetag_pack_close(pack);
  close(file);
  unlink(path);
  expect_no_results(__LINE__);
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  size_t size;
  uint8_t *bytes = read_file(arguments[1], &size);
  const pricetag_pack *pack;
  const pricetag_formatter *usa;
  EXPECT(pricetag_pack_open(bytes, size, &pack), PRICETAG_OK);
  EXPECT(pricetag_formatter_for_storefront(pack, "USA", 20260101, NULL, &usa), PRICETAG_OK);
  if (failures) return 1;
  check_arguments(pack, bytes, size, usa);
  check_limits(usa);
  check_overlaps(usa);
  check_files(arguments[2], bytes, size);
  check_slow_packs(bytes, size);
  check_slow_texts(pack);
  check_large_column(pack);
  printf("hostile calls: %d checks, %d failed\n", checks, failures);
  free(bytes);
  return failures ? 1 : 0;
}
