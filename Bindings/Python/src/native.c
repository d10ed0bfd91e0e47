// The scalar interface of the extension: Pack, Formatter and format.
#include "native.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../C/pricetag_shared.h"
#include "pricetag_sql.h"

// The arguments of a formatter, in the order of argument_names.
enum {
  STOREFRONT,
  LOCALE,
  CURRENCY,
  DATE,
  PACK,
  ROUNDING,
  // The options of a style.
  WIDTH,
  ZEROS,
  SIGN,
  DIGITS,
  GROUPING,
  NUMBERING,
  NOTATION,
  QUALIFIER,
  PER,
  ARGUMENTS,
  // The other arguments of `format`.
  UNIT = ARGUMENTS,
  AMOUNT,
  ALL_ARGUMENTS
};

static const char *const argument_names[ALL_ARGUMENTS] = {
    "storefront", "locale",   "currency",  "date",     "pack",      "rounding", "width", "zeros", "sign",
    "digits",     "grouping", "numbering", "notation", "qualifier", "per",      "unit",  "amount"};

static const char *const part_kinds[] = {"literal",  "symbol", "integer", "group",     "decimal",
                                         "fraction", "sign",   "compact", "qualifier", "unit"};

typedef struct {
  PyObject_HEAD module_state *state;
  shared_pack *shared;
  // The path of a file, or the name of an embedded pack; NULL for bytes.
  PyObject *source;
  bool is_embedded;
  // Whether the source is a name such as cldr-48.
  bool is_named;
} pack_object;

typedef struct {
  PyObject_HEAD module_state *state;
  const pricetag_formatter *formatter, *spoken;
  PyObject *pack;
  // The arguments as they were given. The date is a number instead.
  PyObject *arguments[ARGUMENTS];
  PyObject *currency, *locale;
  int32_t rounding, day;
  // The digits of the minor unit; -1 if the currency has none.
  int32_t minor_digits;
} formatter_object;

_Static_assert((int)ALL_ARGUMENTS == (int)ARGUMENT_COUNT, "native.h has another number of arguments");

static struct PyModuleDef definition;

// ---- Objects

// Returns a new reference to the module of a type: the stable ABI of 3.9 has no PyType_GetModule.
static PyObject *module_of(PyTypeObject *type) {
  PyObject *module = PyObject_GetAttrString((PyObject *)type, "_module");
  if (!module || (PyModule_Check(module) && PyModule_GetDef(module) == &definition)) return module;
  PyErr_SetString(PyExc_TypeError, "the attribute _module of a type has been replaced");
  Py_DECREF(module);
  return NULL;
}

PyObject *pricetag_new(module_state *state, PyTypeObject *type) {
  if (!type) {
    PyErr_SetString(PyExc_RuntimeError, "the module has been cleared");
    return NULL;
  }
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  PyObject *object = allocate(type, 0);
  if (!object) return NULL;
  // The allocation tracks the object, so that gc.get_objects() would return it before its fields are set.
  PyObject_GC_UnTrack(object);
  ((module_object *)object)->state = state;
  Py_INCREF(state->module);
  return object;
}

void pricetag_free(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  module_state *state = ((module_object *)object)->state;
  PyObject *module = state ? state->module : NULL;
  PyObject_GC_Del(object);
  Py_XDECREF(module);
  Py_DECREF(type);
}

int pricetag_traverse(PyObject *object, visitproc visit, void *arg) {
  module_state *state = ((module_object *)object)->state;
  Py_VISIT(Py_TYPE(object));
  if (state) Py_VISIT(state->module);
  return 0;
}

// ---- Errors

// Raises a PriceError whose message is a format of PyUnicode_FromFormat.
static PyObject *raise_format(module_state *state, const char *code, const char *fix, const char *format, ...) {
  va_list values;
  va_start(values, format);
  PyObject *message = PyUnicode_FromFormatV(format, values);
  va_end(values);
  PyObject *error = message ? PyObject_CallFunction(state->error_type, "sOs", code, message, fix) : NULL;
  if (error) PyErr_SetObject(state->error_type, error);
  Py_XDECREF(message);
  Py_XDECREF(error);
  return NULL;
}

PyObject *pricetag_raise(module_state *state, const char *code, const char *message, const char *fix) {
  // A message may have bytes of a caller, which are not always UTF-8. The format replaces those that are not.
  return raise_format(state, code, fix, "%s", message);
}

// Returns how to fix an error, in the words of Python.
static const char *fix_of(int32_t status) {
  switch (status) {
    // Generated from Bindings/tables.json (fixes); do not edit.
    case PRICETAG_MALFORMED_AMOUNT: return "write ASCII digits with an optional sign and fraction, such as \"1234.50\"";
    case PRICETAG_NEEDS_ROUNDING: return "pass a mode such as rounding=\"half-even\" to allow rounding";
    case PRICETAG_UNKNOWN_STOREFRONT: return "use a code such as \"USA\", or pass a pack that was written with --storefronts and this storefront";
    case PRICETAG_UNKNOWN_LOCALE: return "use a BCP 47 tag such as \"de-CH\", or pass a pack that was written with --locales and this locale";
    case PRICETAG_UNKNOWN_CURRENCY: return "use a code of ISO 4217 such as \"EUR\", or pass a pack that was written with --currencies and this currency";
    case PRICETAG_MISSING_STYLE: return "write a pack with `pricetag pack` and the options of the style, and pass pack=Pack(\"FILE\")";
    case PRICETAG_MISSING_FORMATTER: return "write a pack of this combination with `pricetag pack`, and pass pack=Pack(\"FILE\")";
    case PRICETAG_MISSING_DATE: return "pass the date of the price, such as date=\"2026-01-31\", or at=\"2026-01-31\" to register functions";
    case PRICETAG_NOT_AS_WRITTEN: return "correct the text at this position, or pass lenient=True";
    // End of the generated lines.
    default: return pricetag_status_fix(status);
  }
}

PyObject *pricetag_raise_status(module_state *state, int32_t status, PyObject *where) {
  if (where) {
    return raise_format(state, pricetag_status_code(status), fix_of(status), "%.100R: %s", where,
                        pricetag_status_message(status));
  }
  return pricetag_raise(state, pricetag_status_code(status), pricetag_status_message(status), fix_of(status));
}

// ---- Options

static bool is_given(PyObject *value) { return value && value != Py_None; }

// Copies a text of ASCII characters, with a zero byte at its end, and returns its length; -1 for other text and for
// longer text.
static Py_ssize_t copy_ascii(PyObject *text, char *bytes, Py_ssize_t capacity) {
  Py_UCS4 characters[256];
  Py_ssize_t length = PyUnicode_GetLength(text);
  if (length < 0 || length >= capacity || length > 256) return -1;
  // This function raises an exception only for a buffer that is too small.
  if (!PyUnicode_AsUCS4(text, characters, 256, 0)) {
    PyErr_Clear();
    return -1;
  }
  for (Py_ssize_t index = 0; index < length; index++) {
    if (characters[index] == 0 || characters[index] > 127) return -1;
    bytes[index] = (char)characters[index];
  }
  bytes[length] = 0;
  return length;
}

static int expect_text(PyObject *value, const char *name) {
  if (PyUnicode_Check(value)) return 0;
  PyErr_Format(PyExc_TypeError, "%s must be a str, not %.100R", name, (PyObject *)Py_TYPE(value));
  return -1;
}

// Returns the index of a value of an option; -1 with an exception.
static int choose(module_state *state, PyObject *value, const char *option) {
  const char *const *names = pricetag_sql_values(option);
  if (expect_text(value, option) != 0) return -1;
  char fix[160] = "use ";
  size_t end = strlen(fix);
  for (int index = 0; names[index]; index++) {
    if (PyUnicode_CompareWithASCIIString(value, names[index]) == 0) return index;
    size_t length = strlen(names[index]);
    if (index > 0) memcpy(fix + end, ", ", 2), end += 2;
    memcpy(fix + end, names[index], length);
    end += length;
  }
  fix[end] = 0;
  raise_format(state, "invalid-option", fix, "%s %.100R is unknown", option, value);
  return -1;
}

static int read_choice(module_state *state, PyObject *value, int argument, uint8_t *field) {
  int index = choose(state, value, argument_names[argument]);
  if (index >= 0) *field = (uint8_t)index;
  return index < 0 ? -1 : 0;
}

static int read_digits(module_state *state, PyObject *value, pricetag_style *style) {
  static const char fix[] = "use standard, cash, minor-units, a number from 0 to 18, or a range such as \"0-2\"";
  if (PyLong_Check(value) && !PyBool_Check(value)) {
    int overflow;
    long number = PyLong_AsLongAndOverflow(value, &overflow);
    if (overflow || number < 0 || number > 18) {
      // The text of an integer can be very long, and take a long time.
      pricetag_raise(state, "invalid-option", "digits is an integer outside 0...18", fix);
      return -1;
    }
    style->digits = PRICETAG_DIGITS_FIXED;
    style->minimum_digits = style->maximum_digits = (uint8_t)number;
    return 0;
  }
  if (expect_text(value, "digits") != 0) return -1;
  char bytes[16];
  Py_ssize_t length = copy_ascii(value, bytes, sizeof bytes);
  if (length >= 0 && pricetag_sql_parse_digits(bytes, (size_t)length, style)) return 0;
  raise_format(state, "invalid-option", fix, "digits %.100R is not a number of decimals", value);
  return -1;
}

// Reads a reference of unit prices, in the spellings of the command.
static int read_reference(module_state *state, PyObject *value, char field[8]) {
  if (expect_text(value, "per") != 0) return -1;
  // Some units are not ASCII: cm³.
  PyObject *bytes = PyUnicode_AsUTF8String(value);
  // A lone surrogate is in no unit.
  if (!bytes) PyErr_Clear();
  bool is_reference =
      bytes && pricetag_sql_parse_reference(PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes), field);
  Py_XDECREF(bytes);
  if (is_reference) return 0;
  raise_format(state, "invalid-option",
               "use a unit such as \"kg\", or 10, 50, 75, 100 or 1000 of it, such as \"100 mL\"",
               "per %.100R is unknown", value);
  return -1;
}

// Reads the name of a numbering system, which has at most 8 characters.
static int read_numbering(module_state *state, PyObject *value, char field[8]) {
  if (expect_text(value, "numbering") != 0) return -1;
  char bytes[9];
  Py_ssize_t length = copy_ascii(value, bytes, sizeof bytes);
  if (length <= 0) {
    raise_format(state, "invalid-option", "use a numbering system of CLDR, such as \"latn\"",
                 "numbering %.100R is unknown", value);
    return -1;
  }
  memset(field, 0, 8);
  memcpy(field, bytes, (size_t)length);
  return 0;
}

static int read_style_option(module_state *state, int argument, PyObject *value, pricetag_style *style) {
  switch (argument) {
    case WIDTH: return read_choice(state, value, WIDTH, &style->width);
    case ZEROS: return read_choice(state, value, ZEROS, &style->zeros);
    case SIGN: return read_choice(state, value, SIGN, &style->sign);
    case DIGITS: return read_digits(state, value, style);
    case GROUPING: return read_choice(state, value, GROUPING, &style->grouping);
    case NUMBERING: return read_numbering(state, value, style->numbering);
    case NOTATION: return read_choice(state, value, NOTATION, &style->notation);
    case QUALIFIER: return read_choice(state, value, QUALIFIER, &style->qualifier);
    default: return read_reference(state, value, style->unit);
  }
}

// Returns the index of an argument among the first `count`; -1 with a TypeError for an unknown one.
static int argument_of(module_state *state, PyObject *name, int count, const char *function) {
  for (int index = 0; index < count; index++) {
    if (name == state->names[index]) return index;
  }
  if (PyUnicode_Check(name)) {
    for (int index = 0; index < count; index++) {
      if (PyUnicode_Compare(name, state->names[index]) == 0) return index;
    }
  }
  PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument %.100R", function, name);
  return -1;
}

int pricetag_read_style(module_state *state, PyObject *options, pricetag_style *style) {
  memset(style, 0, sizeof *style);
  if (!is_given(options)) return 0;
  if (!PyDict_Check(options)) {
    PyErr_SetString(PyExc_TypeError, "the options of a style must be a dict");
    return -1;
  }
  PyObject *name, *value;
  Py_ssize_t place = 0;
  while (PyDict_Next(options, &place, &name, &value)) {
    int argument = argument_of(state, name, ARGUMENTS, "style");
    if (argument >= 0 && argument < WIDTH) {
      PyErr_Format(PyExc_TypeError, "%s is not an option of a style", argument_names[argument]);
      return -1;
    }
    if (argument < 0 || (is_given(value) && read_style_option(state, argument, value, style) != 0)) return -1;
  }
  return 0;
}

int pricetag_read_rounding(module_state *state, PyObject *name, int32_t *rounding) {
  *rounding = PRICETAG_EXACT;
  if (!is_given(name)) return 0;
  *rounding = choose(state, name, "rounding");
  return *rounding < 0 ? -1 : 0;
}

static int read_unit(module_state *state, PyObject *name) {
  return is_given(name) ? choose(state, name, "unit") : PRICETAG_SQL_MAJOR;
}

// ---- Dates

// Stores the number of a date, which is 0 if it is invalid.
static int check_date(module_state *state, PyObject *date, int32_t number, int32_t *day) {
  *day = number;
  if (number != 0) return 0;
  raise_format(state, "malformed-date", "write YYYY-MM-DD, such as \"2026-01-31\"", "%.100R is not a date", date);
  return -1;
}

// Reads an integer attribute of a date: -1 if it is negative or too large, because a subclass may return anything.
// Returns false with an exception.
static bool read_field(PyObject *date, const char *name, int *field) {
  int overflow = 0;
  PyObject *value = PyObject_GetAttrString(date, name);
  long number = value ? PyLong_AsLongAndOverflow(value, &overflow) : -1;
  Py_XDECREF(value);
  *field = overflow || number < 0 || number > 9999 ? -1 : (int)number;
  return number != -1 || !PyErr_Occurred();
}

// Stores the types of dates.
static int import_dates(module_state *state) {
  PyObject *module = PyImport_ImportModule("datetime");
  PyObject *datetime_type = module ? PyObject_GetAttrString(module, "datetime") : NULL;
  PyObject *date_type = datetime_type ? PyObject_GetAttrString(module, "date") : NULL;
  Py_XDECREF(module);
  // Another thread may have been faster.
  if (!date_type || state->date_type) {
    Py_XDECREF(datetime_type);
    Py_XDECREF(date_type);
    return state->date_type ? 0 : -1;
  }
  state->datetime_type = datetime_type;
  state->date_type = date_type;
  return 0;
}

int pricetag_read_date(module_state *state, PyObject *date, int32_t *day) {
  *day = 0;
  if (!is_given(date)) return 0;
  if (PyUnicode_Check(date)) {
    char text[16];
    Py_ssize_t length = copy_ascii(date, text, sizeof text);
    return check_date(state, date, length < 0 ? 0 : pricetag_date_of_text(text, (size_t)length), day);
  }
  if (!state->date_type && import_dates(state) != 0) return -1;
  int is_date_object = PyObject_IsInstance(date, state->date_type);
  int has_time = is_date_object > 0 ? PyObject_IsInstance(date, state->datetime_type) : 0;
  if (is_date_object < 0 || has_time < 0) return -1;
  if (!is_date_object || has_time) {
    PyErr_Format(PyExc_TypeError, "date must be a datetime.date or a str such as \"2026-01-31\", not %.100R%s",
                 (PyObject *)Py_TYPE(date), has_time ? "; pass its date in UTC" : "");
    return -1;
  }
  int year, month, number;
  if (!read_field(date, "year", &year) || !read_field(date, "month", &month) || !read_field(date, "day", &number)) {
    return -1;
  }
  return check_date(state, date, pricetag_date(year, month, number), day);
}

// ---- Packs

static bool is_pack(module_state *state, PyObject *object) { return Py_TYPE(object) == state->pack_type; }

shared_pack *pricetag_pack_of(module_state *state, PyObject *pack) {
  if (is_pack(state, pack)) return ((pack_object *)pack)->shared;
  PyErr_Format(PyExc_TypeError, "pack must be a Pack, not %.100R; create one with Pack(\"FILE\")",
               (PyObject *)Py_TYPE(pack));
  return NULL;
}

void pricetag_drop_pack(shared_pack *shared) {
  if (!shared || atomic_fetch_sub(&shared->users, 1) > 1) return;
  if (shared->is_file) pricetag_pack_close(shared->pack);
  free(shared);
}

static void pack_dealloc(PyObject *object) {
  pack_object *self = (pack_object *)object;
  PyObject_GC_UnTrack(object);
  pricetag_drop_pack(self->shared);
  Py_XDECREF(self->source);
  pricetag_free(object);
}

static int pack_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(((pack_object *)object)->source);
  return pricetag_traverse(object, visit, arg);
}

// Returns an object with memory for a pack, which is not open yet.
static pack_object *new_pack(module_state *state, size_t size) {
  pack_object *self = (pack_object *)pricetag_new(state, state->pack_type);
  if (!self) return NULL;
  self->shared = calloc(1, sizeof *self->shared + size);
  if (self->shared) {
    atomic_init(&self->shared->users, 1);
    return self;
  }
  Py_DECREF((PyObject *)self);
  PyErr_NoMemory();
  return NULL;
}

// Opens a pack of bytes, which it copies: a stream may use the pack longer than an object of Python lives. Takes the
// reference to the bytes.
static PyObject *pack_of_bytes(module_state *state, PyObject *bytes) {
  char *start;
  Py_ssize_t size;
  if (!bytes || PyBytes_AsStringAndSize(bytes, &start, &size) != 0) {
    Py_XDECREF(bytes);
    return NULL;
  }
  pack_object *self = new_pack(state, (size_t)size);
  if (self) memcpy(self->shared->bytes, start, (size_t)size);
  Py_DECREF(bytes);
  if (!self) return NULL;
  PyThreadState *thread = PyEval_SaveThread();
  int32_t status = pricetag_pack_open(self->shared->bytes, (size_t)size, &self->shared->pack);
  PyEval_RestoreThread(thread);
  if (status == PRICETAG_OK) {
    PyObject_GC_Track(self);
    return (PyObject *)self;
  }
  Py_DECREF((PyObject *)self);
  return pricetag_raise_status(state, status, NULL);
}

// Opens the pack of a path, or that of a name.
static PyObject *pack_of_file(module_state *state, PyObject *path) {
  PyObject *name = NULL, *source = PyOS_FSPath(path);
  pack_object *self = source && PyUnicode_FSConverter(source, &name) ? new_pack(state, 0) : NULL;
  if (!self) {
    Py_XDECREF(name);
    Py_XDECREF(source);
    return NULL;
  }
  self->source = source;
  const char *text = PyBytes_AsString(name);
  // A path object is the path of a file, also Path("cldr-48").
  self->is_named = PyUnicode_Check(path) && pricetag_sql_is_pack_name(text);
  const pricetag_pack *file = NULL;
  PyThreadState *thread = PyEval_SaveThread();
  int32_t status = self->is_named ? pricetag_sql_open_pack(text, &self->shared->pack, &file)
                                  : pricetag_pack_open_file(text, &self->shared->pack);
  int error = errno;
  PyEval_RestoreThread(thread);
  Py_DECREF(name);
  self->shared->is_file = status == PRICETAG_OK && !self->is_named;
  if (status == PRICETAG_OK) {
    PyObject_GC_Track(self);
    return (PyObject *)self;
  }
  if (self->is_named) {
    raise_format(state, pricetag_status_code(status), PRICETAG_SQL_UNKNOWN_PACK_FIX, PRICETAG_SQL_UNKNOWN_PACK " %.100R",
                 source);
  } else if (status == PRICETAG_UNREADABLE_FILE) {
    raise_format(state, pricetag_status_code(status), pricetag_status_fix(status), "%.300R: %s", source,
                 strerror(error));
  } else {
    pricetag_raise_status(state, status, source);
  }
  Py_DECREF((PyObject *)self);
  return NULL;
}

static PyObject *pack_of_source(module_state *state, PyObject *source) {
  if (PyBytes_CheckExact(source)) {
    Py_INCREF(source);
    return pack_of_bytes(state, source);
  }
  bool has_bytes = PyBytes_Check(source) || PyByteArray_Check(source) || PyMemoryView_Check(source);
  if (has_bytes) return pack_of_bytes(state, PyBytes_FromObject(source));
  if (!PyUnicode_Check(source) && !PyObject_HasAttrString(source, "__fspath__")) {
    PyErr_Format(PyExc_TypeError, "Pack() takes a path or the bytes of a pack, not %.100R",
                 (PyObject *)Py_TYPE(source));
    return NULL;
  }
  return pack_of_file(state, source);
}

static PyObject *pack_new(PyTypeObject *type, PyObject *arguments, PyObject *keywords) {
  PyObject *source;
  if (keywords && PyDict_Size(keywords) > 0) {
    PyErr_SetString(PyExc_TypeError, "Pack() takes no keyword arguments");
    return NULL;
  }
  if (!PyArg_ParseTuple(arguments, "O:Pack", &source)) return NULL;
  PyObject *module = module_of(type);
  PyObject *pack = module ? pack_of_source(PyModule_GetState(module), source) : NULL;
  Py_XDECREF(module);
  return pack;
}

static PyObject *new_embedded(PyObject *pack, const char *name) {
  if (!pack) return NULL;
  pack_object *self = (pack_object *)pack;
  self->source = PyUnicode_FromString(name);
  self->is_embedded = true;
  if (self->source) return pack;
  Py_DECREF(pack);
  return NULL;
}

PyObject *pricetag_storefront_pack(module_state *state) {
  if (!state->storefronts) {
    pack_object *self = new_pack(state, 0);
    if (!self) return NULL;
    pricetag_text bytes = pricetag_sql_embedded_storefronts();
    int32_t status = pricetag_pack_open(bytes.bytes, bytes.length, &self->shared->pack);
    if (status != PRICETAG_OK) {
      Py_DECREF((PyObject *)self);
      return pricetag_raise_status(state, status, NULL);
    }
    PyObject_GC_Track(self);
    state->storefronts = new_embedded((PyObject *)self, "storefronts");
  }
  Py_XINCREF(state->storefronts);
  return state->storefronts;
}

PyObject *pricetag_locale_pack(module_state *state) {
  if (!state->locales) {
    PyObject *lzma = PyImport_ImportModule("lzma");
    if (!lzma) {
      if (!PyErr_ExceptionMatches(PyExc_ImportError)) return NULL;
      PyErr_SetString(PyExc_ImportError,
                      "the pack of all price locales needs the module lzma, which this Python lacks; build "
                      "Python with liblzma, or pass pack=Pack(\"FILE\")");
      return NULL;
    }
    pricetag_text xz = pricetag_sql_embedded_locales();
    PyObject *bytes = PyObject_CallMethod(lzma, "decompress", "y#", xz.bytes, (Py_ssize_t)xz.length);
    Py_DECREF(lzma);
    PyObject *pack = new_embedded(pack_of_bytes(state, bytes), "locales");
    if (!pack) return NULL;
    // Decompressing releases the GIL: another thread may have been faster.
    if (state->locales) {
      Py_DECREF(pack);
    } else {
      state->locales = pack;
    }
  }
  Py_INCREF(state->locales);
  return state->locales;
}

// Calls a function with the state of a type's module.
static PyObject *with_state(PyObject *type, PyObject *(*function)(module_state *)) {
  PyObject *module = module_of((PyTypeObject *)type);
  PyObject *result = module ? function(PyModule_GetState(module)) : NULL;
  Py_XDECREF(module);
  return result;
}

static PyObject *pack_storefronts(PyObject *type, PyObject *unused) {
  (void)unused;
  return with_state(type, pricetag_storefront_pack);
}

static PyObject *pack_locales(PyObject *type, PyObject *unused) {
  (void)unused;
  return with_state(type, pricetag_locale_pack);
}

// Returns all names that a function of pricetag.h returns.
static PyObject *pack_names(PyObject *object, int32_t (*name)(const pricetag_pack *, size_t, pricetag_text *)) {
  const pricetag_pack *pack = ((pack_object *)object)->shared->pack;
  PyObject *names = PyList_New(0);
  pricetag_text text;
  for (size_t index = 0; names && name(pack, index, &text) == PRICETAG_OK; index++) {
    PyObject *value = PyUnicode_FromStringAndSize(text.bytes, (Py_ssize_t)text.length);
    if (!value || PyList_Append(names, value) != 0) Py_CLEAR(names);
    Py_XDECREF(value);
  }
  return names;
}

static PyObject *pack_storefront_codes(PyObject *object, void *unused) {
  (void)unused;
  return pack_names(object, pricetag_pack_storefront);
}

static PyObject *pack_currency_codes(PyObject *object, void *unused) {
  (void)unused;
  return pack_names(object, pricetag_pack_currency);
}

static PyObject *pack_versions(PyObject *object, void *unused) {
  static const char *const names[] = {"cldr", "icu", "license", "pricetag", "registry", "unicode"};
  (void)unused;
  PyObject *versions = PyDict_New();
  for (size_t index = 0; versions && index < sizeof names / sizeof *names; index++) {
    pricetag_text text;
    if (pricetag_pack_version(((pack_object *)object)->shared->pack, names[index], &text) != PRICETAG_OK) continue;
    PyObject *version = PyUnicode_FromStringAndSize(text.bytes, (Py_ssize_t)text.length);
    if (!version || PyDict_SetItemString(versions, names[index], version) != 0) Py_CLEAR(versions);
    Py_XDECREF(version);
  }
  return versions;
}

// Returns an integer of the header of a pack, which has been checked.
static uint64_t header_field(const pricetag_pack *pack, size_t start, size_t size) {
  const uint8_t *bytes = (const uint8_t *)pack + start;
  uint64_t value = 0;
  for (size_t index = size; index > 0; index--) value = value << 8 | bytes[index - 1];
  return value;
}

static PyObject *pack_bytes(PyObject *object, PyObject *unused) {
  pack_object *self = (pack_object *)object;
  (void)unused;
  const pricetag_pack *pack = self->shared->pack;
  return PyBytes_FromStringAndSize((const char *)pack, (Py_ssize_t)header_field(pack, 12, 4));
}

static PyObject *pack_checksum(PyObject *object, void *unused) {
  const pricetag_pack *pack = ((pack_object *)object)->shared->pack;
  (void)unused;
  return PyUnicode_FromFormat("%08x%08x", (unsigned)header_field(pack, 20, 4), (unsigned)header_field(pack, 16, 4));
}

static PyObject *pack_reduce(PyObject *object, PyObject *unused) {
  pack_object *self = (pack_object *)object;
  module_state *state = self->state;
  (void)unused;
  if (self->is_embedded || self->is_named) {
    PyObject *checksum = pack_checksum(object, NULL);
    PyObject *result = checksum ? Py_BuildValue("O(OO)", state->restore_pack, self->source, checksum) : NULL;
    Py_XDECREF(checksum);
    return result;
  }
  PyObject *bytes = pack_bytes(object, NULL);
  PyObject *result = bytes ? Py_BuildValue("O(O)", (PyObject *)state->pack_type, bytes) : NULL;
  Py_XDECREF(bytes);
  return result;
}

static PyObject *pack_repr(PyObject *object) {
  pack_object *self = (pack_object *)object;
  if (self->is_embedded) return PyUnicode_FromFormat("Pack.%U()", self->source);
  if (self->source) return PyUnicode_FromFormat("Pack(%R)", self->source);
  return PyUnicode_FromFormat("<Pack of %zd bytes>", (Py_ssize_t)header_field(self->shared->pack, 12, 4));
}

static PyMethodDef pack_methods[] = {
    {"storefronts", pack_storefronts, METH_NOARGS | METH_CLASS,
     "storefronts($type, /)\n--\n\n"
     "Returns the embedded pack of all storefronts.\n\n"
     ">>> Pack.storefronts()\nPack.storefronts()\n"},
    {"locales", pack_locales, METH_NOARGS | METH_CLASS,
     "locales($type, /)\n--\n\n"
     "Returns the embedded pack of all price locales and current currencies. The first call decompresses it.\n\n"
     ">>> Pack.locales()\nPack.locales()\n"},
    {"__bytes__", pack_bytes, METH_NOARGS,
     "__bytes__($self, /)\n--\n\nReturns the bytes of the pack, those of its file."},
    {"__reduce__", pack_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nReturns how to restore the pack: an embedded one by its name, others from their "
     "bytes."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef pack_properties[] = {
    {"storefront_codes", pack_storefront_codes, NULL,
     "The codes of the storefronts in the pack, sorted.\n\n>>> Pack.storefronts().storefront_codes[0]\n'AFG'\n", NULL},
    {"currency_codes", pack_currency_codes, NULL,
     "The codes of the currencies in the pack, sorted.\n\n>>> Pack.storefronts().currency_codes[0]\n'AED'\n", NULL},
    {"versions", pack_versions, NULL,
     "The versions that wrote the pack: those of ICU, CLDR, Unicode, PriceTag, and of the storefronts and "
     "currencies.\n\n"
     ">>> sorted(Pack.storefronts().versions)\n['cldr', 'icu', 'license', 'pricetag', 'registry', 'unicode']\n",
     NULL},
    {"checksum", pack_checksum, NULL,
     "The checksum of the pack as 16 hexadecimal digits. Packs with the same checksum write the same prices.\n\n"
     ">>> len(Pack.storefronts().checksum)\n16\n",
     NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot pack_slots[] = {
    {Py_tp_doc,
     "Pack(source, /)\n--\n\n"
     "A pack: the patterns of storefronts, or of price locales and currencies, as ICU writes them.\n\n"
     "The source is the path of a file that `pricetag pack` wrote, its bytes, or the name of a pack of all\n"
     "storefronts, such as \"cldr-48\"; \"./cldr-48\" is a file. A pack never changes, also if its file does. Any\n"
     "number of threads and forked processes may use it. A pack of the package is pickled by its name, any other\n"
     "by its bytes.\n\n"
     ">>> format(\"1234\", storefront=\"HUN\", pack=Pack(\"cldr-48\"))\n'1234\\xa0Ft'\n"
     ">>> pack = Pack(bytes(Pack.storefronts()))\n"
     ">>> format(\"1200\", storefront=\"JPN\", pack=pack)\n'￥1,200'\n"},
    {Py_tp_new, pack_new},
    {Py_tp_dealloc, pack_dealloc},
    {Py_tp_traverse, pack_traverse},
    {Py_tp_repr, pack_repr},
    {Py_tp_methods, pack_methods},
    {Py_tp_getset, pack_properties},
    {0, NULL}};

static PyType_Spec pack_spec = {"pricetag_formatter.Pack", sizeof(pack_object), 0,
                                Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, pack_slots};

// ---- Formatters

static void formatter_dealloc(PyObject *object) {
  formatter_object *self = (formatter_object *)object;
  PyObject_GC_UnTrack(object);
  for (int index = 0; index < ARGUMENTS; index++) Py_XDECREF(self->arguments[index]);
  Py_XDECREF(self->pack);
  Py_XDECREF(self->currency);
  Py_XDECREF(self->locale);
  pricetag_free(object);
}

static int formatter_traverse(PyObject *object, visitproc visit, void *arg) {
  formatter_object *self = (formatter_object *)object;
  for (int index = 0; index < ARGUMENTS; index++) Py_VISIT(self->arguments[index]);
  Py_VISIT(self->pack);
  return pricetag_traverse(object, visit, arg);
}

// A name of a pack, such as a storefront.
typedef struct {
  char text[64];
} pack_name;

static int read_pack_name(module_state *state, PyObject *value, int argument, int32_t status, pack_name *name) {
  if (expect_text(value, argument_names[argument]) != 0) return -1;
  if (copy_ascii(value, name->text, sizeof name->text) > 0) return 0;
  pricetag_raise_status(state, status, value);
  return -1;
}

static char lower(char character) { return character >= 'A' && character <= 'Z' ? (char)(character + 32) : character; }
static char upper(char character) { return character >= 'a' && character <= 'z' ? (char)(character - 32) : character; }

// Writes a price locale as BCP 47 recommends, such as zh-Hant-TW.
static void normalize_locale(char *tag) {
  for (char *start = tag; *start;) {
    size_t length = strcspn(start, "-_");
    bool is_first = start == tag;
    for (size_t index = 0; index < length; index++) {
      bool is_capital = !is_first && (length == 2 || (length == 4 && index == 0));
      start[index] = is_capital ? upper(start[index]) : lower(start[index]);
    }
    start += length;
    if (*start) *start++ = '-';
  }
}

// Raises the exception of a style that the pack lacks. The fix has the options of the style.
static void raise_missing_style(module_state *state, PyObject *const *arguments) {
  PyObject *options = PyUnicode_FromString("");
  for (int index = WIDTH; options && index < ARGUMENTS; index++) {
    if (!is_given(arguments[index])) continue;
    // The values have been read, and have no quotes.
    bool has_space = PyUnicode_Check(arguments[index]) &&
                     PyUnicode_FindChar(arguments[index], ' ', 0, PyUnicode_GetLength(arguments[index]), 1) >= 0;
    // The text of a subclass of int, such as an enumeration, can be another than its digits.
    PyObject *longer =
        PyLong_Check(arguments[index])
            ? PyUnicode_FromFormat("%U --%s %ld", options, argument_names[index], PyLong_AsLong(arguments[index]))
            : PyUnicode_FromFormat(has_space ? "%U --%s '%S'" : "%U --%s %S", options, argument_names[index],
                                   arguments[index]);
    Py_DECREF(options);
    options = longer;
  }
  if (!options) return;
  const char *range = is_given(arguments[STOREFRONT]) ? "" : " --locales all";
  PyObject *fix =
      PyUnicode_FromFormat("write one with `pricetag pack%s%U -o FILE`, and pass pack=Pack(\"FILE\")", range, options);
  PyObject *message = PyUnicode_FromFormat("the pack has no patterns of the style%U", options);
  PyObject *error =
      fix && message ? PyObject_CallFunction(state->error_type, "sOO", "missing-style", message, fix) : NULL;
  if (error) PyErr_SetObject(state->error_type, error);
  Py_DECREF(options);
  Py_XDECREF(fix);
  Py_XDECREF(message);
  Py_XDECREF(error);
}

// Raises the exception of a status of finding a formatter.
static void raise_not_found(module_state *state, int32_t status, PyObject *const *arguments) {
  PyObject *where = arguments[is_given(arguments[STOREFRONT]) ? STOREFRONT : LOCALE];
  if (status == PRICETAG_MISSING_STYLE) {
    raise_missing_style(state, arguments);
  } else if (status == PRICETAG_UNKNOWN_CURRENCY) {
    pricetag_raise_status(state, status, arguments[CURRENCY]);
  } else if (is_given(arguments[CURRENCY]) && status != PRICETAG_UNKNOWN_STOREFRONT &&
             status != PRICETAG_UNKNOWN_LOCALE) {
    raise_format(state, pricetag_status_code(status), fix_of(status), "%.100R with %.100R: %s", where,
                 arguments[CURRENCY], pricetag_status_message(status));
  } else {
    pricetag_raise_status(state, status, where);
  }
}

// Finds the formatter of the arguments, and stores the names of its currency and price locale.
static int find_formatter(formatter_object *self, PyObject *const *arguments, const pricetag_style *style) {
  const pricetag_pack *pack = ((pack_object *)self->pack)->shared->pack;
  module_state *state = self->state;
  pack_name first, currency = {""};
  bool has_currency = is_given(arguments[CURRENCY]);
  if (has_currency && read_pack_name(state, arguments[CURRENCY], CURRENCY, PRICETAG_UNKNOWN_CURRENCY, &currency) != 0) {
    return -1;
  }
  int32_t status;
  pricetag_text found = {"", 0};
  if (is_given(arguments[STOREFRONT])) {
    if (read_pack_name(state, arguments[STOREFRONT], STOREFRONT, PRICETAG_UNKNOWN_STOREFRONT, &first) != 0) return -1;
    status = has_currency ? pricetag_formatter_for_storefront_in(pack, first.text, currency.text, self->day, style,
                                                                 &self->formatter)
                          : pricetag_formatter_for_storefront(pack, first.text, self->day, style, &self->formatter);
    pricetag_text locale = {"", 0};
    if (status == PRICETAG_OK) status = pricetag_storefront(pack, first.text, self->day, &found, &locale);
    if (status == PRICETAG_OK) self->locale = PyUnicode_FromStringAndSize(locale.bytes, (Py_ssize_t)locale.length);
  } else {
    if (read_pack_name(state, arguments[LOCALE], LOCALE, PRICETAG_UNKNOWN_LOCALE, &first) != 0) return -1;
    status = pricetag_formatter_for_locale(pack, first.text, currency.text, style, &self->formatter);
    normalize_locale(first.text);
    if (status == PRICETAG_OK) self->locale = PyUnicode_FromString(first.text);
  }
  if (status != PRICETAG_OK) {
    raise_not_found(state, status, arguments);
    return -1;
  }
  if (!has_currency) {
    // The codes of packs have at most 12 characters.
    size_t length = found.length < sizeof currency.text ? found.length : sizeof currency.text - 1;
    memcpy(currency.text, found.bytes, length);
    currency.text[length] = 0;
  }
  for (char *place = currency.text; *place; place++) *place = upper(*place);
  self->currency = PyUnicode_FromString(currency.text);
  self->minor_digits = -1;
  pricetag_minor_unit_digits(pack, currency.text, &self->minor_digits);
  self->spoken = pricetag_formatter_spoken(self->formatter);
  return self->locale && self->currency ? 0 : -1;
}

// Creates a formatter. The date has been read.
static PyObject *new_formatter(module_state *state, PyObject *const *arguments, int32_t day) {
  bool has_storefront = is_given(arguments[STOREFRONT]), has_locale = is_given(arguments[LOCALE]);
  if (has_storefront && has_locale) {
    return pricetag_raise(state, "invalid-option", "a storefront has a price locale of its own",
                          "pass only one of storefront and locale");
  }
  if (!has_storefront && !(has_locale && is_given(arguments[CURRENCY]))) {
    return pricetag_raise(state, "missing-storefront", "there is no storefront, and no price locale with a currency",
                          "pass storefront=\"USA\", or locale=\"de-CH\" and currency=\"CHF\"");
  }
  pricetag_style style;
  memset(&style, 0, sizeof style);
  int32_t rounding;
  if (pricetag_read_rounding(state, arguments[ROUNDING], &rounding) != 0) return NULL;
  for (int index = WIDTH; index < ARGUMENTS; index++) {
    if (is_given(arguments[index]) && read_style_option(state, index, arguments[index], &style) != 0) return NULL;
  }
  PyObject *pack = arguments[PACK];
  if (is_given(pack)) {
    if (!pricetag_pack_of(state, pack)) return NULL;
    Py_INCREF(pack);
  } else {
    pack = has_storefront ? pricetag_storefront_pack(state) : pricetag_locale_pack(state);
    if (!pack) return NULL;
  }
  formatter_object *self = (formatter_object *)pricetag_new(state, state->formatter_type);
  if (!self) {
    Py_DECREF(pack);
    return NULL;
  }
  self->pack = pack;
  self->day = day;
  self->rounding = rounding;
  for (int index = 0; index < ARGUMENTS; index++) {
    if (index == DATE || !is_given(arguments[index])) continue;
    Py_INCREF(arguments[index]);
    self->arguments[index] = arguments[index];
  }
  if (find_formatter(self, arguments, &style) == 0) {
    PyObject_GC_Track(self);
    return (PyObject *)self;
  }
  Py_DECREF((PyObject *)self);
  return NULL;
}

static PyObject *formatter_of_keywords(module_state *state, PyObject *keywords) {
  PyObject *arguments[ARGUMENTS] = {NULL}, *name, *value;
  Py_ssize_t place = 0;
  while (keywords && PyDict_Next(keywords, &place, &name, &value)) {
    int index = argument_of(state, name, ARGUMENTS, "Formatter");
    if (index < 0) return NULL;
    arguments[index] = value;
  }
  int32_t day;
  if (pricetag_read_date(state, arguments[DATE], &day) != 0) return NULL;
  return new_formatter(state, arguments, day);
}

static PyObject *formatter_new(PyTypeObject *type, PyObject *positional, PyObject *keywords) {
  if (PyTuple_Size(positional) != 0) {
    PyErr_SetString(PyExc_TypeError, "Formatter() takes keyword arguments only, such as storefront=\"USA\"");
    return NULL;
  }
  PyObject *module = module_of(type);
  PyObject *formatter = module ? formatter_of_keywords(PyModule_GetState(module), keywords) : NULL;
  Py_XDECREF(module);
  return formatter;
}

// ---- Amounts

typedef struct {
  int64_t units;
  int32_t exponent;
} amount;

static int raise_amount(module_state *state, int32_t status, PyObject *value) {
  // The text of an integer can be very long.
  PyObject *shown = PyLong_Check(value) ? NULL : PyObject_Str(value);
  if (!shown) PyErr_Clear();
  if (!shown) {
    pricetag_raise_status(state, status, NULL);
  } else if (status == PRICETAG_MALFORMED_AMOUNT) {
    raise_format(state, pricetag_status_code(status), fix_of(status), "%.80R is not a decimal amount", shown);
  } else {
    raise_format(state, pricetag_status_code(status), fix_of(status), "%.80R: %s", shown,
                 pricetag_status_message(status));
  }
  Py_XDECREF(shown);
  return -1;
}

static int read_text_amount(module_state *state, PyObject *text, amount *result) {
  // Only the first 65 characters of a longer text decide why it is an error.
  enum { MAXIMUM = 66 };
  char bytes[MAXIMUM + 1];
  Py_ssize_t length;
  if (PyUnicode_GetLength(text) > MAXIMUM) {
    PyObject *start = PyUnicode_Substring(text, 0, MAXIMUM);
    if (!start) return -1;
    length = copy_ascii(start, bytes, sizeof bytes);
    Py_DECREF(start);
  } else {
    length = copy_ascii(text, bytes, sizeof bytes);
  }
  int32_t status =
      length < 0 ? PRICETAG_MALFORMED_AMOUNT : pricetag_parse(bytes, (size_t)length, &result->units, &result->exponent);
  return status == PRICETAG_OK ? 0 : raise_amount(state, status, text);
}

static int read_integer(module_state *state, PyObject *value, int64_t *result) {
  int overflow;
  *result = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow) return raise_amount(state, PRICETAG_AMOUNT_OUT_OF_RANGE, value);
  return *result == -1 && PyErr_Occurred() ? -1 : 0;
}

// Reads what Decimal.__str__ writes: digits with an optional point and exponent, such as 1.50 or 1E+3. Zeros at the end
// of the digits have no effect.
static int32_t parse_decimal(const char *text, amount *result) {
  bool is_negative = *text == '-';
  if (is_negative) text++;
  uint64_t digits = 0;
  // Zeros that are digits of the coefficient only if another digit follows.
  int64_t zero_count = 0, fraction_count = 0, exponent = 0;
  bool is_fraction = false, has_digits = false, is_too_large = false;
  for (; (*text >= '0' && *text <= '9') || (*text == '.' && !is_fraction); text++) {
    if (*text == '.') {
      is_fraction = true;
      continue;
    }
    has_digits = true;
    fraction_count += is_fraction;
    if (*text == '0') {
      zero_count += digits > 0;
      continue;
    }
    for (; zero_count >= 0 && !is_too_large; zero_count--) is_too_large = __builtin_mul_overflow(digits, 10, &digits);
    zero_count = 0;
    is_too_large = is_too_large || __builtin_add_overflow(digits, (uint64_t)(*text - '0'), &digits);
  }
  if (has_digits && (*text == 'E' || *text == 'e')) {
    text++;
    bool is_below_zero = *text == '-';
    if (*text == '-' || *text == '+') text++;
    if (*text < '0' || *text > '9') return PRICETAG_MALFORMED_AMOUNT;
    for (; *text >= '0' && *text <= '9'; text++) {
      if (exponent < INT32_MAX) exponent = 10 * exponent + *text - '0';
    }
    if (is_below_zero) exponent = -exponent;
  }
  if (!has_digits || *text) return PRICETAG_MALFORMED_AMOUNT;
  *result = (amount){0, 0};
  if (digits == 0 && !is_too_large) return PRICETAG_OK;
  exponent += zero_count - fraction_count;
  if (is_too_large || exponent < -18 || exponent > 18) return PRICETAG_AMOUNT_OUT_OF_RANGE;
  for (; exponent > 0; exponent--) {
    if (__builtin_mul_overflow(digits, 10, &digits)) return PRICETAG_AMOUNT_OUT_OF_RANGE;
  }
  if (digits > (uint64_t)INT64_MAX + is_negative) return PRICETAG_AMOUNT_OUT_OF_RANGE;
  result->units = is_negative ? (int64_t)(0 - digits) : (int64_t)digits;
  result->exponent = (int32_t)-exponent;
  return PRICETAG_OK;
}

// Returns whether an object is a Decimal; -1 with an exception.
static int is_decimal(module_state *state, PyObject *value) {
  if (!state->decimal_type) {
    // An object can only be a Decimal if its module has been imported.
    PyObject *name = PyUnicode_FromString("decimal");
    PyObject *module = name ? PyImport_GetModule(name) : NULL;
    Py_XDECREF(name);
    if (!module) return PyErr_Occurred() ? -1 : 0;
    PyObject *type = PyObject_GetAttrString(module, "Decimal");
    Py_DECREF(module);
    PyObject *text = type ? PyObject_GetAttrString(type, "__str__") : NULL;
    if (!text) {
      Py_XDECREF(type);
      // Another thread is importing the module, so that there is no Decimal yet.
      if (!PyErr_ExceptionMatches(PyExc_AttributeError)) return -1;
      PyErr_Clear();
      return 0;
    }
    state->decimal_text = text;
    state->decimal_type = type;
  }
  return PyObject_IsInstance(value, state->decimal_type);
}

static int read_decimal(module_state *state, PyObject *value, amount *result) {
  PyObject *text = PyObject_CallFunctionObjArgs(state->decimal_text, value, NULL);
  PyObject *bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
  Py_XDECREF(text);
  if (!bytes) return -1;
  int32_t status = parse_decimal(PyBytes_AsString(bytes), result);
  Py_DECREF(bytes);
  return status == PRICETAG_OK ? 0 : raise_amount(state, status, value);
}

static int refuse_amount(PyObject *value, int unit) {
  const char *accepted = unit == PRICETAG_SQL_MAJOR ? "text such as \"4.99\", a Decimal or an int" : "an int";
  if (PyFloat_Check(value)) {
    PyErr_Format(PyExc_TypeError,
                 "amount: %R is a float, which cannot hold most decimals, such as 0.1, exactly; pass %s", value,
                 accepted);
  } else {
    PyErr_Format(PyExc_TypeError, "amount: %.100R is not the type of an amount; pass %s", (PyObject *)Py_TYPE(value),
                 accepted);
  }
  return -1;
}

// Reads an amount. Without a formatter, which the minor units need, it is a number.
static int read_amount(module_state *state, const formatter_object *self, PyObject *value, int unit, amount *result) {
  PyObject *integer;
  if (PyUnicode_Check(value) && unit == PRICETAG_SQL_MAJOR) return read_text_amount(state, value, result);
  if (PyBool_Check(value) || PyFloat_Check(value)) return refuse_amount(value, unit);
  if (PyLong_Check(value)) {
    Py_INCREF(value);
    integer = value;
  } else {
    int decimal = unit == PRICETAG_SQL_MAJOR ? is_decimal(state, value) : 0;
    if (decimal < 0) return -1;
    if (decimal) return read_decimal(state, value, result);
    if (!PyIndex_Check(value)) return refuse_amount(value, unit);
    integer = PyNumber_Index(value);
    if (!integer) return PyErr_ExceptionMatches(PyExc_TypeError) ? refuse_amount(value, unit) : -1;
  }
  int status = read_integer(state, integer, &result->units);
  Py_DECREF(integer);
  if (status != 0) return -1;
  result->exponent = unit == PRICETAG_SQL_MAJOR ? 0 : unit == PRICETAG_SQL_MICROS ? 6 : self->minor_digits;
  if (result->exponent >= 0) return 0;
  raise_format(state, "no-minor-unit", "pass the amount in major units", "%U has no minor unit in ISO 4217",
               self->currency);
  return -1;
}

int pricetag_read_number(module_state *state, PyObject *value, int64_t *units, int32_t *exponent) {
  amount read;
  if (read_amount(state, NULL, value, PRICETAG_SQL_MAJOR, &read) != 0) return -1;
  *units = read.units;
  *exponent = read.exponent;
  return 0;
}

int pricetag_read_price(module_state *state, PyObject *formatter, PyObject *value, bool is_spoken,
                        pricetag_argument *price) {
  if (Py_TYPE(formatter) != state->formatter_type) {
    PyErr_Format(PyExc_TypeError, "a price must have a Formatter, not %.100R", (PyObject *)Py_TYPE(formatter));
    return -1;
  }
  const formatter_object *self = (formatter_object *)formatter;
  price->price = is_spoken && self->spoken ? self->spoken : self->formatter;
  price->rounding = self->rounding;
  return pricetag_read_number(state, value, &price->units, &price->exponent);
}

// Raises the exception of an amount that cannot be written, and returns NULL.
static PyObject *raise_unwritten(const formatter_object *self, PyObject *value, int32_t status) {
  module_state *state = self->state;
  if (status == PRICETAG_NEEDS_ROUNDING) {
    PyObject *shown = PyObject_Str(value);
    if (!shown) return NULL;
    raise_format(state, pricetag_status_code(status), fix_of(status),
                 "%.80S: the amount has more decimals than %U displays (%d)", shown, self->currency,
                 (int)pricetag_formatter_digits(self->formatter));
    Py_DECREF(shown);
  } else {
    raise_amount(state, status, value);
  }
  return NULL;
}

static PyObject *format_amount(const formatter_object *self, const pricetag_formatter *formatter, PyObject *value,
                               int unit) {
  amount read;
  char price[PRICETAG_MAXIMUM_CAPACITY];
  size_t length;
  if (unit < 0 || read_amount(self->state, self, value, unit, &read) != 0) return NULL;
  int32_t status =
      pricetag_format_units(formatter, read.units, read.exponent, self->rounding, price, sizeof price, &length);
  if (status != PRICETAG_OK) return raise_unwritten(self, value, status);
  return PyUnicode_DecodeUTF8(price, (Py_ssize_t)length, NULL);
}

// Reads the arguments of a method: an amount and a unit. Returns the unit; -1 with an exception.
static int read_call(const formatter_object *self, PyObject *positional, PyObject *keywords, PyObject **value) {
  PyObject *unit = NULL;
  if (!keywords && PyTuple_Size(positional) == 1) {
    *value = PyTuple_GetItem(positional, 0);
    return PRICETAG_SQL_MAJOR;
  }
  static char *names[] = {"amount", "unit", NULL};
  if (!PyArg_ParseTupleAndKeywords(positional, keywords, "O|O:Formatter", names, value, &unit)) return -1;
  return read_unit(self->state, unit);
}

static PyObject *formatter_call(PyObject *object, PyObject *positional, PyObject *keywords) {
  const formatter_object *self = (formatter_object *)object;
  PyObject *value;
  int unit = read_call(self, positional, keywords, &value);
  return unit < 0 ? NULL : format_amount(self, self->formatter, value, unit);
}

static PyObject *formatter_spoken(PyObject *object, PyObject *positional, PyObject *keywords) {
  const formatter_object *self = (formatter_object *)object;
  PyObject *value;
  int unit = read_call(self, positional, keywords, &value);
  if (unit < 0) return NULL;
  if (!self->spoken) {
    return pricetag_raise(self->state, "missing-formatter", "the pack has no spoken form of the price",
                          "write the pack without --no-spoken");
  }
  return format_amount(self, self->spoken, value, unit);
}

static PyObject *formatter_parts(PyObject *object, PyObject *positional, PyObject *keywords) {
  const formatter_object *self = (formatter_object *)object;
  PyObject *value;
  amount read;
  char price[PRICETAG_MAXIMUM_CAPACITY];
  size_t length, count;
  pricetag_part parts[128];
  int unit = read_call(self, positional, keywords, &value);
  if (unit < 0 || read_amount(self->state, self, value, unit, &read) != 0) return NULL;
  int32_t status =
      pricetag_format_units(self->formatter, read.units, read.exponent, self->rounding, price, sizeof price, &length);
  if (status == PRICETAG_OK) {
    status = pricetag_parts(self->formatter, read.units, read.exponent, self->rounding, parts, 128, &count);
  }
  if (status != PRICETAG_OK) return raise_unwritten(self, value, status);
  PyObject *list = PyList_New(0);
  for (size_t index = 0; list && index < count && index < 128; index++) {
    uint32_t kind = parts[index].kind, start = parts[index].start, end = parts[index].end;
    if (kind >= sizeof part_kinds / sizeof *part_kinds) kind = PRICETAG_LITERAL;
    if (start > end || end > length) continue;
    PyObject *part = PyObject_CallFunction(self->state->part_type, "ss#", part_kinds[kind], price + start,
                                           (Py_ssize_t)(end - start));
    if (!part || PyList_Append(list, part) != 0) Py_CLEAR(list);
    Py_XDECREF(part);
  }
  return list;
}

static PyObject *formatter_direction(PyObject *object, PyObject *positional, PyObject *keywords) {
  const formatter_object *self = (formatter_object *)object;
  PyObject *value;
  amount read;
  int32_t direction;
  int unit = read_call(self, positional, keywords, &value);
  if (unit < 0 || read_amount(self->state, self, value, unit, &read) != 0) return NULL;
  int32_t status = pricetag_direction(self->formatter, read.units, read.exponent, self->rounding, &direction);
  if (status != PRICETAG_OK) return raise_unwritten(self, value, status);
  return PyUnicode_FromString(direction == PRICETAG_RIGHT_TO_LEFT ? "rtl" : "ltr");
}

// ---- Reading

// Raises the error of a text that cannot be read, with the index of the character at a place of its bytes.
static void raise_unread(module_state *state, int32_t status, PyObject *text, const char *bytes, size_t size,
                         ptrdiff_t place, bool is_lenient) {
  Py_ssize_t position = 0;
  for (ptrdiff_t index = 1; index <= place; index++) {
    position += (size_t)index >= size || ((unsigned char)bytes[index] & 0xC0) != 0x80;
  }
  bool is_final = is_lenient && status == PRICETAG_NOT_AS_WRITTEN;
  const char *code = pricetag_status_code(status), *problem = pricetag_status_message(status);
  const char *fix = is_final ? "correct the text at this position" : fix_of(status);
  PyObject *start = PyUnicode_Substring(text, 0, 80);
  // An ambiguous text may be exactly what the formatter writes.
  PyObject *message = !start      ? NULL
                      : place < 0 ? PyUnicode_FromFormat("%R: %s", start, problem)
                                  : PyUnicode_FromFormat("%R, position %zd: %s", start, position, problem);
  PyObject *number = place < 0 ? Py_BuildValue("") : PyLong_FromSsize_t(position);
  PyObject *error =
      message && number ? PyObject_CallFunction(state->error_type, "sOsO", code, message, fix, number) : NULL;
  Py_XDECREF(number);
  if (error) PyErr_SetObject(state->error_type, error);
  Py_XDECREF(start);
  Py_XDECREF(message);
  Py_XDECREF(error);
}

PyObject *pricetag_new_decimal(module_state *state, int64_t units, int32_t exponent) {
  if (!state->decimal_type) {
    PyObject *module = PyImport_ImportModule("decimal");
    Py_XDECREF(module);
    if (!module || is_decimal(state, Py_None) < 0) return NULL;
  }
  char text[PRICETAG_AMOUNT_TEXT];
  size_t length = pricetag_amount_text(units, exponent, text);
  return PyObject_CallFunction(state->decimal_type, "s#", text, (Py_ssize_t)length);
}

static PyObject *read_price(const formatter_object *self, PyObject *text, bool is_lenient) {
  enum { MAXIMUM = 4096 };
  if (expect_text(text, "text") != 0) return NULL;
  // The start of a longer text is enough to refuse it. Unpaired surrogates are in no price.
  PyObject *start = PyUnicode_Substring(text, 0, MAXIMUM + 1);
  PyObject *encoded = start ? PyUnicode_AsEncodedString(start, "utf-8", "surrogatepass") : NULL;
  Py_XDECREF(start);
  if (!encoded) return NULL;
  const char *bytes = PyBytes_AsString(encoded);
  size_t size = (size_t)PyBytes_Size(encoded);
  int64_t units;
  int32_t exponent;
  ptrdiff_t place = 0;
  int32_t status = pricetag_read(self->formatter, bytes, size, is_lenient ? PRICETAG_LENIENT : PRICETAG_STRICT, &units,
                                 &exponent, &place);
  if (status != PRICETAG_OK) raise_unread(self->state, status, text, bytes, size, place, is_lenient);
  Py_DECREF(encoded);
  return status == PRICETAG_OK ? pricetag_new_decimal(self->state, units, exponent) : NULL;
}

static PyObject *formatter_read(PyObject *object, PyObject *positional, PyObject *keywords) {
  static char *names[] = {"text", "lenient", NULL};
  PyObject *text;
  int is_lenient = 0;
  if (!PyArg_ParseTupleAndKeywords(positional, keywords, "O|p:read", names, &text, &is_lenient)) return NULL;
  return read_price((formatter_object *)object, text, is_lenient);
}

static PyObject *date_text(int32_t day) {
  return PyUnicode_FromFormat("%04d-%02d-%02d", (int)(day / 10000), (int)(day / 100 % 100), (int)(day % 100));
}

// Returns the arguments as a dictionary. The date is a text.
static PyObject *formatter_arguments(const formatter_object *self, bool includes_pack) {
  PyObject *result = PyDict_New();
  for (int index = 0; result && index < ARGUMENTS; index++) {
    PyObject *value = NULL;
    if (index == DATE) {
      value = self->arguments[STOREFRONT] && self->day != 0 ? date_text(self->day) : NULL;
      if (!value && PyErr_Occurred()) Py_CLEAR(result);
    } else if (index == PACK) {
      value = includes_pack || !((pack_object *)self->pack)->is_embedded ? self->pack : NULL;
      Py_XINCREF(value);
    } else {
      value = self->arguments[index];
      Py_XINCREF(value);
    }
    if (result && value && PyDict_SetItem(result, self->state->names[index], value) != 0) Py_CLEAR(result);
    Py_XDECREF(value);
  }
  return result;
}

static PyObject *formatter_reduce(PyObject *object, PyObject *unused) {
  const formatter_object *self = (formatter_object *)object;
  (void)unused;
  PyObject *arguments = formatter_arguments(self, true);
  PyObject *result = arguments ? Py_BuildValue("O(O)", self->state->restore_formatter, arguments) : NULL;
  Py_XDECREF(arguments);
  return result;
}

static PyObject *formatter_repr(PyObject *object) {
  PyObject *arguments = formatter_arguments((formatter_object *)object, false);
  PyObject *result = arguments ? PyUnicode_FromString("Formatter(") : NULL;
  PyObject *name, *value;
  Py_ssize_t place = 0;
  const char *separator = "";
  while (result && PyDict_Next(arguments, &place, &name, &value)) {
    PyObject *longer = PyUnicode_FromFormat("%U%s%U=%R", result, separator, name, value);
    Py_DECREF(result);
    result = longer;
    separator = ", ";
  }
  PyObject *closed = result ? PyUnicode_FromFormat("%U)", result) : NULL;
  Py_XDECREF(result);
  Py_XDECREF(arguments);
  return closed;
}

static PyObject *formatter_digits(PyObject *object, void *unused) {
  (void)unused;
  return PyLong_FromLong(pricetag_formatter_digits(((formatter_object *)object)->formatter));
}

static PyObject *formatter_currency(PyObject *object, void *unused) {
  (void)unused;
  PyObject *currency = ((formatter_object *)object)->currency;
  Py_INCREF(currency);
  return currency;
}

static PyObject *formatter_locale(PyObject *object, void *unused) {
  (void)unused;
  PyObject *locale = ((formatter_object *)object)->locale;
  Py_INCREF(locale);
  return locale;
}

#define WITH_KEYWORDS(function) (PyCFunction)(void (*)(void))(function), METH_VARARGS | METH_KEYWORDS

static PyMethodDef formatter_methods[] = {
    {"parts", WITH_KEYWORDS(formatter_parts),
     "parts($self, /, amount, unit='major')\n--\n\n"
     "Returns the parts of a price in order, each a Part with a kind and a text.\n\n"
     ">>> Formatter(storefront=\"JPN\").parts(\"1200\")[0]\nPart(kind='symbol', text='￥')\n"},
    {"spoken", WITH_KEYWORDS(formatter_spoken),
     "spoken($self, /, amount, unit='major')\n--\n\n"
     "Returns the spoken form of a price, with the full name of the currency.\n\n"
     ">>> Formatter(storefront=\"USA\").spoken(\"49.99\")\n'49.99 US dollars'\n"},
    {"direction", WITH_KEYWORDS(formatter_direction),
     "direction($self, /, amount, unit='major')\n--\n\n"
     "Returns the direction of the first strong character of a price, \"ltr\" or \"rtl\".\n\n"
     ">>> Formatter(storefront=\"EGY\").direction(\"249.99\")\n'rtl'\n"},
    {"read", WITH_KEYWORDS(formatter_read),
     "read($self, /, text, lenient=False)\n--\n\n"
     "Returns the amount of a formatted price: the inverse of formatting.\n\n"
     "Without `lenient`, the text is exactly what the formatter writes for some amount. With it, other spaces, "
     "apostrophes,\n"
     "minus signs, direction marks and symbols of the same currency are accepted too.\n\n"
     ">>> Formatter(storefront=\"USA\").read(\"$1,234.50\")\nDecimal('1234.50')\n"},
    {"__reduce__", formatter_reduce, METH_NOARGS,
     "__reduce__($self, /)\n--\n\nReturns how to restore the formatter: from its arguments, its date and its pack."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef formatter_properties[] = {
    {"digits", formatter_digits, NULL,
     "The maximum number of digits after the decimal separator.\n\n"
     ">>> Formatter(storefront=\"JPN\").digits\n0\n",
     NULL},
    {"currency", formatter_currency, NULL,
     "The code of the currency.\n\n>>> Formatter(storefront=\"BGR\", date=\"2025-12-31\").currency\n'BGN'\n", NULL},
    {"locale", formatter_locale, NULL,
     "The price locale, a BCP 47 tag.\n\n>>> Formatter(storefront=\"JPN\").locale\n'ja-JP'\n", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot formatter_slots[] = {{Py_tp_doc,
                                         "Formatter(*, storefront=None, locale=None, currency=None, date=None, "
                                         "pack=None, rounding='exact', width='standard', "
                                         "zeros='keep', sign='auto', digits='standard', grouping='auto', "
                                         "numbering=None, notation='standard', qualifier='none', "
                                         "per=None)\n--\n\n"
                                         "Formats prices of one storefront, or of one price locale and currency.\n\n"
                                         "A storefront that has changed its currency needs a date. A formatter\n"
                                         "never changes; any number of threads and forked processes may use it.\n\n"
                                         ">>> price = Formatter(storefront=\"USA\", width=\"iso\")\n"
                                         ">>> price(\"4.99\")\n'USD\\xa04.99'\n"
                                         ">>> price(499, unit=\"minor\")\n'USD\\xa04.99'\n"},
                                        {Py_tp_new, formatter_new},
                                        {Py_tp_dealloc, formatter_dealloc},
                                        {Py_tp_traverse, formatter_traverse},
                                        {Py_tp_call, formatter_call},
                                        {Py_tp_repr, formatter_repr},
                                        {Py_tp_methods, formatter_methods},
                                        {Py_tp_getset, formatter_properties},
                                        {0, NULL}};

static PyType_Spec formatter_spec = {"pricetag_formatter.Formatter", sizeof(formatter_object), 0,
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, formatter_slots};

// ---- format

// Returns whether two arguments are equal: the same object, or the same text.
static bool is_same(PyObject *left, PyObject *right) {
  if (left == right) return true;
  return left && right && PyUnicode_CheckExact(left) && PyUnicode_CheckExact(right) &&
         PyUnicode_Compare(left, right) == 0;
}

// Returns the formatter of the arguments as a new reference, which is stored for the next calls. Only text and packs
// are keys: comparing and hashing them cannot run code that changes the cache.
static PyObject *cached_formatter(module_state *state, PyObject **arguments) {
  int32_t day;
  if (pricetag_read_date(state, arguments[DATE], &day) != 0) return NULL;
  uint64_t hash = (uint64_t)day;
  for (int index = 0; index < ARGUMENTS; index++) {
    PyObject *value = arguments[index];
    if (!value || index == DATE) continue;
    if (value == Py_None) {
      arguments[index] = NULL;
      continue;
    }
    uint64_t part;
    if (PyUnicode_CheckExact(value)) {
      part = (uint64_t)PyObject_Hash(value);
    } else if (is_pack(state, value)) {
      part = (uint64_t)(uintptr_t)value >> 4;
    } else {
      return new_formatter(state, arguments, day);
    }
    hash = pricetag_hash(hash, part + (uint64_t)index);
  }
  size_t place = hash % CACHE_SIZE;
  PyObject *stored = state->cache[place].formatter;
  if (stored && state->cache[place].hash == (Py_hash_t)hash) {
    formatter_object *found = (formatter_object *)stored;
    bool is_found = found->day == day;
    for (int index = 0; is_found && index < ARGUMENTS; index++) {
      if (index != DATE) is_found = is_same(found->arguments[index], arguments[index]);
    }
    if (is_found) {
      Py_INCREF(stored);
      return stored;
    }
  }
  PyObject *formatter = new_formatter(state, arguments, day);
  if (!formatter) return NULL;
  PyObject *previous = state->cache[place].formatter;
  Py_INCREF(formatter);
  state->cache[place].formatter = formatter;
  state->cache[place].hash = (Py_hash_t)hash;
  Py_XDECREF(previous);
  return formatter;
}

static PyObject *format_arguments(module_state *state, PyObject **arguments) {
  if (!arguments[AMOUNT]) {
    PyErr_SetString(PyExc_TypeError, "format() missing 1 required positional argument: 'amount'");
    return NULL;
  }
  int unit = read_unit(state, arguments[UNIT]);
  PyObject *formatter = unit < 0 ? NULL : cached_formatter(state, arguments);
  if (!formatter) return NULL;
  const formatter_object *self = (formatter_object *)formatter;
  PyObject *price = format_amount(self, self->formatter, arguments[AMOUNT], unit);
  Py_DECREF(formatter);
  return price;
}

static int read_positional(Py_ssize_t count) {
  if (count <= 1) return 0;
  PyErr_Format(PyExc_TypeError, "format() takes 1 positional argument but %zd were given", count);
  return -1;
}

static int store_argument(module_state *state, PyObject **arguments, PyObject *name, PyObject *value) {
  int index = argument_of(state, name, ALL_ARGUMENTS, "format");
  if (index < 0) return -1;
  if (arguments[index]) {
    PyErr_Format(PyExc_TypeError, "format() got multiple values for argument '%s'", argument_names[index]);
    return -1;
  }
  arguments[index] = value;
  return 0;
}

static PyObject *format_tuple(PyObject *module, PyObject *positional, PyObject *keywords) {
  PyObject *arguments[ALL_ARGUMENTS] = {NULL}, *name, *value;
  Py_ssize_t place = 0, count = PyTuple_Size(positional);
  module_state *state = PyModule_GetState(module);
  if (read_positional(count) != 0) return NULL;
  if (count == 1) arguments[AMOUNT] = PyTuple_GetItem(positional, 0);
  while (keywords && PyDict_Next(keywords, &place, &name, &value)) {
    if (store_argument(state, arguments, name, value) != 0) return NULL;
  }
  return format_arguments(state, arguments);
}

static PyObject *format_vector(PyObject *module, PyObject *const *values, Py_ssize_t count, PyObject *names) {
  PyObject *arguments[ALL_ARGUMENTS] = {NULL};
  module_state *state = PyModule_GetState(module);
  if (read_positional(count) != 0) return NULL;
  if (count == 1) arguments[AMOUNT] = values[0];
  Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t index = 0; index < named; index++) {
    if (store_argument(state, arguments, PyTuple_GetItem(names, index), values[count + index]) != 0) return NULL;
  }
  return format_arguments(state, arguments);
}

// ---- The module

// METH_FASTCALL is part of the stable ABI from Python 3.10 on, and not in the headers for 3.9. It avoids a dictionary
// in each call.
enum { FASTCALL = 0x0080 };

static PyMethodDef functions[] = {
    {"format", WITH_KEYWORDS(format_tuple),
     "format(amount, *, storefront=None, locale=None, currency=None, date=None, unit='major', rounding='exact', "
     "pack=None, "
     "width='standard', zeros='keep', sign='auto', digits='standard', grouping='auto', numbering=None, "
     "notation='standard', "
     "qualifier='none', per=None)\n--\n\n"
     "Returns a price by the locale and currency of its store.\n\n"
     "The amount is text, an int or a Decimal; a float is a TypeError. Formatters are stored between calls.\n\n"
     ">>> format(\"1200\", storefront=\"JPN\")\n'￥1,200'\n"
     ">>> format(\"1234.50\", locale=\"de-CH\", currency=\"CHF\")\n'CHF\\xa01’234.50'\n"},
    {NULL, NULL, 0, NULL}};

static bool has_fastcall(void) {
  PyObject *version = PySys_GetObject("hexversion");
  return version && PyLong_Check(version) && PyLong_AsLong(version) >= 0x030A0000;
}

PyTypeObject *pricetag_add_type(module_state *state, PyType_Spec *spec, const char *name) {
  PyObject *type = PyType_FromSpec(spec);
  if (type && PyObject_SetAttrString(type, "_module", state->module) == 0 &&
      (!name || PyObject_SetAttrString(state->module, name, type) == 0)) {
    return (PyTypeObject *)type;
  }
  Py_XDECREF(type);
  return NULL;
}

static int prepare(PyObject *module) {
  module_state *state = PyModule_GetState(module);
  state->module = module;
  for (int index = 0; index < ALL_ARGUMENTS; index++) {
    state->names[index] = PyUnicode_InternFromString(argument_names[index]);
    if (!state->names[index]) return -1;
  }
  PyObject *types = PyImport_ImportModule("pricetag_formatter._types");
  if (!types) return -1;
  state->error_type = PyObject_GetAttrString(types, "PriceError");
  state->part_type = PyObject_GetAttrString(types, "Part");
  state->restore_pack = PyObject_GetAttrString(types, "restore_pack");
  state->restore_formatter = PyObject_GetAttrString(types, "restore_formatter");
  Py_DECREF(types);
  state->pack_type = pricetag_add_type(state, &pack_spec, "Pack");
  state->formatter_type = pricetag_add_type(state, &formatter_spec, "Formatter");
  bool is_complete = state->error_type && state->part_type && state->restore_pack && state->restore_formatter &&
                     state->pack_type && state->formatter_type;
  if (!is_complete || PyModule_AddStringConstant(module, "__version__", PRICETAG_VERSION) != 0) return -1;
  return pricetag_add_phrases(state) == 0 ? pricetag_add_columns(state) : -1;
}

// Calls an expression for each object of the state.
#define FOR_EACH_OBJECT(state, CALL)                                              \
  CALL(state->pack_type);                                                         \
  CALL(state->formatter_type);                                                    \
  CALL(state->columns_type);                                                      \
  CALL(state->plan_type);                                                         \
  CALL(state->message_type);                                                      \
  CALL(state->error_type);                                                        \
  CALL(state->part_type);                                                         \
  CALL(state->restore_pack);                                                      \
  CALL(state->restore_formatter);                                                 \
  CALL(state->storefronts);                                                       \
  CALL(state->locales);                                                           \
  CALL(state->decimal_type);                                                      \
  CALL(state->decimal_text);                                                      \
  CALL(state->date_type);                                                         \
  CALL(state->datetime_type);                                                     \
  for (int index = 0; index < ARGUMENT_COUNT; index++) CALL(state->names[index]); \
  for (int index = 0; index < CACHE_SIZE; index++) CALL(state->cache[index].formatter)

static int module_traverse(PyObject *module, visitproc visit, void *arg) {
  module_state *state = PyModule_GetState(module);
  FOR_EACH_OBJECT(state, Py_VISIT);
  return 0;
}

static int module_clear(PyObject *module) {
  module_state *state = PyModule_GetState(module);
  FOR_EACH_OBJECT(state, Py_CLEAR);
  return 0;
}

static void module_free(void *module) { module_clear(module); }

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, (void *)prepare}, {0, NULL}};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "pricetag_formatter._native",
                                        "The extension of pricetag_formatter, over libpricetag.",
                                        sizeof(module_state),
                                        functions,
                                        module_slots,
                                        module_traverse,
                                        module_clear,
                                        module_free};

PyMODINIT_FUNC PyInit__native(void) {
  if (has_fastcall()) {
    functions[0].ml_meth = (PyCFunction)(void (*)(void))format_vector;
    functions[0].ml_flags = FASTCALL | METH_KEYWORDS;
  }
  return PyModuleDef_Init(&definition);
}
