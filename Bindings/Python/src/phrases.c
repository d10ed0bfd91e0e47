// Messages of packs, and arithmetic with prices. pricetag_formatter/phrases.py has their interface.
#include "native.h"

#include <stdlib.h>

enum { MAXIMUM_ARGUMENTS = 512 };

typedef struct {
  PyObject_HEAD module_state *state;
  PyObject *pack;
  const pricetag_message *message;
} message_object;

// The arguments of a phrase and of those inside it.
typedef struct {
  size_t count;
  bool is_spoken;
  pricetag_argument arguments[MAXIMUM_ARGUMENTS];
} argument_list;

static void message_dealloc(PyObject *object) {
  PyObject_GC_UnTrack(object);
  Py_XDECREF(((message_object *)object)->pack);
  pricetag_free(object);
}

static int message_traverse(PyObject *object, visitproc visit, void *arg) {
  Py_VISIT(((message_object *)object)->pack);
  return pricetag_traverse(object, visit, arg);
}

// Appends the arguments of a message: a price is a tuple of a formatter and an amount, a phrase one of a message and its values,
// a keyword is bytes, and all others are numbers. Returns the first of them; NULL with an exception.
static const pricetag_argument *append(module_state *state, message_object *self, PyObject *values, argument_list *list) {
  Py_ssize_t count = PyTuple_Check(values) ? PyTuple_Size(values) : -1;
  if (count < 0 || (size_t)count > MAXIMUM_ARGUMENTS - list->count) {
    pricetag_raise_status(state, PRICETAG_PHRASE_TOO_LONG, NULL);
    return NULL;
  }
  pricetag_argument *first = list->arguments + list->count;
  list->count += (size_t)count;
  for (Py_ssize_t index = 0; index < count; index++) {
    pricetag_text name;
    int32_t kind;
    PyObject *value = PyTuple_GetItem(values, index);
    int32_t status = pricetag_message_argument(self->message, (size_t)index, &name, &kind);
    if (status != PRICETAG_OK) {
      pricetag_raise_status(state, status, NULL);
      return NULL;
    }
    pricetag_argument *argument = first + index;
    *argument = (pricetag_argument){.name = name.bytes};
    PyObject *owner = PyTuple_Check(value) && PyTuple_Size(value) == 2 ? PyTuple_GetItem(value, 0) : NULL;
    if (owner && Py_TYPE(owner) == state->message_type) {
      message_object *inner = (message_object *)owner;
      PyObject *inner_values = PyTuple_GetItem(value, 1);
      argument->message = inner->message;
      argument->arguments = append(state, inner, inner_values, list);
      if (!argument->arguments) return NULL;
      argument->argument_count = (size_t)PyTuple_Size(inner_values);
    } else if (owner) {
      if (pricetag_read_price(state, owner, PyTuple_GetItem(value, 1), list->is_spoken, argument) != 0) return NULL;
    } else if (PyBytes_Check(value)) {
      // A keyword with a zero byte is an error, and not the text before it.
      char *keyword;
      if (PyBytes_AsStringAndSize(value, &keyword, NULL) != 0) return NULL;
      argument->keyword = keyword;
    } else if (pricetag_read_number(state, value, &argument->units, &argument->exponent) != 0) {
      return NULL;
    }
  }
  return first;
}

static PyObject *message_write(PyObject *object, PyObject *positional) {
  message_object *self = (message_object *)object;
  PyObject *values;
  int isolation, is_spoken;
  if (!PyArg_ParseTuple(positional, "Oip:write", &values, &isolation, &is_spoken)) return NULL;
  argument_list *list = calloc(1, sizeof *list);
  if (!list) return PyErr_NoMemory();
  list->is_spoken = is_spoken;
  char text[1024], *longer = NULL;
  size_t length;
  const pricetag_argument *arguments = append(self->state, self, values, list);
  PyObject *result = NULL;
  if (arguments) {
    size_t count = (size_t)PyTuple_Size(values);
    int32_t status = pricetag_phrase(self->message, arguments, count, isolation, text, sizeof text, &length);
    if (status == PRICETAG_BUFFER_TOO_SMALL && (longer = malloc(length))) {
      status = pricetag_phrase(self->message, arguments, count, isolation, longer, length, &length);
    }
    result = status == PRICETAG_OK ? PyUnicode_DecodeUTF8(longer ? longer : text, (Py_ssize_t)length, NULL)
                                   : pricetag_raise_status(self->state, status, NULL);
  }
  free(longer);
  free(list);
  return result;
}

static PyObject *message_arguments(PyObject *object, void *unused) {
  (void)unused;
  PyObject *list = PyList_New(0);
  pricetag_text name;
  int32_t kind;
  for (size_t index = 0;
       list && pricetag_message_argument(((message_object *)object)->message, index, &name, &kind) == PRICETAG_OK; index++) {
    PyObject *pair = Py_BuildValue("s#i", name.bytes, (Py_ssize_t)name.length, (int)kind);
    if (!pair || PyList_Append(list, pair) != 0) Py_CLEAR(list);
    Py_XDECREF(pair);
  }
  return list;
}

static PyObject *language_pair(const pricetag_language *language) {
  pricetag_text tag;
  int32_t direction;
  pricetag_language_tag(language, &tag);
  pricetag_language_direction(language, &direction);
  return Py_BuildValue("s#s", tag.bytes, (Py_ssize_t)tag.length, direction == PRICETAG_RIGHT_TO_LEFT ? "rtl" : "ltr");
}

static PyObject *message_language(PyObject *object, void *unused) {
  (void)unused;
  const pricetag_language *language;
  pricetag_message_language(((message_object *)object)->message, &language);
  return language_pair(language);
}

static PyMethodDef message_methods[] = {{"write", message_write, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyGetSetDef message_properties[] = {{"arguments", message_arguments, NULL, NULL, NULL},
                                           {"language", message_language, NULL, NULL, NULL},
                                           {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot message_slots[] = {{Py_tp_dealloc, message_dealloc},
                                      {Py_tp_traverse, message_traverse},
                                      {Py_tp_methods, message_methods},
                                      {Py_tp_getset, message_properties},
                                      {0, NULL}};
static PyType_Spec message_spec = {"pricetag_formatter._native.Message", sizeof(message_object), 0,
                                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC, message_slots};

// ---- Functions

// Finds the language of a tag, which is the second argument. The phrases of a pack are checked once.
static const pricetag_language *find_language(module_state *state, PyObject *positional, PyObject *pack, const char *tag) {
  shared_pack *shared = pricetag_pack_of(state, pack);
  if (!shared) return NULL;
  const pricetag_phrases *phrases = atomic_load(&shared->phrases);
  int32_t status = phrases ? PRICETAG_OK : pricetag_phrases_open(shared->pack, &phrases);
  if (status == PRICETAG_OK) atomic_store(&shared->phrases, phrases);
  const pricetag_language *language = NULL;
  if (status == PRICETAG_OK) status = pricetag_phrases_match(phrases, tag, &language);
  if (status == PRICETAG_OK) return language;
  pricetag_raise_status(state, status, status == PRICETAG_UNKNOWN_LANGUAGE ? PyTuple_GetItem(positional, 1) : NULL);
  return NULL;
}

static PyObject *language_of(PyObject *module, PyObject *positional) {
  PyObject *pack;
  const char *tag;
  if (!PyArg_ParseTuple(positional, "Os:language_of", &pack, &tag)) return NULL;
  const pricetag_language *language = find_language(PyModule_GetState(module), positional, pack, tag);
  PyObject *pair = language ? language_pair(language) : NULL, *keys = pair ? PyList_New(0) : NULL;
  pricetag_text key;
  for (size_t index = 0; keys && pricetag_language_key(language, index, &key) == PRICETAG_OK; index++) {
    PyObject *text = PyUnicode_FromStringAndSize(key.bytes, (Py_ssize_t)key.length);
    if (!text || PyList_Append(keys, text) != 0) Py_CLEAR(keys);
    Py_XDECREF(text);
  }
  PyObject *result = keys ? Py_BuildValue("OO", pair, keys) : NULL;
  Py_XDECREF(pair);
  Py_XDECREF(keys);
  return result;
}

static PyObject *message_of(PyObject *module, PyObject *positional) {
  module_state *state = PyModule_GetState(module);
  PyObject *pack;
  const char *tag, *key;
  if (!PyArg_ParseTuple(positional, "Oss:message_of", &pack, &tag, &key)) return NULL;
  const pricetag_language *language = find_language(state, positional, pack, tag);
  if (!language) return NULL;
  const pricetag_message *message;
  int32_t status = pricetag_message_find(language, key, &message);
  if (status != PRICETAG_OK) return pricetag_raise_status(state, status, PyTuple_GetItem(positional, 2));
  message_object *self = (message_object *)pricetag_new(state, state->message_type);
  if (!self) return NULL;
  Py_INCREF(pack);
  self->pack = pack;
  self->message = message;
  PyObject_GC_Track(self);
  return (PyObject *)self;
}

// Returns the Decimal of an amount, or raises a status.
static PyObject *amount_of(module_state *state, int32_t status, int64_t units, int32_t exponent, PyObject *where) {
  return status == PRICETAG_OK ? pricetag_new_decimal(state, units, exponent) : pricetag_raise_status(state, status, where);
}

static PyObject *total(PyObject *module, PyObject *positional) {
  module_state *state = PyModule_GetState(module);
  PyObject *formatter, *value;
  unsigned long long quantity;
  pricetag_argument price = {0};
  if (!PyArg_ParseTuple(positional, "OOK:total", &formatter, &value, &quantity) ||
      pricetag_read_price(state, formatter, value, false, &price) != 0) {
    return NULL;
  }
  int32_t status = pricetag_total(price.units, price.exponent, quantity, &price.units, &price.exponent);
  return amount_of(state, status, price.units, price.exponent, value);
}

static PyObject *per_period(PyObject *module, PyObject *positional) {
  module_state *state = PyModule_GetState(module);
  PyObject *formatter, *value, *rounding;
  const char *period, *paid;
  int32_t mode;
  pricetag_argument price = {0};
  if (!PyArg_ParseTuple(positional, "OOssO:per", &formatter, &value, &period, &paid, &rounding) ||
      pricetag_read_price(state, formatter, value, false, &price) != 0 ||
      pricetag_read_rounding(state, rounding, &mode) != 0) {
    return NULL;
  }
  int32_t status = pricetag_per_period(price.price, price.units, price.exponent, period, paid, mode, &price.units,
                                       &price.exponent);
  return amount_of(state, status, price.units, price.exponent, value);
}

static PyObject *saving(PyObject *module, PyObject *positional) {
  module_state *state = PyModule_GetState(module);
  PyObject *formatter, *value, *other_formatter, *other_value;
  const char *period, *other_period;
  pricetag_argument price = {0}, other = {0};
  int64_t percent;
  if (!PyArg_ParseTuple(positional, "OOsOOs:saving", &formatter, &value, &period, &other_formatter, &other_value,
                        &other_period) ||
      pricetag_read_price(state, formatter, value, false, &price) != 0 ||
      pricetag_read_price(state, other_formatter, other_value, false, &other) != 0) {
    return NULL;
  }
  int32_t status =
      pricetag_saving(price.units, price.exponent, period, other.units, other.exponent, other_period, &percent);
  return status == PRICETAG_OK ? PyLong_FromLongLong(percent) : pricetag_raise_status(state, status, value);
}

int pricetag_add_phrases(module_state *state) {
  static PyMethodDef functions[] = {{"language_of", language_of, METH_VARARGS, NULL},
                                    {"message_of", message_of, METH_VARARGS, NULL},
                                    {"total", total, METH_VARARGS, NULL},
                                    {"per_period", per_period, METH_VARARGS, NULL},
                                    {"saving", saving, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
  state->message_type = pricetag_add_type(state, &message_spec, "Message");
  return state->message_type ? PyModule_AddFunctions(state->module, functions) : -1;
}
