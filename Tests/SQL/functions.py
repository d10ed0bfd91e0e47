"""The table of SQL expressions that SQLite and DuckDB must answer in the same way, and random rows
with the answers of `pricetag batch`, for Tests/SQLite and Tests/DuckDB.

The environment names the products: PRICETAG_COMMAND, PRICETAG_STOREFRONTS_PACK and
PRICETAG_LOCALES_PACK.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional

import missing_styles

COMMAND = os.environ["PRICETAG_COMMAND"]
STOREFRONTS = os.environ["PRICETAG_STOREFRONTS_PACK"]
LOCALES = os.environ["PRICETAG_LOCALES_PACK"]


class RowError(NamedTuple):
    """An error of a row: SQLite raises it, DuckDB writes NULL, and price_error returns its code."""

    code: str


class QueryError(NamedTuple):
    """An error of the query, which both raise."""

    code: str


def as_error(expression: str) -> str:
    """Returns the expression with price_error in place of the function that formats."""
    name, arguments = expression.split("(", 1)
    units = {"price_format_minor": "unit=minor", "price_format_micros": "unit=micros"}
    if name in units:
        assert arguments.count(",") == 1, expression
        return f"price_error({arguments[:-1]}, NULL, '{units[name]}')"
    return missing_styles.as_error(expression)


TABLE = [
    # Amounts
    ("price_format('JPN', '1200')", "￥1,200"),
    ("price_format('jp', '1200')", "￥1,200"),
    ("price_format('USA', '4.99')", "$4.99"),
    ("price_format('USA', 5)", "$5.00"),
    ("price_format('USA', -5)", "-$5.00"),
    ("price_format('USA', 0)", "$0.00"),
    ("price_format('USA', '-0.00')", "$0.00"),
    ("price_format('USA', '+1234567.5')", "$1,234,567.50"),
    ("price_format('USA', '4.990000000000000')", "$4.99"),
    ("price_format('USA', 9223372036854775807)", "$9,223,372,036,854,775,807.00"),
    ("price_format('USA', -9223372036854775807)", "-$9,223,372,036,854,775,807.00"),
    ("price_format('USA', -9223372036854775808)", "-$9,223,372,036,854,775,808.00"),
    ("price_format('DEU', '1234.50')", "1.234,50\u00a0€"),
    ("price_format('CHE', '1234.50')", "CHF\u00a01’234.50"),
    ("price_format('IND', '1234567')", "₹12,34,567.00"),
    ("price_format('USA', '4.999')", RowError("needs-rounding")),
    ("price_format('JPN', '4.99')", RowError("needs-rounding")),
    ("price_format('USA', '')", RowError("malformed-amount")),
    ("price_format('USA', ' 4.99')", RowError("malformed-amount")),
    ("price_format('USA', '4,99')", RowError("malformed-amount")),
    ("price_format('USA', '4.')", RowError("malformed-amount")),
    ("price_format('USA', '1e3')", RowError("malformed-amount")),
    ("price_format('USA', 'NaN')", RowError("malformed-amount")),
    ("price_format('USA', 'Infinity')", RowError("malformed-amount")),
    ("price_format('USA', '٤٫٩٩')", RowError("malformed-amount")),
    ("price_format('USA', '99999999999999999999')", RowError("amount-out-of-range")),
    # NULL
    ("price_format('USA', NULL)", None),
    ("price_format(NULL, NULL)", None),
    ("price_error(NULL, NULL)", None),
    ("price_error('XXX', NULL)", None),
    ("price_format(NULL, '5')", None),
    ("price_error(NULL, '5')", "missing-storefront"),
    ("price_format('USA', '5', NULL)", "$5.00"),
    ("price_format('USA', '5', NULL, NULL)", "$5.00"),
    ("price_format('USA', '5', NULL, NULL, NULL)", "$5.00"),
    ("price_format_locale('de-CH', NULL, '5')", None),
    ("price_error_locale('de-CH', NULL, '5')", "missing-storefront"),
    ("price_error_locale(NULL, 'CHF', '5')", "missing-storefront"),
    # Storefronts, dates and currencies
    ("price_format('XXX', '5')", RowError("unknown-storefront")),
    ("price_format('', '5')", RowError("unknown-storefront")),
    ("price_format('USAUSAUSAUSAUSAUSAUSA', '5')", RowError("unknown-storefront")),
    ("price_format('BGR', '5')", RowError("missing-date")),
    ("price_format('BGR', '5', '2025-12-31')", "BGN\u00a05.00"),
    ("price_format('BGR', '5', '2026-01-01')", "€5.00"),
    ("price_format('USA', '5', '2026-02-30')", RowError("malformed-date")),
    ("price_format('USA', '5', '2025-02-29')", RowError("malformed-date")),
    ("price_format('USA', '5', '2024-02-29')", "$5.00"),
    ("price_format('USA', '5', '2026-1-1')", RowError("malformed-date")),
    ("price_format('USA', '5', '2026-01-01 00:00:00')", RowError("malformed-date")),
    ("price_format('USA', '5', '')", RowError("malformed-date")),
    ("price_format('USA', '5', NULL, NULL, 'USD')", "$5.00"),
    ("price_format('USA', '5', NULL, NULL, 'EUR')", RowError("currency-mismatch")),
    ("price_format('USA', '5', '2026-01-01', NULL, 'EUR')", RowError("currency-mismatch")),
    ("price_format('USA', '5', '2026-01-01', NULL, 'XXQ')", RowError("unknown-currency")),
    # Units
    ("price_format_minor('USA', 499)", "$4.99"),
    ("price_format_minor('JPN', 499)", "￥499"),
    ("price_format_locale('en-US', 'KWD', 1250, 'unit=minor')", "KWD\u00a01.250"),
    ("price_format_micros('USA', 4990000)", "$4.99"),
    ("price_format_micros('USA', 4990001)", RowError("needs-rounding")),
    ("price_format_minor('USA', -9223372036854775807)", "-$92,233,720,368,547,758.07"),
    ("price_format('USA', 499, NULL, 'unit=minor')", "$4.99"),
    ("price_error('USA', 4990001, NULL, 'unit=micros')", "needs-rounding"),
    ("price_spoken('USA', 499, NULL, 'unit=minor')", "4.99 US dollars"),
    ("price_format_minor('BGR', 499, '2025-12-31')", "BGN\u00a04.99"),
    # Spoken forms, locales
    ("price_spoken('USA', '4.99')", "4.99 US dollars"),
    ("price_spoken('JPN', 1200)", "1,200円"),
    ("price_format_locale('de-CH', 'CHF', '1234.50')", "CHF\u00a01’234.50"),
    ("price_format_locale('de_AT', 'eur', '1234.50')", "€\u00a01.234,50"),
    ("price_spoken_locale('de-DE', 'EUR', '4.99')", "4,99 Euro"),
    ("price_format_locale('xx-YY', 'CHF', '5')", RowError("unknown-locale")),
    ("price_format_locale('de-CH', 'XXQ', '5')", RowError("unknown-currency")),
    ("price_format_locale('de-CH', '', '5')", RowError("unknown-currency")),
    ("price_format_locale('de-CH', 'CHF', 12345, 'unit=minor')", "CHF\u00a0123.45"),
    # The pack of price locales has the widths of the Python package.
    ("price_format_locale('de-CH', 'USD', 5, 'width=narrow')", "$\u00a05.00"),
    ("price_format_locale('de-CH', 'USD', 5, 'width=iso')", "USD\u00a05.00"),
    ("price_format_locale('de-CH', 'USD', 5, 'width=name')", "5.00 US-Dollar"),
    # Options
    ("price_format('USA', '4.999', NULL, 'rounding=half-even')", "$5.00"),
    ("price_format('USA', '4.999', NULL, 'rounding=down')", "$4.99"),
    ("price_format('USA', '5', NULL, '')", "$5.00"),
    ("price_format('USA', '5', NULL, ' , ')", "$5.00"),
    ("price_format('USA', '4.999', NULL, 'width=standard, rounding=half-up')", "$5.00"),
    ("price_format('TWN', '5', NULL, 'width=formal')", "NT$5.00"),
    ("price_format('TWN', '5', NULL, 'width=variant')", "$5.00"),
    ("price_format('TWN', '5', NULL, 'width=unambiguous')", "TWD\u00a05.00"),
    ("price_format('USA', '5', NULL, 'per=5 mL')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'per=100')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'per=banana')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'per=')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'width=big')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'width')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'size=big')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'width=iso width=iso')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'digits=3-2')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'digits=19')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'digits=')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'numbering=arabicarab')", QueryError("invalid-option")),
    ("price_format('USA', NULL, NULL, 'width=big')", QueryError("invalid-option")),
    ("price_error('USA', '5', NULL, 'width=big')", QueryError("invalid-option")),
    ("price_format_minor('USA', 5, NULL, 'unit=minor')", QueryError("invalid-option")),
    ("price_format_minor('USA', NULL, NULL, 'unit=minor')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'numbering=Latn')", QueryError("invalid-option")),
    ("price_format('USA', '5', NULL, 'numbering=la tn')", QueryError("invalid-option")),
    (f"price_format('USA', '5', NULL, '{'width=iso':256}')", "USD\u00a05.00"),
    (f"price_format_minor('USA', 499, NULL, '{'width=iso':256}')", "USD\u00a04.99"),
    (f"price_format_micros('USA', 499, NULL, '{'width=iso':257}')", QueryError("invalid-option")),
    # Packs
    ("price_pack_version('pricetag') IS NOT NULL", True),
    ("price_pack_version('nothing')", None),
    ("price_pack_version(NULL)", None),
    *((call, QueryError("missing-style")) for call in missing_styles.CALLS),
    *((as_error(call), QueryError("missing-style")) for call in missing_styles.CALLS),
]


# Texts of prices, with the amount, or the code of a text that cannot be read.
READS = [
    ("price_read('JPN', '￥1,200')", "1200"),
    ("price_read('jp', '￥1,200')", "1200"),
    ("price_read('USA', '$4.99')", "4.99"),
    ("price_read('USA', '$0.05')", "0.05"),
    ("price_read('USA', '-$1,234,567.80')", "-1234567.80"),
    ("price_read('USA', '$999,999,999,999,999,999.00')", "999999999999999999"),
    ("price_read('DEU', '1.234,50\u00a0€')", "1234.50"),
    ("price_read('EGY', '\u200f٢٤٩٫٩٩\u00a0ج.م.\u200f')", "249.99"),
    ("price_read('DEU', '49,99 €')", RowError("not-as-written")),
    ("price_read('DEU', '49,99 €', NULL, 'lenient=true')", "49.99"),
    ("price_read('DEU', '49,99 €', NULL, 'lenient=false')", RowError("not-as-written")),
    ("price_read('DEU', '49.99 €', NULL, 'lenient=true')", RowError("not-as-written")),
    ("price_read('DEU', '49,99 EUR', NULL, 'lenient=true')", "49.99"),
    ("price_read('DEU', '49,99 $', NULL, 'lenient=true')", RowError("not-as-written")),
    ("price_read('USA', 'USD\u00a04.99', NULL, 'width=iso')", "4.99"),
    ("price_read('USA', 'usd 4.99', NULL, 'width=iso lenient=true')", RowError("not-as-written")),
    ("price_read('USA', '$1234.50')", RowError("not-as-written")),
    ("price_read('USA', 'Free')", RowError("not-a-price")),
    ("price_read('USA', '')", RowError("not-a-price")),
    ("price_read('USA', '$9999999999999999999999999')", RowError("amount-out-of-range")),
    (f"price_read('USA', '${'1' * 4096}')", RowError("text-too-long")),
    ("price_read('USA', NULL)", None),
    ("price_read(NULL, '$4.99')", RowError("missing-storefront")),
    ("price_read('XXX', '$4.99')", RowError("unknown-storefront")),
    ("price_read('BGR', '€5.00')", RowError("missing-date")),
    ("price_read('BGR', '€5.00', '2026-01-01')", "5.00"),
    ("price_read('BGR', '€5.00', '2025-12-31')", RowError("not-as-written")),
    ("price_read('BGR', '€5.00', '2026-02-30')", RowError("malformed-date")),
    ("price_read('USA', '$5.00', NULL, NULL, 'USD')", "5.00"),
    ("price_read('USA', '$5.00', NULL, NULL, 'EUR')", RowError("currency-mismatch")),
    ("price_read_locale('de-CH', 'CHF', 'CHF\u00a01’234.50')", "1234.50"),
    ("price_read_locale('de-CH', 'CHF', 'CHF 1''234.50')", RowError("not-as-written")),
    ("price_read_locale('de-CH', 'CHF', 'CHF 1''234.50', 'lenient=true')", "1234.50"),
    ("price_read_locale('xx-YY', 'CHF', 'CHF 5')", RowError("unknown-locale")),
    ("price_read_locale('de-CH', NULL, 'CHF 5')", RowError("missing-storefront")),
    ("price_read('USA', '$5.00', NULL, 'lenient=yes')", QueryError("invalid-option")),
    ("price_read('USA', '$5.00', NULL, 'lenient')", QueryError("invalid-option")),
    ("price_read('USA', '$5.00', NULL, 'rounding=up')", QueryError("invalid-option")),
    ("price_read('USA', '$5.00', NULL, 'unit=minor')", QueryError("invalid-option")),
    ("price_read('USA', '$5.00', NULL, 'zeros=trim')", QueryError("missing-style")),
]
for _call, _expected in READS:
    _code = _expected.code if isinstance(_expected, RowError) else None
    _is_of_query = isinstance(_expected, QueryError)
    TABLE.append((_call, _expected if _is_of_query or _code is None else None))
    _error = _call.replace("price_read", "price_read_error")
    TABLE.append((_error, _expected if _is_of_query else _code))
TABLE.append(("price_format('USA', '5', NULL, 'lenient=true')", QueryError("invalid-option")))


class Row(NamedTuple):
    """A row for `pricetag batch`, and its answer: the display, or the code of its reject."""

    id: int
    storefront: Optional[str]
    locale: Optional[str]
    currency: Optional[str]
    amount: Optional[str]
    minor: Optional[int]
    date: str
    display: Optional[str]
    spoken: Optional[str]
    error: Optional[str]


def _amount(generator: random.Random) -> str:
    digits = generator.choice([1, 2, 3, 4, 6, 9, 12, 15])
    whole = str(generator.randrange(10**digits))
    fraction = generator.choice(["", "", ".0", ".5", ".99", ".50", ".250", ".999", ".00000"])
    odd = generator.random()
    if odd < 0.02:
        return generator.choice(
            [
                "abc",
                "1,5",
                ".5",
                "5.",
                "--1",
                "1e5",
                "1_000",
                "0x10",
                "９",
                "1" * 30,
                "0." + "1" * 20,
            ]
        )
    return generator.choice(["", "", "", "-"]) + whole + fraction


def random_rows(count: int, *options: str, locales: bool = False, seed: int = 22) -> List[Row]:
    """Returns random rows with the answers of `pricetag batch --pack`, for options of the batch."""
    generator = random.Random(seed)
    shown = _show(LOCALES if locales else STOREFRONTS)
    rows: List[Dict[str, object]] = []
    for index in range(count):
        row: Dict[str, object] = {
            "id": index,
            "at": f"{generator.randint(2019, 2030)}-{generator.randint(1, 12):02}-15",
        }
        if locales:
            row["priceLocale"] = generator.choice(shown["locales"])
            row["currency"] = generator.choice(shown["currencies"])
        else:
            row["storefront"] = (
                generator.choice(shown["storefronts"]) if generator.random() > 0.01 else "XQX"
            )
        if generator.random() < 0.3:
            row["amountMinor"] = generator.randrange(
                -(10**6), 10 ** generator.choice([3, 6, 9, 15])
            )
        else:
            row["amount"] = _amount(generator)
        rows.append(row)
    with tempfile.TemporaryDirectory() as folder:
        source, rejects = Path(folder, "rows.jsonl"), Path(folder, "rejects.jsonl")
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
        result = subprocess.run(
            [
                COMMAND,
                "batch",
                str(source),
                "--pack",
                LOCALES if locales else STOREFRONTS,
                "--fields",
                "spoken",
                "--quiet",
            ]
            + ["--rejects", str(rejects), *options],
            stdout=subprocess.PIPE,
            check=False,
        )
        assert result.returncode in (0, 3), result
        displays = {
            answer["id"]: answer for answer in map(json.loads, result.stdout.decode().splitlines())
        }
        errors = {}
        for reject in map(json.loads, rejects.read_text().splitlines()):
            errors[reject["line"] - 1] = reject["code"]
    assert len(displays) + len(errors) == count
    assert len(displays) > count / 3 and len(errors) > count / 100
    return [
        Row(
            index,
            _text(row.get("storefront")),
            _text(row.get("priceLocale")),
            _text(row.get("currency")),
            _text(row.get("amount")),
            row.get("amountMinor"),  # type: ignore[arg-type]
            str(row["at"]),
            displays[index]["display"] if index in displays else None,
            displays[index]["spoken"] if index in displays else None,
            errors.get(index),
        )
        for index, row in enumerate(rows)
    ]


def _text(value: object) -> Optional[str]:
    return None if value is None else str(value)


def _show(pack: str) -> Dict[str, List[str]]:
    """Returns the storefronts, price locales and currencies of a pack."""
    lists: Dict[str, List[str]] = {}
    output = subprocess.run(
        [COMMAND, "pack", "--show", pack], stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    for line in output.splitlines():
        name, _, values = line.partition(":")
        lists[name.split(" ")[0]] = values.split()
    return lists
