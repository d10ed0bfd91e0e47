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

#include "pricetag.h"

/*
** Returns the pack of a `Pack` object; NULL with a TypeError for another object. The pack is valid as long as the
** object exists, so keep a reference to it. A pack never changes, and needs no GIL.
*/
const pricetag_pack *pricetag_pack_of(PyObject *pack);

/*
** Returns a new reference to an embedded `Pack` object: the one of all storefronts, or that of all price locales. NULL
** with an exception if memory is exhausted.
*/
PyObject *pricetag_storefront_pack(void);
PyObject *pricetag_locale_pack(void);

/*
** Raise a `PriceError`, and return NULL, so that a caller can return the result. `code` is one of pricetag_status_code
** or of `pricetag batch`; the exception's text is "message; fix". All text is UTF-8; other bytes of the message are
** replaced.
*/
PyObject *pricetag_raise(const char *code, const char *message, const char *fix);

/*
** Raises the `PriceError` of a status, with the texts of pricetag_status_message and pricetag_status_fix in the words
** of Python. If `where` is not NULL, it is a `str` or other object that was wrong, or the name of a place, and comes
** first: "'XXX': the pack does not have the storefront; …".
*/
PyObject *pricetag_raise_status(int32_t status, PyObject *where);

/*
** Reads the style options of a dictionary of keyword arguments, such as {"width": "iso", "digits": "0-2"}, into a
** style. NULL and None are the defaults. Returns 0, or -1 with a PriceError (an invalid value) or a TypeError (an
** unknown option, or a value of a wrong type).
*/
int pricetag_read_style(PyObject *options, pricetag_style *style);

/*
** Reads a rounding mode, such as "half-even", into a constant of pricetag.h. NULL and None are "exact". Returns 0, or
** -1 with an exception.
*/
int pricetag_read_rounding(PyObject *name, int32_t *rounding);

/*
** Reads a date, a `datetime.date` or text such as "2026-01-31", into a number such as 20260131. NULL and None are today
** in UTC. Returns 0, or -1 with an exception.
*/
int pricetag_read_date(PyObject *date, int32_t *day);

/*
** Adds the functions for columns to the module, those of arrow_columns.c. Returns 0, or -1 with an exception.
*/
int pricetag_add_columns(PyObject *module);

#endif
