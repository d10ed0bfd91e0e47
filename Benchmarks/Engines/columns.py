"""Measures columns of prices in Arrow arrays beside loops with PyICU and Babel, on one core."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Dict, List

import babel
import icu
import pyarrow
from babel.numbers import format_currency

import pricetag_formatter as pt
from measuring import (
    ROWS,
    STOREFRONTS,
    check,
    decimal_text,
    millions,
    ratio,
    store,
    table,
    times_in_turn,
    title,
    units,
    use_one_core,
)

ICU_ROWS = max(1, ROWS // 10)
BABEL_ROWS = max(1, ROWS // 100)


def rate(taken: float) -> List[str]:
    """Returns millions of rows per second, and nanoseconds per row."""
    return [millions(ROWS, taken), f"{taken / ROWS * 1e9:,.0f}"]


def main() -> None:
    use_one_core()
    amounts = units(ROWS)
    stores = [store(storefront) for storefront in STOREFRONTS]
    places = [index * 7 % len(stores) for index in range(ROWS)]
    indexes = pyarrow.array(places, pyarrow.int8())
    dictionary = pyarrow.DictionaryArray.from_arrays(indexes, pyarrow.array(STOREFRONTS))
    text = dictionary.dictionary_decode()
    minor = pyarrow.array(amounts, pyarrow.int64())
    texts = [decimal_text(amount, stores[place].digits) for amount, place in zip(amounts, places)]
    major = pyarrow.array(texts)
    decimals = major.cast(pyarrow.decimal128(18, 2))

    def column(amount: Any, storefronts: Any, unit: str) -> Any:
        result = pyarrow.record_batch(pt.format_arrays(amount, storefront=storefronts, unit=unit))
        if result["error"].null_count != ROWS:
            raise ValueError("a price has an error")
        return result

    locales = [icu.Locale(of.locale) for of in stores]
    peers = [
        icu.NumberFormatter.withLocale(locale).unit(icu.CurrencyUnit(of.currency))
        for locale, of in zip(locales, stores)
    ]
    babels = [babel.Locale.parse(of.locale, sep="-") for of in stores]
    icu_amounts = [amount.encode() for amount in texts[:ICU_ROWS]]
    babel_amounts = [Decimal(amount) for amount in texts[:BABEL_ROWS]]

    def with_icu() -> List[str]:
        return [peers[place].formatDecimal(amount) for place, amount in zip(places, icu_amounts)]

    def with_babel() -> List[str]:
        return [
            format_currency(amount, stores[place].currency, locale=babels[place])
            for place, amount in zip(places, babel_amounts)
        ]

    shapes: Dict[str, Any] = {
        "dictionary, int64 minor units": (minor, dictionary, "minor"),
        "utf8, int64 minor units": (minor, text, "minor"),
        "dictionary, decimal128(18, 2)": (decimals, dictionary, "major"),
        "utf8, decimal128(18, 2)": (decimals, text, "major"),
        "utf8, utf8": (major, text, "major"),
    }
    displays = column(*shapes["dictionary, int64 minor units"])["display"]
    for name, shape in shapes.items():
        if not column(*shape)["display"].equals(displays):
            raise ValueError(f"{name}: the displays differ")
    own = displays.to_pylist()
    equal, equal_babel = check(own[:ICU_ROWS], with_icu()), check(own[:BABEL_ROWS], with_babel())
    contenders: Dict[str, Any] = {
        name: lambda shape=shape: column(*shape) for name, shape in shapes.items()
    }
    times = times_in_turn({**contenders, "PyICU": with_icu, "Babel": with_babel})
    icu_time, babel_time = times["PyICU"] * ROWS / ICU_ROWS, times["Babel"] * ROWS / BABEL_ROWS

    title(
        f"A batch of {ROWS:,} rows with {len(STOREFRONTS)} storefronts, `format_arrays` with the"
        f" columns display and error, on one core; PyArrow {pyarrow.__version__}. Beside it, a list"
        f" comprehension with a formatter per storefront: PyICU {icu.VERSION} (ICU"
        f" {icu.ICU_VERSION}) from decimal text as bytes, with {ICU_ROWS:,} rows, and Babel"
        f" {babel.__version__} from Decimal, with {BABEL_ROWS:,} rows; their times are scaled to"
        " all rows."
    )
    rows = []
    for name in shapes:
        taken = times[name]
        rows.append([name, *rate(taken), ratio(icu_time, taken), ratio(babel_time, taken)])
    rows.append(["PyICU, loop", *rate(icu_time), "", ""])
    rows.append(["Babel, loop", *rate(babel_time), "", ""])
    table(
        ["storefronts, amounts", "million rows/s", "ns per row", "PyICU / it", "Babel / it"], rows
    )
    print(
        f"\n{equal[0]:,} of {equal[1]:,} prices equal PyICU's, {equal_babel[0]:,} of"
        f" {equal_babel[1]:,} Babel's."
    )


main()
