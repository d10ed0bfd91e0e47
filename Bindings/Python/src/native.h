/*
** What the C files of the extension share. Every function here needs the GIL.
*/
#ifndef PRICETAG_NATIVE_H
#define PRICETAG_NATIVE_H

/* The stable ABI of Python 3.9: one binary for this version and all later ones. */
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x03090000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "pricetag.h"

/* The sizes of arrays in the state: the arguments of `format`, and the formatters that it stores. */
enum { ARGUMENT_COUNT = 17, CACHE_SIZE = 256 };

/*
** The state of a module. Each interpreter of a process has a module of its own, with its own types and exceptions: the
** objects of one interpreter are of no use in another, and end with it.
*/
typedef struct {
  /* The module that has this state. */
  PyObject *module;
  PyTypeObject *pack_type, *formatter_type, *columns_type, *plan_type, *message_type;
  PyObject *error_type, *part_type, *restore_pack, *restore_formatter;
  PyObject *storefronts, *locales;
  /* NULL until they are needed. */
  PyObject *decimal_type, *decimal_text, *date_type, *datetime_type;
  PyObject *names[ARGUMENT_COUNT];
  struct {
    Py_hash_t hash;
    PyObject *formatter;
  } cache[CACHE_SIZE];
} module_state;

/* The start of every object of the extension. The object keeps the module that has the state. */
typedef struct {
  PyObject_HEAD module_state *state;
} module_object;

/*
** Returns a new object of one of the module's types, filled with zeros; frees it, without its fields; and visits what
** every object refers to. The garbage collector does not track a new object. The caller calls PyObject_GC_Track once
** the object is complete, because other code can then find and use it.
*/
PyObject *pricetag_new(module_state *state, PyTypeObject *type);
void pricetag_free(PyObject *object);
int pricetag_traverse(PyObject *object, visitproc visit, void *arg);

/* Adds a type to the module. Returns NULL with an exception if memory is exhausted. */
PyTypeObject *pricetag_add_type(module_state *state, PyType_Spec *spec, const char *name);

/*
** A pack and its memory, for the `Pack` object and the streams that use it. A pack never changes. Any thread may drop
** it, also one without the GIL.
*/
typedef struct {
  atomic_size_t users;
  const pricetag_pack *pack;
  /* NULL until a phrase is needed. */
  _Atomic(const pricetag_phrases *) phrases;
  bool is_file;
  char bytes[];
} shared_pack;

void pricetag_drop_pack(shared_pack *shared);

/*
** Returns the pack of a `Pack` object; NULL with a TypeError for another object.
*/
shared_pack *pricetag_pack_of(module_state *state, PyObject *pack);

/*
** Returns a new reference to an embedded `Pack` object: the one of all storefronts, or that of all price locales. NULL
** with an exception if memory is exhausted.
*/
PyObject *pricetag_storefront_pack(module_state *state);
PyObject *pricetag_locale_pack(module_state *state);

/*
** Raise a `PriceError`, and return NULL, so that a caller can return the result. `code` is one of pricetag_status_code
** or of `pricetag batch`; the exception's text is "message; fix". All text is UTF-8; other bytes of the message are
** replaced.
*/
PyObject *pricetag_raise(module_state *state, const char *code, const char *message, const char *fix);

/*
** Raises the `PriceError` of a status, with the texts of pricetag_status_message and pricetag_status_fix in the words
** of Python. If `where` is not NULL, it is a `str` or other object that was wrong, or the name of a place, and comes
** first: "'XXX': the pack does not have the storefront; …".
*/
PyObject *pricetag_raise_status(module_state *state, int32_t status, PyObject *where);

/*
** Reads the style options of a dictionary of keyword arguments, such as {"width": "iso", "digits": "0-2"}, into a
** style. NULL and None are the defaults. Returns 0, or -1 with a PriceError (an invalid value) or a TypeError (an
** unknown option, or a value of a wrong type).
*/
int pricetag_read_style(module_state *state, PyObject *options, pricetag_style *style);

/*
** Reads a rounding mode, such as "half-even", into a constant of pricetag.h. NULL and None are "exact". Returns 0, or
** -1 with an exception.
*/
int pricetag_read_rounding(module_state *state, PyObject *name, int32_t *rounding);

/*
** Reads a date, a `datetime.date` or text such as "2026-01-31", into a number such as 20260131. NULL and None are 0, which
** decides no currency: no function reads a clock. Returns 0, or -1 with an exception.
*/
int pricetag_read_date(module_state *state, PyObject *date, int32_t *day);

/*
** Reads the price of a `Formatter` and an amount into an argument of a phrase, for its spoken form if the pack has it. Returns
** 0, or -1 with an exception.
*/
int pricetag_read_price(module_state *state, PyObject *formatter, PyObject *amount, bool is_spoken,
                        pricetag_argument *price);

/* Reads an int, a Decimal or decimal text. Returns 0, or -1 with an exception. */
int pricetag_read_number(module_state *state, PyObject *value, int64_t *units, int32_t *exponent);

PyObject *pricetag_new_decimal(module_state *state, int64_t units, int32_t exponent);

/* Adds the functions for phrases to the module, those of phrases.c. Returns 0, or -1 with an exception. */
int pricetag_add_phrases(module_state *state);

/*
** Adds the functions for columns to the module, those of arrow_columns.c. Returns 0, or -1 with an exception.
*/
int pricetag_add_columns(module_state *state);

#endif
