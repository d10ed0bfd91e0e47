"""Assertions for tests that check displayed prices. The wheel has them as a plugin of pytest too.

>>> from pricetag_formatter.testing import assert_price
>>> assert_price("￥1,200", storefront="JPN", amount="1200")
"""

from __future__ import annotations

import difflib
import json
import os
import re
import unicodedata
from decimal import Decimal
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple, Union

from . import Formatter, PriceError

__all__ = ["Expectations", "PriceMismatch", "assert_price"]

_UNREAD = {"not-a-price", "ambiguous-number", "amount-out-of-range", "text-too-long"}
_FIXES = {
    "written-differently": "write the expected characters, or accept these with lenient=True",
    "amount": "correct the amount of the page or of the test",
    "ambiguous-number": "use a style with separators that differ",
    "amount-out-of-range": "correct the number",
}


class PriceMismatch(AssertionError):
    """The failure of an assertion, with the displayed and the expected text.

    `code` is `written-differently` for the same amount in other characters, `amount` for another
    amount, or the code of a text that cannot be read, such as `not-as-written`.
    """

    code: str
    text: str
    expected: str


def assert_price(
    text: Any,
    *,
    amount: Union[str, int, Decimal],
    storefront: Optional[str] = None,
    lenient: bool = False,
    **options: Any,
) -> None:
    """Asserts that a text is the price of an amount.

    >>> assert_price("49,99\\xa0€", storefront="DEU", amount="49.99")
    >>> assert_price("49,99 €", storefront="DEU", amount="49.99", lenient=True)

    Args:
        text: the text of a page or a message, or a locator of Playwright's synchronous API.
        amount: the amount, as for `format`.
        storefront: the storefront.
        lenient: whether other spaces, apostrophes, signs and symbols of the currency are accepted.
        options: other arguments of `Formatter`, such as `currency`, `date` and `locale`.
    """
    __tracebackhide__ = True
    formatter = Formatter(storefront=storefront, **options)
    place = f"{storefront or formatter.locale} displays {amount} {formatter.currency}"
    _check(text, [formatter(amount)], lambda: formatter, None, place, lenient)


class Expectations:
    """The expected prices in a file of `pricetag expect`.

    Expectations("prices.json").assert_price("49,99\\xa0€", storefront="DEU", amount="49.99")
    """

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None:
        """Reads a file."""
        self._path = os.fspath(path)
        with open(self._path, encoding="utf-8") as file:
            self._file = json.load(file)
        known = ("pricetag-expectations", 1)
        found = self._file if isinstance(self._file, dict) else {}
        if (found.get("format"), found.get("version")) != known:
            raise PriceError(
                "invalid-expectations",
                f"{self._path} has no expectations of version 1",
                "write the file with `pricetag expect`",
            )
        self._prices: Dict[Tuple[str, Decimal], List[Dict[str, Any]]] = {}
        for price in self._file["prices"]:
            key = price["storefront"], Decimal(price["amount"])
            self._prices.setdefault(key, []).append(price)

    def assert_price(
        self,
        text: Any,
        *,
        amount: Union[str, int, Decimal],
        storefront: str,
        currency: Optional[str] = None,
        product: Optional[str] = None,
        lenient: bool = False,
    ) -> None:
        """Asserts that a text is a price of the file, as the function `assert_price` does.

        `currency` and `product` select one of several prices of the same amount. A price that the
        file lacks is a PriceError.
        """
        __tracebackhide__ = True
        if isinstance(amount, float):
            raise TypeError(f"amount: {amount} is a float; pass text, a Decimal or an int")
        prices = [
            price
            for price in self._prices.get((storefront, Decimal(amount)), [])
            if currency in (None, price["currency"]) and product in (None, price.get("product"))
        ]
        if not prices:
            raise PriceError(
                "unknown-price",
                f"{self._path} has no price of {amount} in {storefront}",
                "correct the test, or write the file again",
            )
        expected, currency = [price["text"] for price in prices], prices[0]["currency"]
        own = self._file["storefronts"][prices[0].get("expressions", storefront)]

        def formatter() -> Formatter:
            try:
                return Formatter(storefront=storefront, currency=currency)
            except PriceError:
                return Formatter(locale=own["locale"], currency=currency)

        place = f"{storefront} displays {amount} {currency}"
        _check(text, expected, formatter, own["strict"], place, lenient)


def _check(
    source: Any,
    expected: List[str],
    get_formatter: Callable[[], Formatter],
    strict: Optional[str],
    place: str,
    lenient: bool,
) -> None:
    """Compares a text or a locator with the expected texts. Only a failure needs the formatter."""
    __tracebackhide__ = True
    text = source if isinstance(source, str) else _inner_text(source)
    if text in expected:
        return
    amount: Optional[Decimal] = None
    try:
        formatter = get_formatter()
        amount = formatter.read(text, lenient=True)
        code = "written-differently" if amount == formatter.read(expected[0]) else "amount"
    except PriceError as error:
        # The file may have another form than the pack, or a currency that the pack lacks.
        code = error.code if error.code in _UNREAD else "not-as-written"
        code = "amount" if strict and re.search(strict, text) else code
    if lenient and code == "written-differently":
        return
    lines = [
        f"{place} differently: {code}",
        f"  - expected   {_visible(expected[0])}",
        f"  + displayed  {_visible(text[:200])}{'…' if len(text) > 200 else ''}",
    ]
    points = list(_differences(expected[0], text))
    lines += [f"    at {position + 1}: {point}" for position, point in points[:8]]
    lines += [f"    … and {len(points) - 8} more"] if len(points) > 8 else []
    if amount is not None and code == "amount":
        lines.append(f"  The text is the price of {amount}.")
    if not isinstance(source, str):
        css = source.evaluate("element => getComputedStyle(element).direction")
        own = _direction(expected[0])
        lines.append(
            f"  The direction is {css} in CSS" + (f", {own} in the price." if own else ".")
        )
    fix = _FIXES.get(code, "write the expected text, or pass the element that has only the price")
    failure = PriceMismatch("\n".join([*lines, f"  To correct it, {fix}."]))
    failure.code, failure.text, failure.expected = code, text, expected[0]
    raise failure


def _inner_text(locator: Any) -> str:
    if not hasattr(locator, "inner_text"):
        raise TypeError(f"text must be a str or a locator, not {type(locator).__name__}")
    text = locator.inner_text()
    if isinstance(text, str):
        return text
    text.close()
    raise TypeError("the locator is asynchronous; pass the text of await locator.inner_text()")


def _direction(text: str) -> str:
    """Returns the direction of the first strong character; "" if a price has none."""
    kinds = (unicodedata.bidirectional(char) for char in text)
    directions = {"L": "ltr", "R": "rtl", "AL": "rtl"}
    return next((directions[kind] for kind in kinds if kind in directions), "")


def _visible(text: str) -> str:
    r"""Returns a text in quotation marks, with escapes such as \u{A0} for what is invisible."""
    chars = (char if char.isprintable() else f"\\u{{{ord(char):X}}}" for char in text)
    return '"' + "".join(chars) + '"'


def _named(char: str) -> str:
    return f"U+{ord(char):04X} {unicodedata.name(char, '')}".rstrip()


def _differences(expected: str, text: str) -> Iterator[Tuple[int, str]]:
    """Yields the place and the description of each character that differs."""
    matcher = difflib.SequenceMatcher(None, expected[:256], text[:256], autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        for offset in range(max(end - start, last - first) if kind != "equal" else 0):
            old, new = (
                expected[start:end][offset : offset + 1],
                text[first:last][offset : offset + 1],
            )
            if old and new:
                yield first + offset, f"{_named(new)}, expected {_named(old)}"
            else:
                place = min(first + offset, last)
                yield place, f"unexpected {_named(new)}" if new else f"missing {_named(old)}"
