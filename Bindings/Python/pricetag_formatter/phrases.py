"""The words around prices, from a pack that `pricetag pack --phrases` wrote, and arithmetic with prices.

>>> phrases = Phrases(Pack("shop.pack"), "de-AT")  # doctest: +SKIP
>>> phrases.language  # doctest: +SKIP
'de'
>>> price = FormattedPrice(Formatter(storefront="DEU"), "9.99")
>>> phrases.format("price_per_month", price=price).plain  # doctest: +SKIP
'9,99\\xa0€ pro Monat'
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, List, Optional, SupportsIndex, Tuple, Union

from . import _native
from ._native import Formatter, Message, Pack
from ._types import PriceError

_KINDS = {1: "a FormattedPrice or a Phrase", 2: "an int, a Decimal or decimal text", 4: "a Phrase", 5: "a str"}
_UNITS = {"D": "day", "W": "week", "M": "month", "Y": "year"}


class FormattedPrice(str):
    """A price that a formatter wrote. Phrases accept no other value as a price.

    >>> price = FormattedPrice(Formatter(storefront="USA"), "4.99")
    >>> price
    '$4.99'
    >>> price.total(12), price.amount
    ('$59.88', Decimal('4.99'))
    """

    formatter: Formatter
    amount: Decimal

    def __new__(cls, formatter: Formatter, amount: Union[str, Decimal, SupportsIndex]) -> FormattedPrice:
        if not isinstance(formatter, Formatter):
            raise TypeError(f"formatter must be a Formatter, not {type(formatter)!r}")
        price = super().__new__(cls, formatter(amount))
        price.formatter = formatter
        price.amount = _native.total(formatter, amount, 1)
        return price

    def __reduce__(self) -> Tuple[Any, ...]:
        return FormattedPrice, (self.formatter, self.amount)

    @property
    def spoken(self) -> str:
        """The spoken form, with the full name of the currency."""
        return self.formatter.spoken(self.amount)

    def total(self, quantity: int) -> FormattedPrice:
        """Returns the price of a quantity, exactly."""
        if not isinstance(quantity, int) or not 0 <= quantity < 1 << 63:
            raise PriceError("invalid-option", f"the quantity {quantity!r:.60} is not an int from 0", "pass 0 or more")
        return FormattedPrice(self.formatter, _native.total(self.formatter, self.amount, quantity))

    def per(self, period: str, *, of: str, rounding: str = "exact") -> FormattedPrice:
        """Returns the price for one period, computed from this price for another.

        >>> FormattedPrice(Formatter(storefront="USA"), "59.99").per("P1M", of="P1Y", rounding="half-up")
        '$5.00'
        """
        _parts(period), _parts(of)
        amount = _native.per_period(self.formatter, self.amount, period, of, rounding)
        return FormattedPrice(self.formatter, amount)

    def saving(self, period: str, other: FormattedPrice, other_period: str) -> int:
        """Returns the percentage that this price saves compared with another one, each for its own period, rounded down.

        >>> usa = Formatter(storefront="USA")
        >>> FormattedPrice(usa, "49.99").saving("P1Y", FormattedPrice(usa, "4.99"), "P1M")
        16
        """
        if not isinstance(other, FormattedPrice):
            raise TypeError(f"other must be a FormattedPrice, not {type(other)!r}")
        _parts(period), _parts(other_period)
        own, others = self.formatter.currency, other.formatter.currency
        if own != others:
            fix = "use prices in one currency (prices are never converted)"
            raise PriceError("currency-mismatch", f"cannot combine prices in {own} and {others}", fix)
        if other.amount <= 0:
            fix = "compare with a price above zero"
            raise PriceError("invalid-option", f"cannot compute savings compared with a price of {other.amount}", fix)
        return _native.saving(self.formatter, self.amount, period, other.formatter, other.amount, other_period)


class Phrase(str):
    """A formatted message, with U+2068 and U+2069 around prices. It can be an argument of another message."""

    language: str
    direction: str
    _message: Tuple[Message, Tuple[object, ...]]

    def __new__(cls, message: Message, values: Tuple[object, ...]) -> Phrase:
        phrase = super().__new__(cls, message.write(values, 0, False))
        phrase.language, phrase.direction = message.language
        phrase._message = (message, values)
        return phrase

    def __reduce__(self) -> Tuple[Any, ...]:
        return str, (str(self),)

    @property
    def plain(self) -> str:
        """The text without isolates."""
        message, values = self._message
        return message.write(values, 1, False)

    @property
    def spoken(self) -> str:
        """The text with the spoken forms of prices."""
        message, values = self._message
        return message.write(values, 0, True)


class Phrases:
    """The messages of a pack in the language that it has for a BCP 47 tag."""

    def __init__(self, pack: Pack, tag: str) -> None:
        (self.language, self.direction), self.keys = _native.language_of(pack, tag)
        self._pack = pack
        self._messages: dict[str, Message] = {}

    language: str
    direction: str
    keys: List[str]

    def format(self, key: str, /, **values: Union[FormattedPrice, Phrase, int, Decimal, str]) -> Phrase:
        """Returns a message with its arguments."""
        message = self._messages.get(key)
        if message is None:
            message = _native.message_of(self._pack, self.language, key)
            self._messages[key] = message
        given = []
        for name, kind in message.arguments:
            if name not in values:
                raise PriceError("missing-argument", f"{key}: the argument {name!r} is missing", "add it")
            given.append(_value(name, kind, values.pop(name)))
        if values:
            raise PriceError("extra-argument", f"{key}: the message has no argument {next(iter(values))!r}", "remove it")
        return Phrase(message, tuple(given))

    def per_period(self, price: FormattedPrice, period: str) -> Phrase:
        """Returns the price of a period, such as "P1M" or "P3M": $9.99 per month."""
        count, unit = _parts(period)
        if count == 1:
            return self.format("price_per_" + unit, price=price)
        return self.format(f"price_per_{unit}s", price=price, count=count)

    def duration(self, period: str) -> Phrase:
        """Returns a duration, such as "P7D": 7 days."""
        count, unit = _parts(period)
        return self.format(unit + "s", count=count)


def _value(name: str, kind: int, value: object) -> object:
    if kind == 1 and isinstance(value, FormattedPrice):
        return value.formatter, value.amount
    if kind in (1, 4) and isinstance(value, Phrase):
        return value._message
    if kind == 5 and type(value) is str:
        return value.encode("utf-8", "surrogatepass")
    if kind in (2, 3) and isinstance(value, (str, Decimal, SupportsIndex)):
        if not isinstance(value, (FormattedPrice, Phrase, bool)):
            return value
    raise TypeError(f"{name} must be {_KINDS.get(kind, _KINDS[2])}, not {value!r:.100}")


def _parts(period: str) -> Tuple[int, str]:
    match: Optional[re.Match[str]] = re.fullmatch("P([0-9]{1,4})([DWMY])", period)
    if match is None or int(match[1]) == 0:
        fix = 'write one such as "P7D", "P2W", "P1M" or "P1Y"'
        raise PriceError("malformed-period", f"{period!r:.60} is not an ISO 8601 duration of one unit", fix)
    return int(match[1]), _UNITS[match[2]]
