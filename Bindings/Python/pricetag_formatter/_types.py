"""The types of the package that are written in Python. The extension imports this module."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, NamedTuple, Optional

if TYPE_CHECKING:
    from . import Formatter, Pack

__all__ = ["Part", "PriceError"]


class PriceError(ValueError):
    """An error with a stable code, what was wrong, and how to fix it.

    >>> from pricetag_formatter import PriceError, format
    >>> try:
    ...     format("1200.50", storefront="JPN")
    ... except PriceError as error:
    ...     print(error.code)
    needs-rounding
    """

    def __init__(self, code: str, message: str, fix: str, position: Optional[int] = None) -> None:
        """Creates an error."""
        super().__init__(code, message, fix)
        self.code = code
        """The stable name of the error. Codes do not change; messages may."""
        self.message = message
        """What was wrong, with the value."""
        self.fix = fix
        """What to do."""
        self.position = position
        """The index of the first wrong character of a text that cannot be read, otherwise None."""

    def __str__(self) -> str:
        """Returns the message and the fix."""
        return f"{self.message}; {self.fix}"


class Part(NamedTuple):
    """A part of a formatted price.

    >>> from pricetag_formatter import Formatter
    >>> [part.kind for part in Formatter(storefront="USA").parts("4.99")]
    ['symbol', 'integer', 'decimal', 'fraction']
    """

    kind: str
    """literal, symbol, integer, group, decimal, fraction, sign, compact, qualifier or unit."""
    text: str
    """The text of the part. The texts of all parts together are the price."""


Part.__module__ = PriceError.__module__ = "pricetag_formatter"


def restore_pack(name: str, checksum: str) -> Pack:
    """Returns the pack of a pickle, which the package contains.

    Raises:
        PriceError: the pickle is that of another pack.
    """
    from . import Pack

    embedded = {"storefronts": Pack.storefronts, "locales": Pack.locales}
    pack = embedded[name]() if name in embedded else Pack(name)
    if pack.checksum != checksum:
        raise PriceError(
            "pack-mismatch",
            f"the embedded pack of {name} differs from that of the process that wrote the pickle",
            "install the same version of pricetag-formatter for both, or pass a pack of a file",
        )
    return pack


def restore_formatter(arguments: Dict[str, Any]) -> Formatter:
    """Returns the formatter of a pickle."""
    from . import Formatter

    return Formatter(**arguments)
