"""Prices by each store's locale and currency: exact decimals, written as ICU writes them, without ICU.

>>> import pricetag_formatter as pt
>>> pt.format("1200", storefront="JPN")
'￥1,200'
>>> price = pt.Formatter(storefront="USA")
>>> price("4.99"), price.spoken("4.99")
('$4.99', '4.99 US dollars')

`format` and `Formatter` format single prices, `format_arrays` and `format_column` columns of
Arrow; `Formatter.read`, `read_arrays` and `read_column` read prices back, and
`pricetag_formatter.testing` has assertions for tests. `Phrases` are the words around prices. The modules `pricetag_formatter.spark` and
`pricetag_formatter.duckdb` add functions to these engines. `python -m pricetag_formatter` formats
from the shell.
"""

from __future__ import annotations

from ._native import Formatter, Pack, __version__, format
from ._types import Part, PriceError
from .columns import format_arrays, format_column, read_arrays, read_column
from .phrases import FormattedPrice, Phrase, Phrases

__all__ = [
    "FormattedPrice",
    "Formatter",
    "Pack",
    "Part",
    "Phrase",
    "Phrases",
    "PriceError",
    "__version__",
    "format",
    "format_arrays",
    "format_column",
    "read_arrays",
    "read_column",
]
