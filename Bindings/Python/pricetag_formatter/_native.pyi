import datetime
import os
from decimal import Decimal
from typing import Any, Dict, List, NoReturn, Optional, Sequence, SupportsIndex, Tuple, Union, final

from . import Part

__version__: str

_Amount = Union[str, Decimal, SupportsIndex]
_Date = Union[str, datetime.date, None]
_Digits = Union[str, int, None]

def format(
    amount: _Amount,
    *,
    storefront: Optional[str] = None,
    locale: Optional[str] = None,
    currency: Optional[str] = None,
    date: _Date = None,
    unit: Optional[str] = "major",
    rounding: Optional[str] = "exact",
    pack: Optional[Pack] = None,
    width: Optional[str] = "standard",
    zeros: Optional[str] = "keep",
    sign: Optional[str] = "auto",
    digits: _Digits = "standard",
    grouping: Optional[str] = "auto",
    numbering: Optional[str] = None,
    notation: Optional[str] = "standard",
    qualifier: Optional[str] = "none",
    per: Optional[str] = None,
) -> str: ...
@final
class Formatter:
    def __new__(
        cls,
        *,
        storefront: Optional[str] = None,
        locale: Optional[str] = None,
        currency: Optional[str] = None,
        date: _Date = None,
        pack: Optional[Pack] = None,
        rounding: Optional[str] = "exact",
        width: Optional[str] = "standard",
        zeros: Optional[str] = "keep",
        sign: Optional[str] = "auto",
        digits: _Digits = "standard",
        grouping: Optional[str] = "auto",
        numbering: Optional[str] = None,
        notation: Optional[str] = "standard",
        qualifier: Optional[str] = "none",
        per: Optional[str] = None,
    ) -> Formatter: ...
    def __call__(self, amount: _Amount, unit: Optional[str] = "major") -> str: ...
    def parts(self, amount: _Amount, unit: Optional[str] = "major") -> List[Part]: ...
    def spoken(self, amount: _Amount, unit: Optional[str] = "major") -> str: ...
    def direction(self, amount: _Amount, unit: Optional[str] = "major") -> str: ...
    def read(self, text: str, lenient: bool = False) -> Decimal: ...
    @property
    def digits(self) -> int: ...
    @property
    def currency(self) -> str: ...
    @property
    def locale(self) -> str: ...

@final
class Pack:
    def __new__(
        cls, source: Union[str, os.PathLike[str], bytes, bytearray, memoryview], /
    ) -> Pack: ...
    @classmethod
    def storefronts(cls) -> Pack: ...
    @classmethod
    def locales(cls) -> Pack: ...
    def __bytes__(self) -> bytes: ...
    @property
    def storefront_codes(self) -> List[str]: ...
    @property
    def currency_codes(self) -> List[str]: ...
    @property
    def versions(self) -> Dict[str, str]: ...
    @property
    def checksum(self) -> str: ...

# What the module `columns` uses.

@final
class ColumnArray:
    def __len__(self) -> int: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> Tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

def column_array(source: Any, /) -> Any: ...
def column_error(code: str, message: str, fix: str, /) -> NoReturn: ...
def column_names(columns: Any, /) -> List[str]: ...
def column_next(stream: Any, /) -> Optional[ColumnArray]: ...
def column_plan(
    pack: Pack,
    arguments: Tuple[Any, ...],
    unit: int,
    rounding: Optional[str],
    date: Any,
    text: int,
    outputs: bytes,
    style: Optional[Dict[str, Any]],
    reading: int = 0,
    /,
) -> Any: ...
def column_results(schema: Any, results: Tuple[Any, ...], /) -> object: ...
def column_signature(columns: Any, index: int, /) -> bytes: ...
def column_stream(source: Any, /) -> ColumnArray: ...

# What phrases.py uses.
def language_of(pack: Pack, tag: str, /) -> Tuple[Tuple[str, str], List[str]]: ...
def message_of(pack: Pack, tag: str, key: str, /) -> Message: ...
def total(formatter: Formatter, amount: _Amount, quantity: int, /) -> Decimal: ...
def per_period(
    formatter: Formatter, amount: _Amount, period: str, paid: str, rounding: str, /
) -> Decimal: ...
def saving(
    formatter: Formatter,
    amount: _Amount,
    period: str,
    other_formatter: Formatter,
    other_amount: _Amount,
    other_period: str,
    /,
) -> int: ...
@final
class Message:
    def write(self, values: Tuple[object, ...], isolation: int, spoken: bool, /) -> str: ...
    @property
    def arguments(self) -> List[Tuple[str, int]]: ...
    @property
    def language(self) -> Tuple[str, str]: ...
