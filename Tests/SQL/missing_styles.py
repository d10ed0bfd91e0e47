"""Calls with styles that the packs lack, which are an error of the query in every engine: SQLite,
DuckDB, PostgreSQL, and the functions of Python for DuckDB and Spark.

`python3 missing_styles.py` prints them, each in three forms, for the tests of PostgreSQL.
"""

from __future__ import annotations

import re
from typing import Dict, Tuple

CALLS = [
    "price_format('USA', '5', NULL, 'notation=compact-short')",
    "price_format('USA', '5', NULL, 'per=100 mL')",
    "price_format('USA', '5', NULL, 'per=100ml')",
    "price_format('USA', '5', NULL, 'numbering=latn')",
    "price_format('USA', '5', NULL, 'zeros=trim')",
    "price_format('USA', '5', NULL, 'width=formal zeros=trim')",
    "price_format('USA', '5', NULL, 'sign=always rounding=up')",
    "price_format('XXX', '5', NULL, 'digits=3')",
    "price_spoken('USA', '5', NULL, 'grouping=never')",
    "price_format_locale('de-CH', 'USD', 5, 'width=hidden')",
    "price_format_locale('xx-YY', 'USD', 5, 'width=hidden')",
    "price_spoken_locale('de-CH', 'USD', 5, 'grouping=never')",
]


def as_error(call: str) -> str:
    """Returns the call of price_error with the same arguments."""
    return re.sub(r"^price_[a-z]+?(?=_locale|\()", "price_error", call)


def with_null_on_error(call: str) -> str:
    """Returns the call that returns NULL for the error of a row."""
    currency = "" if "_locale(" in call else "NULL, "
    return f"{call[:-1]}, {currency}'null')"


def without_options(call: str) -> Tuple[str, Dict[str, str]]:
    """Returns the call of a function that was registered with the options, and the options."""
    rest, text = re.fullmatch(r"(.*?)(?:, NULL)?, '([^']*)'\)", call).groups()  # type: ignore
    return rest + ")", dict(re.findall(r"(\w+)=(.*?)(?= \w+=|$)", text))


if __name__ == "__main__":
    for listed in CALLS:
        print(listed, as_error(listed), with_null_on_error(listed), sep="\n")
