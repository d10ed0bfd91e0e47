"""Prices of columns, through Arrow's PyCapsule interface.

Every library with this interface can pass columns and take the results, without copying: pyarrow,
polars, pandas 3, DuckDB, nanoarrow and others.

    >>> import pyarrow as pa
    >>> import pricetag_formatter as pt
    >>> stores, amounts = pa.array(["USA", "JPN"]), pa.array(["4.99", "4.99"])
    >>> pa.table(pt.format_arrays(amounts, storefront=stores)).to_pylist()
    [{'display': '$4.99', 'error': None}, {'display': None, 'error': 'needs-rounding'}]

A null amount gives a null display and no error. A row that cannot be formatted gives a null
display, and its code in `error`; the codes are those of `pricetag batch`. `read_arrays` and
`read_column` read formatted prices back.
"""

from __future__ import annotations

import datetime
import operator
from decimal import Decimal
from typing import Any, Dict, Hashable, Iterator, List, Optional, Sequence, Tuple, Union

from . import _native

__all__ = ["ColumnChunks", "ColumnStream", "format_arrays", "format_column"]
__all__ += ["read_arrays", "read_column"]

_ARGUMENTS = ("amount", "storefront", "locale", "currency", "date")
_LOCALE, _DATE = 2, 4
_UNITS = {"major": 0, "minor": 1, "micros": 2}
_OUTPUTS = {"display": 1, "error": 2, "spoken": 3, "direction": 4, "parts": 5}
_READ_OUTPUTS = {"amount": 1, "error": 2}
_UTF8, _UTF8_VIEW = 0, 2

_Slice = Tuple[Tuple[Any, ...], Tuple[int, ...], int]


class ColumnChunks:
    """The results of columns that consist of several chunks: a stream of arrays.

    >>> import pyarrow as pa
    >>> import pricetag_formatter as pt
    >>> stores, amounts = pa.chunked_array([["JPN"], ["USA"]]), pa.chunked_array([["1200", "4.99"]])
    >>> pa.table(pt.format_arrays(amounts, storefront=stores))["display"].to_pylist()
    ['￥1,200', '$4.99']
    """

    def __init__(self, chunks: Sequence[Any]) -> None:
        self.chunks = tuple(chunks)
        """The results, one for each range of rows in which no column starts another chunk."""

    def __len__(self) -> int:
        """Returns the number of rows."""
        return sum(len(chunk) for chunk in self.chunks)

    def __arrow_c_schema__(self) -> object:
        """Returns the schema as a capsule."""
        return self.chunks[0].__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns a stream of the results as a capsule. The requested schema is ignored."""
        return _native.column_results(self.chunks[0], self.chunks)


class ColumnStream:
    """The prices of a table: each batch is formatted when the consumer of the stream reads it.

    >>> import pyarrow as pa
    >>> import pricetag_formatter as pt
    >>> table = pa.table({"store": ["JPN", "USA"], "amount": ["1200", "4.99"]})
    >>> prices = pa.RecordBatchReader.from_stream(pt.format_column(table))
    >>> prices.read_next_batch()["display"].to_pylist()
    ['￥1,200', '$4.99']
    """

    def __init__(self, table: Any, names: Sequence[Optional[str]], options: Dict[str, Any]) -> None:
        self._table, self._names, self._options = table, names, options
        # Made now, so that a wrong type or a missing column is an exception here.
        self._first: Optional[Tuple[Any, Any, Tuple[int, ...]]] = self._prepare()
        self._schema = self._first[1].schema()

    def _prepare(self) -> Tuple[Any, Any, Tuple[int, ...]]:
        source = _read_table(self._table)
        columns = _native.column_names(source)
        places = tuple(-1 if name is None else _place(columns, name) for name in self._names)
        arguments = tuple(None if place < 0 else (source, place) for place in places)
        return source, _make_plan(arguments, **self._options), places

    def __arrow_c_schema__(self) -> object:
        """Returns the schema as a capsule."""
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns a stream of struct arrays as a capsule. The requested schema is ignored.

        A second call reads the table again. A table that is a stream can only be read once.
        """
        prepared, self._first = self._first or self._prepare(), None
        source, plan, places = prepared
        return plan.stream(source, places)


def format_arrays(
    amount: Any,
    *,
    storefront: Any = None,
    locale: Any = None,
    currency: Any = None,
    date: Any = None,
    unit: str = "major",
    rounding: str = "exact",
    pack: Optional[_native.Pack] = None,
    output: Union[str, Sequence[str]] = ("display", "error"),
    string_view: bool = False,
    **style: Any,
) -> Any:
    """Formats a column of amounts.

    >>> import pyarrow as pa
    >>> import pricetag_formatter as pt
    >>> cents = pa.array([499, None, 123456])
    >>> result = pt.format_arrays(cents, locale="de-DE", currency="EUR", unit="minor")
    >>> pa.record_batch(result)["display"].to_pylist()
    ['4,99\xa0€', None, '1.234,56\xa0€']

    Each argument is an array or a chunked array of any library with the Arrow PyCapsule interface,
    or a constant. Columns that are chunked differently are aligned.

    Args:
        amount: text, decimals or integers; floating point is a TypeError. With the unit "minor" or
            "micros", integers.
        storefront: the storefronts, such as "JPN"; or instead of them, `locale` and `currency`.
        locale: the price locales, such as "de-CH".
        currency: the currencies. Beside a storefront, a check that the storefront charges it; null
            is no check.
        date: the dates that decide the currency of storefronts that have changed it, as dates or
            text. A row without one is the error "missing-date" if its storefront has changed its
            currency: no function reads a clock.
        unit: what integers count: "major", "minor" (the minor unit of ISO 4217) or "micros".
        rounding: the rounding mode; "exact" makes an amount with more decimals than are displayed
            an error.
        pack: a pack instead of the embedded ones.
        output: the columns of the result: "display", "error", "spoken", "direction", "parts".
        string_view: whether the text of the result is utf8_view instead of utf8.
        style: the style, such as `width="iso"`; options and values are those of the command.

    Returns:
        A struct with a column for each output, which pyarrow.record_batch, pyarrow.table,
        polars.DataFrame and others take. It has `__arrow_c_stream__`, and `__arrow_c_array__`
        unless an argument has several chunks.

    Raises:
        TypeError: a column has a type that is not accepted.
        PriceError: a constant or an option is invalid, the pack lacks the style, or columns have
            different lengths.
    """
    options = _options(output, unit, rounding, None, pack, string_view, **style)
    return _results((amount, storefront, locale, currency, date), options)


def read_arrays(
    text: Any,
    *,
    storefront: Any = None,
    locale: Any = None,
    currency: Any = None,
    date: Any = None,
    lenient: bool = False,
    output: Union[str, Sequence[str]] = ("amount", "error"),
    **options: Any,
) -> Any:
    """Reads a column of formatted prices back: the inverse of `format_arrays`.

    >>> import pyarrow as pa
    >>> import pricetag_formatter as pt
    >>> stores, texts = pa.array(["JPN", "USA", "USA"]), pa.array(["￥1,200", "$4.99", "4,99 $"])
    >>> pa.table(pt.read_arrays(texts, storefront=stores)).to_pydict()
    {'amount': ['1200', '4.99', None], 'error': [None, None, 'not-as-written']}

    Args:
        text: the prices, a column of text or of dictionaries of text.
        lenient: whether other spaces, apostrophes, signs and symbols of the currency are accepted.
        output: the columns of the result: "amount", decimal text that casts to a decimal type
            without rounding, and "error", the code of a text that cannot be read.
        options: `pack`, `string_view` and the style, as for `format_arrays`, which also explains
            the other arguments and the result.
    """
    values = (text, storefront, locale, currency, date)
    return _results(values, _options(output, lenient=bool(lenient), **options))


def _results(given: Sequence[Any], options: Dict[str, Any]) -> Any:
    """Returns the results of columns and constants, in the order of the arguments."""
    is_reading = options["lenient"] is not None
    names = ("text", *_ARGUMENTS[1:]) if is_reading else _ARGUMENTS
    values = [_read(value, name) for value, name in zip(given, names)]
    options["day"] = None
    if values[_DATE] is not None and not isinstance(values[_DATE], _Column):
        options["day"], values[_DATE] = values[_DATE], None
    columns = [value if isinstance(value, _Column) else None for value in values]
    if not any(columns):
        function = "Formatter.read" if is_reading else "pricetag_formatter.format"
        raise TypeError(f"no argument is a column; use {function} for one price")
    arguments = tuple(
        (value.source, -1) if isinstance(value, _Column) else value for value in values
    )
    key = _plan_key(arguments, options)
    plan = _plans.pop(key, None) or _make_plan(arguments, **options)
    results = [plan.format(*rows) for rows in _aligned(columns, names)]
    _store_plan(key, plan)
    return results[0] if len(results) == 1 else ColumnChunks(results)


def format_column(
    table: Any,
    *,
    storefront: Optional[str] = "store",
    amount: str = "amount",
    locale: Optional[str] = None,
    currency: Optional[str] = None,
    date: Union[str, datetime.date, None] = None,
    unit: str = "major",
    rounding: str = "exact",
    pack: Optional[_native.Pack] = None,
    output: Union[str, Sequence[str]] = ("display", "error"),
    string_view: bool = False,
    **style: Any,
) -> ColumnStream:
    """Formats the prices of a table: a pyarrow.Table, a polars.DataFrame, a stream of batches.

    >>> import pyarrow as pa
    >>> import pricetag_formatter as pt
    >>> table = pa.table({"store": ["JPN", "EGY"], "amount": ["1200", "249.99"]})
    >>> pa.table(pt.format_column(table, output=["display", "direction"])).column_names
    ['display', 'direction']

    Args:
        table: an object with `__arrow_c_stream__` or `__arrow_c_array__` whose arrays are structs.
        storefront: the name of the column of storefronts; not used if `locale` is given.
        amount: the name of the column of amounts.
        locale: the name of the column of price locales, instead of `storefront`.
        currency: the name of the column of currencies.
        date: the name of a column of dates, or a datetime.date for all rows (default: none).
        unit: as for `format_arrays`, which also explains the other options.

    Returns:
        A stream of struct arrays, one for each batch, which is formatted when it is read.

    Raises:
        TypeError: a column has a type that is not accepted.
        PriceError: the table lacks a column, or an option is invalid.
    """
    options = _options(output, unit, rounding, None, pack, string_view, **style)
    return _stream(table, (amount, storefront, locale, currency), date, options)


def read_column(
    table: Any,
    *,
    storefront: Optional[str] = "store",
    text: str = "text",
    locale: Optional[str] = None,
    currency: Optional[str] = None,
    date: Union[str, datetime.date, None] = None,
    lenient: bool = False,
    output: Union[str, Sequence[str]] = ("amount", "error"),
    **options: Any,
) -> ColumnStream:
    """Reads the formatted prices of a table back: the inverse of `format_column`.

    >>> import pyarrow as pa
    >>> import pricetag_formatter as pt
    >>> table = pa.table({"store": ["JPN", "DEU"], "text": ["￥1,200", "EUR 5"]})
    >>> pa.table(pt.read_column(table))["amount"].to_pylist()
    ['1200', None]

    `text` is the name of the column of prices. The other names are as for `format_column`, and the
    options as for `read_arrays`.
    """
    names = (text, storefront, locale, currency)
    return _stream(table, names, date, _options(output, lenient=bool(lenient), **options))


def _stream(
    table: Any,
    names: Tuple[str, Optional[str], Optional[str], Optional[str]],
    date: Union[str, datetime.date, None],
    options: Dict[str, Any],
) -> ColumnStream:
    value, storefront, locale, currency = names
    day = date if isinstance(date, str) else None
    options["day"] = None if day is not None else date
    storefront = None if locale is not None else storefront
    return ColumnStream(table, (value, storefront, locale, currency, day), options)


def _options(
    output: Union[str, Sequence[str]],
    unit: str = "major",
    rounding: str = "exact",
    lenient: Optional[bool] = None,
    pack: Optional[_native.Pack] = None,
    string_view: bool = False,
    **style: Any,
) -> Dict[str, Any]:
    if lenient is not None and (unit, rounding) != ("major", "exact"):
        raise TypeError("reading has no unit and no rounding; amounts are decimal")
    return {
        "day": None,  # Set later.
        "unit": unit,
        "rounding": rounding,
        "lenient": lenient,
        "pack": pack,
        "output": (output,) if isinstance(output, str) else tuple(output),
        "string_view": bool(string_view),
        "style": style,
    }


# ---- Reading arguments


class _Column:
    """The arrays of an argument."""

    def __init__(self, source: Any, arrays: Sequence[Any]) -> None:
        # The source has the type, also of a column without arrays.
        self.source, self.arrays = source, arrays
        self.length = sum(map(len, arrays))


def _read(value: Any, name: str) -> Any:
    """Returns the column of an argument, or a constant."""
    if value is None or isinstance(value, str):
        return value
    if hasattr(value, "__arrow_c_array__"):
        array = _native.column_array(value)
        return _Column(array, (array,))
    if hasattr(value, "__arrow_c_stream__"):
        stream = _native.column_stream(value)
        arrays = []
        while (array := _native.column_next(stream)) is not None:
            arrays.append(array)
        return _Column(stream, arrays)
    if name == "date" and isinstance(value, datetime.date):
        return value
    if name == "amount":
        if isinstance(value, float):
            raise TypeError(
                "amount: a float cannot hold 0.10; pass text, a Decimal, an integer, "
                "or an Arrow array of these"
            )
        if isinstance(value, Decimal):
            return _amount_text(value)
        if not isinstance(value, bool):
            try:
                integer = operator.index(value)  # Those of NumPy too.
            except TypeError:
                pass
            else:
                return _amount_text(integer)
    raise TypeError(
        f"{name}: {type(value).__name__} is neither text nor an Arrow array; convert it, "
        "for example with pyarrow.array"
    )


def _amount_text(value: Union[int, Decimal]) -> str:
    """Returns the text of a constant amount, without zeros at the end of the fraction."""
    if isinstance(value, int):
        if value.bit_length() <= 64:
            return str(value)
        shown = "the integer"
    else:
        shown = str(value)
        if not value.is_finite():
            return shown
        if not value:
            return "0"
        # The text of 1E+999999999 has a billion digits.
        if -18 <= value.adjusted() <= 18:
            text = format(value, "f")
            text = text.rstrip("0").rstrip(".") if "." in text else text
            if len(text) <= 40:
                return text
        shown = repr(shown[:64])
    return _native.column_error(
        "amount-out-of-range",
        f"amount: {shown} is out of range",
        "use at most 18 significant digits, of which at most 18 are after the decimal point",
    )


def _read_table(table: Any) -> Any:
    if hasattr(table, "__arrow_c_stream__"):
        return _native.column_stream(table)
    if hasattr(table, "__arrow_c_array__"):
        return _native.column_array(table)
    raise TypeError(
        f"{type(table).__name__} is not an Arrow table; convert it, for example with pyarrow.table"
    )


def _place(columns: List[str], name: str) -> int:
    """Returns the index of a column."""
    count = columns.count(name)
    if count == 1:
        return columns.index(name)
    if count == 0:
        problem, fix = f"the table has no column {name!r}", "name one of " + ", ".join(columns[:8])
    else:
        problem, fix = f"the table has {count} columns {name!r}", "rename all but one of them"
    return _native.column_error("unknown-column", problem, fix)


def _aligned(
    columns: Sequence[Optional[_Column]], names: Sequence[str]
) -> Iterator[_Slice]:
    """Yields ranges of rows in which no column starts another array.

    A range is the arrays, their first rows, and the number of rows.
    """
    lengths = {
        name: column.length for name, column in zip(names, columns) if column is not None
    }
    total = max(lengths.values())
    if min(lengths.values()) < total:
        problem = ", ".join(
            f"{name} has {length} row{'' if length == 1 else 's'}"
            for name, length in lengths.items()
        )
        _native.column_error("invalid-argument", problem, "pass columns of the same length")
    if all(column is None or len(column.arrays) == 1 for column in columns):
        yield tuple(column.arrays[0] if column else None for column in columns), (0,) * len(
            columns
        ), total
        return
    # The index of an array, and the row in it.
    places = [[0, 0] for _ in columns]
    done = 0
    while True:
        count = total - done
        current: List[Any] = [None] * len(columns)
        for index, column in enumerate(columns):
            if column is None or done == total:
                continue
            place = places[index]
            while place[1] == len(column.arrays[place[0]]):
                place[:] = place[0] + 1, 0
            current[index] = column.arrays[place[0]]
            count = min(count, len(current[index]) - place[1])
        yield tuple(current), tuple(row for _, row in places), count
        for place in places:
            place[1] += count
        done += count
        if done == total:
            return


# ---- Plans


_plans: Dict[Hashable, Any] = {}
"""Plans that no call uses, by types and options. A plan has the formatters of its earlier calls."""

_MAXIMUM_PLAN_COUNT = 16


def _plan_key(arguments: Sequence[Any], options: Dict[str, Any]) -> Hashable:
    """Returns what a plan depends on; None if it cannot be stored."""
    types = tuple(
        _native.column_signature(*argument) if isinstance(argument, tuple) else argument
        for argument in arguments
    )
    values = (*options.values(),)[:-1]
    # 2 and 2.0 are equal, but only one of them is a number of decimals.
    style = sorted((name, type(value), value) for name, value in options["style"].items())
    key = (types, values, tuple(style))
    try:
        hash(key)
    except TypeError:
        return None
    return key


def _store_plan(key: Hashable, plan: Any) -> None:
    if key is None:
        return
    while len(_plans) >= _MAXIMUM_PLAN_COUNT:
        try:
            del _plans[next(iter(_plans))]
        except (KeyError, RuntimeError, StopIteration):
            break  # Another thread changed the dictionary.
    _plans[key] = plan


def _make_plan(
    arguments: Tuple[Any, ...],
    *,
    day: Any,
    unit: str,
    rounding: str,
    lenient: Optional[bool],
    pack: Optional[_native.Pack],
    output: Tuple[str, ...],
    string_view: bool,
    style: Dict[str, Any],
) -> Any:
    outputs = _OUTPUTS if lenient is None else _READ_OUTPUTS
    if unit not in _UNITS:
        _native.column_error(
            "invalid-option", f"unit {unit!r} is unknown", "use major, minor or micros"
        )
    for name in output:
        if name not in outputs:
            known = ", ".join(outputs)
            _native.column_error(
                "invalid-option", f"output {name!r} is unknown", f"use one of {known}"
            )
    if len(set(output)) < len(output) or not output:
        _native.column_error(
            "invalid-option", "the outputs are empty or repeated", "name each output once"
        )
    if pack is None:
        pack = (
            _native.Pack.locales() if arguments[_LOCALE] is not None else _native.Pack.storefronts()
        )
    numbers = bytes(outputs[name] for name in output)
    text = _UTF8_VIEW if string_view else _UTF8
    reading = 0 if lenient is None else 1 + lenient
    return _native.column_plan(
        pack, arguments, _UNITS[unit], rounding, day, text, numbers, style, reading
    )
