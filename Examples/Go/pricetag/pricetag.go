// Package pricetag formats prices from a pack of compiled patterns, with the C library of PriceTag.
//
//	pack, err := pricetag.Open("store.pack")
//	japan, err := pack.Storefront("JPN", pricetag.Date{})
//	text, err := japan.Format("1200", pricetag.Exact) // ￥1,200
package pricetag

/*
#cgo pkg-config: pricetag
#include <pricetag.h>
#include <stdlib.h>

// Reads the text of a Go string in place, so that no amount is copied. The string may have no bytes and no address.
static int32_t format(const pricetag_formatter *formatter, _GoString_ amount, int32_t rounding, char *buffer,
                      size_t capacity, size_t *length) {
  const char *text = _GoStringLen(amount) > 0 ? _GoStringPtr(amount) : "";
  return pricetag_format(formatter, text, _GoStringLen(amount), rounding, buffer, capacity, length);
}
*/
import "C"

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"unsafe"
)

// Error is the reason why a call failed.
type Error struct {
	// Code is the stable name of the reason, such as "needs-rounding".
	Code string
	// Message is what was wrong.
	Message string
	// Fix is how to fix it.
	Fix string
	// Place is the argument that was wrong, quoted, or an empty string.
	Place string
	// Cause is the error of the operating system, or nil.
	Cause error
}

// Error returns "place: message; fix".
func (e *Error) Error() string {
	message := e.Message
	if e.Cause != nil {
		message += " (" + e.Cause.Error() + ")"
	}
	if e.Place != "" {
		message = e.Place + ": " + message
	}
	return message + "; " + e.Fix
}

// Unwrap returns the error of the operating system, so that errors.Is(err, fs.ErrNotExist) works.
func (e *Error) Unwrap() error { return e.Cause }

// CodeOf returns the code of an error of this package, and an empty string for other errors.
func CodeOf(err error) string {
	var priceError *Error
	if errors.As(err, &priceError) {
		return priceError.Code
	}
	return ""
}

func failure(status C.int32_t, place string) error {
	if status == C.PRICETAG_OK {
		return nil
	}
	return &Error{
		Code:    C.GoString(C.pricetag_status_code(status)),
		Message: C.GoString(C.pricetag_status_message(status)),
		// The library names the constant of C.
		Fix:   strings.Replace(C.GoString(C.pricetag_status_fix(status)), "PRICETAG_HALF_EVEN", "HalfEven", 1),
		Place: quoted(place),
	}
}

// quoted quotes an argument, and shortens a long one.
func quoted(argument string) string {
	const maximum = 80
	if len(argument) > maximum {
		return fmt.Sprintf("%q…", argument[:maximum])
	}
	return fmt.Sprintf("%q", argument)
}

// A Rounding is the rounding mode of an amount that has more decimals than are displayed.
type Rounding int32

// Exact, the zero value, makes such an amount an error.
const (
	Exact    Rounding = C.PRICETAG_EXACT
	HalfEven Rounding = C.PRICETAG_HALF_EVEN
	HalfUp   Rounding = C.PRICETAG_HALF_UP
	HalfDown Rounding = C.PRICETAG_HALF_DOWN
	Up       Rounding = C.PRICETAG_UP
	Down     Rounding = C.PRICETAG_DOWN
	Ceiling  Rounding = C.PRICETAG_CEILING
	Floor    Rounding = C.PRICETAG_FLOOR
)

// A Date decides the currency of a storefront that has changed it. The zero value stands for no date.
type Date struct{ Year, Month, Day int }

func (d Date) number() (C.int32_t, error) {
	if d == (Date{}) {
		return 0, nil
	}
	if d.Year < 1 || d.Year > 9999 || d.Month < 1 || d.Month > 12 || d.Day < 1 || d.Day > 31 {
		return 0, failure(C.PRICETAG_INVALID_ARGUMENT, fmt.Sprintf("%d-%d-%d", d.Year, d.Month, d.Day))
	}
	return C.int32_t(d.Year*10000 + d.Month*100 + d.Day), nil
}

// A Pack is a file of compiled patterns, which `pricetag pack` writes. Any number of goroutines may use it.
//
// The memory of a pack is freed when neither the pack nor one of its formatters is reachable.
type Pack struct{ handle *C.pricetag_pack }

// Open reads and checks a pack. The file may then be replaced or deleted.
func Open(path string) (*Pack, error) {
	text, err := cString(path, C.PRICETAG_INVALID_ARGUMENT)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(text))
	pack := &Pack{}
	status, cause := C.pricetag_pack_open_file(text, &pack.handle)
	if err := failure(status, path); err != nil {
		if status == C.PRICETAG_UNREADABLE_FILE {
			err.(*Error).Cause = cause
		}
		return nil, err
	}
	runtime.SetFinalizer(pack, func(p *Pack) { C.pricetag_pack_close(p.handle) })
	return pack, nil
}

// Storefront returns the formatter of a storefront, such as "JPN" or "jp", on a date.
func (p *Pack) Storefront(storefront string, date Date) (*Formatter, error) {
	number, err := date.number()
	if err != nil {
		return nil, err
	}
	name, err := cString(storefront, C.PRICETAG_UNKNOWN_STOREFRONT)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(name))
	formatter := &Formatter{pack: p}
	status := C.pricetag_formatter_for_storefront(p.handle, name, number, nil, &formatter.handle)
	if err := failure(status, storefront); err != nil {
		return nil, err
	}
	runtime.KeepAlive(p)
	return formatter, nil
}

// Locale returns the formatter of a price locale, such as "de-CH", and a currency, such as "CHF".
func (p *Pack) Locale(locale, currency string) (*Formatter, error) {
	tag, err := cString(locale, C.PRICETAG_UNKNOWN_LOCALE)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(tag))
	code, err := cString(currency, C.PRICETAG_UNKNOWN_CURRENCY)
	if err != nil {
		return nil, err
	}
	defer C.free(unsafe.Pointer(code))
	formatter := &Formatter{pack: p}
	status := C.pricetag_formatter_for_locale(p.handle, tag, code, nil, &formatter.handle)
	if err := failure(status, locale+" "+currency); err != nil {
		return nil, err
	}
	runtime.KeepAlive(p)
	return formatter, nil
}

// cString returns a copy of a string with a zero byte at its end. A zero byte inside the string is an error with the
// given status, because C would read a shorter string.
func cString(text string, status C.int32_t) (*C.char, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, failure(status, text)
	}
	return C.CString(text), nil
}

// A Formatter writes the prices of one price locale and currency. Any number of goroutines may use it.
type Formatter struct {
	// The pack stays reachable as long as its formatters.
	pack   *Pack
	handle *C.pricetag_formatter
}

// Format returns an amount of decimal text, such as "1234.50", as text.
func (f *Formatter) Format(amount string, rounding Rounding) (string, error) {
	var buffer [C.PRICETAG_MAXIMUM_CAPACITY]C.char
	var length C.size_t
	status := C.format(f.handle, amount, C.int32_t(rounding), &buffer[0], C.size_t(len(buffer)), &length)
	runtime.KeepAlive(f)
	if err := failure(status, amount); err != nil {
		return "", err
	}
	return C.GoStringN(&buffer[0], C.int(length)), nil
}

// FormatUnits returns an amount of minor units, such as 499 cents with the exponent 2, as text.
func (f *Formatter) FormatUnits(units int64, exponent int, rounding Rounding) (string, error) {
	if exponent < 0 || exponent > 18 {
		return "", failure(C.PRICETAG_AMOUNT_OUT_OF_RANGE, fmt.Sprintf("exponent %d", exponent))
	}
	var buffer [C.PRICETAG_MAXIMUM_CAPACITY]C.char
	var length C.size_t
	status := C.pricetag_format_units(f.handle, C.int64_t(units), C.int32_t(exponent), C.int32_t(rounding), &buffer[0],
		C.size_t(len(buffer)), &length)
	runtime.KeepAlive(f)
	if err := failure(status, fmt.Sprint(units)); err != nil {
		return "", err
	}
	return C.GoStringN(&buffer[0], C.int(length)), nil
}

// Spoken returns the formatter of the spoken form, with the full name of the currency: "49.99 US dollars".
func (f *Formatter) Spoken() (*Formatter, error) {
	handle := C.pricetag_formatter_spoken(f.handle)
	runtime.KeepAlive(f)
	if handle == nil {
		return nil, failure(C.PRICETAG_MISSING_STYLE, "spoken")
	}
	return &Formatter{pack: f.pack, handle: handle}, nil
}
