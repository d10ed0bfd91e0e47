"""Measures one price from Python beside PyICU and Babel."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Callable, List

import babel
import icu
from babel.numbers import format_currency

import pricetag_formatter as pt
from measuring import (
    STATISTIC,
    check,
    decimal_text,
    python_version,
    ratio,
    store,
    table,
    times_in_turn,
    title,
    units,
    use_one_core,
)

COUNT = 1000
# Babel takes hundreds of times longer.
REPEATS = 50
STORES = ("USA", "DEU", "FRA", "JPN", "EGY", "IND")


def calls(function: Callable[[Any], Any], amounts: List[Any]) -> Callable[[], None]:
    """Returns a function that formats all amounts."""

    def run() -> None:
        for amount in amounts:
            function(amount)

    return run


def main() -> None:
    use_one_core()
    title(
        f"One price from Python: nanoseconds per call, with the loop, {STATISTIC}."
        f" {python_version()}; PyICU {icu.VERSION} with ICU {icu.ICU_VERSION}; Babel"
        f" {babel.__version__}. `f` is a Formatter. PyICU's NumberFormatter is reused and takes the"
        " same text as bytes; Babel takes a Decimal and a Locale that exist already."
    )
    rows = []
    equal = []
    for name in STORES:
        of = store(name)
        texts = [decimal_text(amount, of.digits) for amount in units(COUNT)]
        ascii_texts = [text.encode() for text in texts]
        decimals = [Decimal(text) for text in texts]
        formatter = pt.Formatter(storefront=name)
        peer = icu.NumberFormatter.withLocale(icu.Locale(of.locale)).unit(
            icu.CurrencyUnit(of.currency)
        )
        locale = babel.Locale.parse(of.locale, sep="-")

        def one_shot(text: str, storefront: str = name) -> str:
            return pt.format(text, storefront=storefront)

        def with_babel(
            amount: Decimal, currency: str = of.currency, locale: babel.Locale = locale
        ) -> str:
            return format_currency(amount, currency, locale=locale)

        own = [formatter(text) for text in texts]
        with_icu = check(own, [peer.formatDecimal(text) for text in ascii_texts])
        equal.append((of, with_icu, check(own, [with_babel(amount) for amount in decimals])))
        times = times_in_turn(
            {
                "f": calls(formatter, texts * REPEATS),
                "format": calls(one_shot, texts * REPEATS),
                "PyICU": calls(peer.formatDecimal, ascii_texts * REPEATS),
                "Babel": calls(with_babel, decimals),
            }
        )
        nanoseconds = {
            contender: taken / COUNT / (1 if contender == "Babel" else REPEATS) * 1e9
            for contender, taken in times.items()
        }
        rows.append(
            [
                f"{of.locale} {of.currency}",
                *(f"{nanoseconds[key]:,.0f}" for key in ("f", "format", "PyICU")),
            ]
            + [
                ratio(nanoseconds["PyICU"], nanoseconds["f"]),
                f"{nanoseconds['Babel']:,.0f}",
                ratio(nanoseconds["Babel"], nanoseconds["f"]),
            ]
        )
    table(
        [
            "store",
            "`f(text)`",
            "`pt.format(text, …)`",
            "PyICU",
            "PyICU / `f`",
            "Babel",
            "Babel / `f`",
        ],
        rows,
    )
    print()
    for of, with_icu, babels in equal:
        print(
            f"- {of.locale} {of.currency}: {with_icu[0]} of {with_icu[1]} prices equal PyICU's,"
            f" {babels[0]} Babel's"
        )


main()
