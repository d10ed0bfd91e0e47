"""Formats columns of prices in DuckDB, with SQL functions.

    from pricetag_formatter.duckdb import register

    con = duckdb.connect()
    register(con)
    con.sql("SELECT price_format('JPN', 1200)")                       # ￥1,200

The functions run in this process, on Arrow arrays of up to 2,048 rows. They need PyArrow and NumPy,
as all Arrow functions of DuckDB do. The loadable extension (see docs/sql.md) has functions of the
same names, and needs no Python.
"""

from __future__ import annotations

import datetime
import os
import re
from typing import TYPE_CHECKING, Any, Callable, Dict, Optional, Tuple, Union

from . import Pack, format_arrays
from ._style import check_style

if TYPE_CHECKING:
    import duckdb
    import pyarrow

__all__ = ["register"]

# The functions: what each writes, whether its first arguments are a price locale and a currency,
# and its unit.
_FUNCTIONS: Dict[str, Tuple[str, bool, Optional[str]]] = {
    "price_format": ("display", False, None),
    "price_format_minor": ("display", False, "minor"),
    "price_format_micros": ("display", False, "micros"),
    "price_error": ("error", False, None),
    "price_spoken": ("spoken", False, None),
    "price_format_locale": ("display", True, None),
    "price_error_locale": ("error", True, None),
    "price_spoken_locale": ("spoken", True, None),
}


def register(
    con: duckdb.DuckDBPyConnection,
    *,
    pack: Union[Pack, str, os.PathLike[str], bytes, None] = None,
    at: Union[datetime.date, str, None] = None,
    unit: str = "major",
    rounding: str = "exact",
    prefix: str = "",
    **style: Optional[str],
) -> None:
    """Registers the SQL functions in the database of a connection.

        register(con, at="2026-01-01")
        con.sql("SELECT price_format(store, amount), price_error(store, amount) FROM prices")

        register(con, width="iso", prefix="iso_")
        con.sql("SELECT iso_price_format_minor('USA', 499)")          # USD 4.99

    `price_format(storefront, amount[, date])` writes a price: null for a null amount, and for a bad
    row, whose code `price_error` returns. `price_format_minor` and `price_format_micros` take
    integers of ISO 4217 minor units and of millionths. `price_spoken` writes the full name of the
    currency. `price_format_locale(locale, currency, amount)`, `price_error_locale` and
    `price_spoken_locale` take a price locale and a currency instead of a storefront.

    Functions that the same connection has registered before are replaced. Functions exist as long
    as the connection is open.

    Args:
        con: the connection. It must not have an unfinished result.
        pack: a pack, or the path, name or bytes of one; by default, the packs of the package.
        at: the date that decides the currency of storefronts, for rows without a date. Without
            it, the price of a storefront that has changed its currency is the error "missing-date".
        unit: what amounts count: "major", "minor" or "micros". It does not change the functions
            that name a unit.
        rounding: the rounding mode; "exact" makes an amount with more decimals than are displayed
            an error.
        prefix: a prefix for the names of the functions, so that a database can have several
            registrations.
        style: the style, such as `width="iso"`; options and values are those of the command.

    Raises:
        PriceError: an option has an invalid value, the pack cannot be read, or it does not have the
            style.
        TypeError: an argument is unknown, or has a wrong type.
        ValueError: the prefix is not part of an SQL name.
    """
    if not re.fullmatch(r"[A-Za-z0-9_]*", prefix):
        raise ValueError(
            f"prefix {prefix!r} is not part of an SQL name; use letters, digits and underscores"
        )
    check_style("register", style, ("pack", "at", "unit", "rounding", "prefix"))
    options: Dict[str, Any] = dict(style)
    options["rounding"] = rounding
    options["date"] = at
    if pack is not None:
        options["pack"] = pack if isinstance(pack, Pack) else Pack(pack)
    # Checks the options before there is a function.
    import duckdb
    import pyarrow

    none = pyarrow.array([], pyarrow.string())
    format_arrays(pyarrow.array([], pyarrow.int64()), storefront=none, unit=unit, **options)
    for name, (output, has_locale, own_unit) in _FUNCTIONS.items():
        function = _function(name, output, has_locale, dict(options, unit=own_unit or unit))
        try:
            con.remove_function(prefix + name)
        except duckdb.InvalidInputException:
            pass  # There is no function of this name.
        con.create_function(  # type: ignore[call-overload]
            prefix + name, function, None, "VARCHAR", type="arrow", null_handling="special"
        )


def _function(
    name: str, output: str, has_locale: bool, options: Dict[str, Any]
) -> Callable[..., pyarrow.Array]:
    """Returns a function for the columns of a call, each a chunked array with one chunk."""
    import pyarrow

    day = options["date"]
    default_date = datetime.date.fromisoformat(day) if isinstance(day, str) else day

    def format_columns(*columns: pyarrow.ChunkedArray) -> pyarrow.Array:
        arrays = [column.combine_chunks() for column in columns]
        call = dict(options)
        if has_locale:
            if len(arrays) != 3:
                raise TypeError(
                    f"{name} takes 3 arguments (locale, currency, amount), not {len(arrays)}"
                )
            call["locale"], call["currency"], amount = arrays
        else:
            if not 2 <= len(arrays) <= 3:
                raise TypeError(
                    f"{name} takes 2 or 3 arguments (storefront, amount, date), not {len(arrays)}"
                )
            call["storefront"], amount = arrays[:2]
            if len(arrays) == 3 and not pyarrow.types.is_null(arrays[2].type):
                call["date"] = _fill_dates(arrays[2], default_date)
        result = pyarrow.record_batch(format_arrays(amount, output=(output,), **call)).column(0)
        # DuckDB has no dictionaries of text as results.
        return result.dictionary_decode() if output == "error" else result

    # DuckDB would read types of SQL from the annotations.
    format_columns.__annotations__ = {}
    return format_columns


def _fill_dates(dates: pyarrow.Array, default: Optional[datetime.date]) -> pyarrow.Array:
    """Returns dates, with the default where they are null."""
    import pyarrow
    import pyarrow.compute

    if dates.null_count == 0 or default is None:
        return dates
    value: Union[datetime.date, str] = (
        default if pyarrow.types.is_date(dates.type) else default.isoformat()
    )
    return pyarrow.compute.fill_null(dates, pyarrow.scalar(value, dates.type))
