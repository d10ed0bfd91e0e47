// Errors of calls, and the codes of rows.
#include "arrow_internal.h"

#include <stdarg.h>
#include <stdio.h>

const char *const arrow_argument_names[READ_TEXT + 1] = {"amount", "storefront", "locale", "currency", "date", "text"};

static const char *code_of(int32_t status) {
  // In the order of the statuses of pricetag_arrow.h.
  static const char *const codes[] = {"wrong-type",     "invalid-array",  "out-of-memory", "result-too-large",
                                      "invalid-option", "malformed-date", "no-minor-unit"};
  bool is_own = status >= PRICETAG_ARROW_WRONG_TYPE && status <= PRICETAG_ARROW_NO_MINOR_UNIT;
  return is_own ? codes[status - PRICETAG_ARROW_WRONG_TYPE] : pricetag_status_code(status);
}

int32_t arrow_fail(pricetag_arrow_error *error, int32_t status, const char *fix, const char *message, ...) {
  if (error) {
    va_list arguments;
    error->status = status;
    snprintf(error->code, sizeof error->code, "%s", code_of(status));
    snprintf(error->fix, sizeof error->fix, "%s", fix);
    va_start(arguments, message);
    vsnprintf(error->message, sizeof error->message, message, arguments);
    va_end(arguments);
  }
  return status;
}

int32_t arrow_out_of_memory(pricetag_arrow_error *error) {
  return arrow_fail(error, PRICETAG_ARROW_OUT_OF_MEMORY, "pass smaller batches",
                    "there is not enough memory for the prices");
}

excerpt arrow_excerpt(const char *text, size_t length) {
  excerpt result;
  size_t end = 0;
  while (end < length && end < 48) {
    unsigned char byte = (unsigned char)text[end];
    if (byte == 0) break;
    result.text[end++] = byte < 0x20 || byte == 0x7F ? '?' : (char)byte;
  }
  if (end < length && (unsigned char)text[end] >= 0x80) {
    // Only complete characters.
    while (end > 0 && ((unsigned char)text[end] & 0xC0) == 0x80) end--;
  }
  memcpy(result.text + end, end < length ? "…" : "", end < length ? sizeof "…" : 1);
  return result;
}

#define STATUS_OF(name, text, status) status,
static const int32_t statuses[] = {PRICETAG_OK, ERROR_CODES(STATUS_OF)};

uint8_t arrow_error_of(int32_t status) {
  for (uint8_t error = NO_ERROR; error < ERROR_COUNT; error++) {
    if (statuses[error] == status) return error;
  }
  return INVALID_ARGUMENT;
}

int32_t arrow_status_of(uint8_t error) { return statuses[error]; }
