// Formats the rows of rows.py with the C library, between pages without access rights, and prints the number of differences.
//
//     phrases FOLDER

#define _DEFAULT_SOURCE
#include "../Kernel/harness.h"

enum { MAXIMUM_FIELDS = 128, MAXIMUM_ARGUMENTS = 64 };

static char *fields[MAXIMUM_FIELDS];
static pricetag_argument arguments[MAXIMUM_ARGUMENTS];
static size_t next_field, next_argument;
static const pricetag_pack *pack;
static const pricetag_language *language;

// Reads a key and its arguments from the fields.
static int32_t read_message(const pricetag_message **message, const pricetag_argument **first, size_t *count) {
  int32_t status = pricetag_message_find(language, fields[next_field], message);
  *count = strtoul(fields[next_field + 1], NULL, 10);
  next_field += 2;
  pricetag_argument *own = arguments + next_argument;
  *first = own;
  next_argument += *count;
  for (size_t index = 0; index < *count && status == PRICETAG_OK; index++) {
    own[index] = (pricetag_argument){.name = fields[next_field]};
    const char *value = fields[next_field + 2];
    switch (*fields[next_field + 1]) {
      case 'P':
        status = pricetag_formatter_for_storefront(pack, value, 20260630, NULL, &own[index].price);
        if (status != PRICETAG_OK) break;
        value = fields[next_field++ + 3];
        status = pricetag_parse(value, strlen(value), &own[index].units, &own[index].exponent);
        next_field += 3;
        break;
      case 'N':
        status = pricetag_parse(value, strlen(value), &own[index].units, &own[index].exponent);
        next_field += 3;
        break;
      case 'K':
        own[index].keyword = value;
        next_field += 3;
        break;
      default:
        next_field += 2;
        status = read_message(&own[index].message, &own[index].arguments, &own[index].argument_count);
    }
  }
  return status;
}

int main(int count, char **program) {
  if (count != 2) return 2;
  char path[4096];
  size_t size, text_size;
  snprintf(path, sizeof path, "%s/phrases.pack", program[1]);
  uint8_t *bytes = read_file(path, &size);
  // Any read after the end of the pack ends the process.
  uint8_t *place = guarded_memory(size).end - size;
  memcpy(place, bytes, size);
  snprintf(path, sizeof path, "%s/vectors.tsv", program[1]);
  char *text = (char *)read_file(path, &text_size);
  text[text_size] = 0;
  const pricetag_phrases *phrases;
  CHECK(pricetag_pack_open(place, size, &pack) == PRICETAG_OK, "the pack");
  CHECK(pricetag_phrases_open(pack, &phrases) == PRICETAG_OK, "the phrases");
  uint8_t *buffer_end = guarded_memory(65536).end;
  size_t rows = 0, differences = 0;
  for (char *line = text; *line;) {
    char *end = strchr(line, '\n');
    *end = 0;
    size_t field_count = 0;
    for (char *field = line; field; field_count++) {
      fields[field_count] = field;
      field = strchr(field, '\t');
      if (field) *field++ = 0;
    }
    const pricetag_message *message = NULL;
    const pricetag_argument *first = NULL;
    size_t own_count = 0, length = 0, expected = strlen(fields[2]);
    next_field = 3, next_argument = 0;
    int32_t status = pricetag_phrases_match(phrases, fields[0], &language);
    if (status == PRICETAG_OK) status = read_message(&message, &first, &own_count);
    int32_t isolation = *fields[1] - '0';
    char *buffer = (char *)buffer_end - expected;
    if (status == PRICETAG_OK) status = pricetag_phrase(message, first, own_count, isolation, buffer, expected, &length);
    if (status != PRICETAG_OK || length != expected || memcmp(buffer, fields[2], length) != 0) {
      if (differences++ < 5) printf("%s %s: %s is not %.*s: %s\n", fields[0], fields[3], fields[2], (int)length, buffer, pricetag_status_code(status));
    } else if (expected > 0) {
      // A smaller buffer is an error with the same length, and no byte outside it is written.
      size_t smaller = number() % expected, needed = 0;
      status = pricetag_phrase(message, first, own_count, isolation, (char *)buffer_end - smaller, smaller, &needed);
      CHECK(status == PRICETAG_BUFFER_TOO_SMALL && needed == expected, "%zu of %zu bytes: %d", smaller, expected, (int)status);
    }
    rows++;
    line = end + 1;
  }
  printf("C: %zu phrases, %zu differences\n", rows, differences);
  return differences > 0;
}
