// The types of columns: which schemas an argument may have, and why others are refused.
#include "arrow_internal.h"

// Reads an integer of at most four digits, and moves the text behind it.
static bool read_number(const char **text, int32_t *number) {
  const char *at = *text;
  bool is_negative = *at == '-';
  int32_t value = 0;
  int digits = 0;
  if (is_negative) at++;
  for (; *at >= '0' && *at <= '9'; at++) {
    if (++digits > 4) return false;
    value = value * 10 + (*at - '0');
  }
  *number = is_negative ? -value : value;
  *text = at;
  return digits > 0;
}

// "d:precision,scale" or "d:precision,scale,bits".
static uint8_t decimal_type(const char *format, int32_t *scale) {
  int32_t precision, bits = 128;
  format += 2;
  if (!read_number(&format, &precision) || *format++ != ',' || !read_number(&format, scale)) return 0;
  if (*format == ',') {
    format++;
    if (!read_number(&format, &bits)) return 0;
  }
  if (*format) return 0;
  switch (bits) {
    case 32: return precision >= 1 && precision <= 9 ? TYPE_DECIMAL32 : 0;
    case 64: return precision >= 1 && precision <= 18 ? TYPE_DECIMAL64 : 0;
    case 128: return precision >= 1 && precision <= 38 ? TYPE_DECIMAL128 : 0;
    case 256: return precision >= 1 && precision <= 76 ? TYPE_DECIMAL256 : 0;
    default: return 0;
  }
}

// The types with a format of their own: those that arguments or indices may have, and names of others for messages.
static const struct {
  const char *format, *name;
  uint8_t type;
} types[] = {{"n", "null", TYPE_NULL},
             {"u", "utf8", TYPE_TEXT},
             {"U", "large_utf8", TYPE_LARGE_TEXT},
             {"vu", "utf8_view", TYPE_TEXT_VIEW},
             {"tdD", "date32", TYPE_DATE32},
             {"tdm", "date64", TYPE_DATE64},
             {"c", "int8", TYPE_INT8},
             {"C", "uint8", TYPE_UINT8},
             {"s", "int16", TYPE_INT16},
             {"S", "uint16", TYPE_UINT16},
             {"i", "int32", TYPE_INT32},
             {"I", "uint32", TYPE_UINT32},
             {"l", "int64", TYPE_INT64},
             {"L", "uint64", TYPE_UINT64},
             {"e", "float16", 0},
             {"f", "float32", 0},
             {"g", "float64", 0},
             {"b", "bool", 0},
             {"z", "binary", 0},
             {"Z", "large_binary", 0},
             {"vz", "binary_view", 0},
             {"+r", "run_end_encoded", 0},
             {"+s", "struct", 0},
             {"+l", "list", 0},
             {"+L", "large_list", 0},
             {"+m", "map", 0}};
enum { TYPES = sizeof types / sizeof *types };

// Returns the type of a format string that arguments or indices may have, or 0.
static uint8_t value_type(const char *format, int32_t *scale) {
  for (size_t index = 0; index < TYPES; index++) {
    if (strcmp(format, types[index].format) == 0) return types[index].type;
  }
  return format[0] == 'd' && format[1] == ':' ? decimal_type(format, scale) : 0;
}

// What a refused type is called, and what to do about it.
static void describe_type(const char *format, int argument, const char **name, const char **fix) {
  *name = NULL;
  for (size_t index = 0; index < TYPES; index++) {
    if (strcmp(format, types[index].format) == 0) *name = types[index].name;
  }
  if (!*name && strncmp(format, "d:", 2) == 0) *name = "decimal";
  if (!*name && strncmp(format, "ts", 2) == 0) *name = "timestamp";
  if (!*name && strncmp(format, "w:", 2) == 0) *name = "fixed_size_binary";
  if (strcmp(format, "+r") == 0) {
    *fix = "decode the runs, for example with pyarrow.compute.run_end_decode, or use a dictionary";
  } else if (argument == PRICETAG_ARROW_AMOUNT) {
    *fix = "cast the column to decimal128, to integers of minor units, or to text";
  } else if (argument == PRICETAG_ARROW_DATE) {
    *fix = "cast the column to date32, or to text such as 2026-01-31";
  } else {
    *fix = "cast the column to utf8, or to a dictionary of utf8";
  }
}

static int32_t refuse_type(pricetag_arrow_error *error, int argument, const char *format) {
  const char *name, *fix;
  describe_type(format, argument, &name, &fix);
  bool is_float = strcmp(format, "e") == 0 || strcmp(format, "f") == 0 || strcmp(format, "g") == 0;
  if (is_float && argument == PRICETAG_ARROW_AMOUNT) {
    return arrow_fail(
        error, PRICETAG_ARROW_WRONG_TYPE,
        "read the amounts as decimal128, as integers of minor units or as text; if only floats exist, cast them "
        "to decimal128(18, 2) and check the result",
        "amount: the column is %s, and binary floating point cannot hold 0.10", name);
  }
  excerpt shown = arrow_excerpt(format, strlen(format));
  if (!name) {
    return arrow_fail(error, PRICETAG_ARROW_WRONG_TYPE, fix, "%s: the column has the type \"%s\"",
                      arrow_argument_names[argument], shown.text);
  }
  return arrow_fail(error, PRICETAG_ARROW_WRONG_TYPE, fix, "%s: the column has the type %s (\"%s\")",
                    arrow_argument_names[argument], name, shown.text);
}

int32_t arrow_read_type(const struct ArrowSchema *schema, int argument, column_type *type,
                        pricetag_arrow_error *error) {
  const char *name = arrow_argument_names[argument];
  static const char fix[] = "pass the schema of the column, before it is released";
  if (!schema->release)
    return arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the schema was released", name);
  const struct ArrowSchema *values = schema;
  if (schema->dictionary) {
    int32_t scale = 0;
    if (!schema->format || schema->n_children != 0) {
      return arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix,
                        "%s: the schema of the dictionary's indices is invalid", name);
    }
    type->indices = value_type(schema->format, &scale);
    values = schema->dictionary;
    if (!is_integer(type->indices)) {
      excerpt shown = arrow_excerpt(schema->format, strlen(schema->format));
      return arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the dictionary has indices of the type \"%s\"",
                        name, shown.text);
    }
    if (!values->release || values->dictionary) {
      return arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the schema of the dictionary %s", name,
                        values->release ? "is a dictionary too" : "was released");
    }
  }
  if (!values->format)
    return arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the schema has no format", name);
  type->values = value_type(values->format, &type->scale);
  bool is_allowed;
  switch (argument) {
    case PRICETAG_ARROW_AMOUNT:
      is_allowed = is_text(type->values) || is_integer(type->values) || is_decimal(type->values);
      break;
    case PRICETAG_ARROW_DATE:
      is_allowed = is_text(type->values) || type->values == TYPE_DATE32 || type->values == TYPE_DATE64;
      break;
    default: is_allowed = is_text(type->values);
  }
  if (!is_allowed && type->values != TYPE_NULL) return refuse_type(error, argument, values->format);
  if (values->n_children != 0) {
    return arrow_fail(error, PRICETAG_ARROW_INVALID_ARRAY, fix, "%s: the schema has %" PRId64 " children, not 0", name,
                      values->n_children);
  }
  return PRICETAG_OK;
}
