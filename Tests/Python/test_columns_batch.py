"""Compares a million rows of columns with `pricetag batch`: the same bytes, the same codes.

The environment variable PRICETAG_COMMAND names the command, and PRICETAG_COLUMN_ROWS another number
of rows.
"""

import datetime
import decimal
import json
import os
import random
import subprocess

import pytest

pa = pytest.importorskip("pyarrow")
import pricetag_formatter as pt  # noqa: E402

COMMAND = os.environ.get("PRICETAG_COMMAND")
pytestmark = pytest.mark.skipif(
    not COMMAND, reason="set PRICETAG_COMMAND to the command, .build/release/pricetag"
)
ROWS = int(os.environ.get("PRICETAG_COLUMN_ROWS", "1000000")) // 4

LOCALES = (
    "en-US de-DE de-AT de-CH fr-FR es-ES es-MX pl-PL ar-EG hi-IN ja-JP pt-BR he-IL fa-IR".split()
)
CURRENCIES = "USD EUR JPY CHF GBP EGP INR KWD BRL ILS IRR XAU".split()


def run(*arguments):
    result = subprocess.run([COMMAND, *arguments], capture_output=True, text=True)
    # 3: done, with rejected rows.
    assert result.returncode in (0, 3), result.stderr
    return result.stdout


@pytest.fixture(scope="session")
def packs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("packs")
    stores, locales = str(folder / "stores.pack"), str(folder / "locales.pack")
    run("pack", "-o", stores)
    options = ["--locales", ",".join(LOCALES), "--currencies", ",".join(CURRENCIES)]
    run("pack", "--storefronts", "USA", *options, "-o", locales)
    return stores, locales


@pytest.fixture(scope="session")
def stores():
    return [row["id"] for row in json.loads(run("storefronts", "--json"))]


def batch(folder, pack, rows, *options):
    """Returns the fields of each formatted row, and the code of each rejected one."""
    source, output, rejects = (
        str(folder / name) for name in ("rows.jsonl", "out.jsonl", "rejects.jsonl")
    )
    with open(source, "w", encoding="utf-8") as file:
        for number, row in enumerate(rows):
            file.write(
                json.dumps({"number": number, **{k: v for k, v in row.items() if v is not None}})
            )
            file.write("\n")
    # A release without this option formats with ICU, which wrote the pack.
    if "--pack" in run("batch", "--help"):
        options = (*options, "--pack", pack)
    run("batch", source, "-o", output, "--rejects", rejects, "--quiet", *options)
    answers = [None] * len(rows)
    with open(output, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            answers[row["number"]] = row
    with open(rejects, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            answers[row["line"] - 1] = {"error": row["code"]}
    assert None not in answers
    return answers


def compare(answers, result, rows, has_amount, fields=("display",)):
    table = pa.table(result).to_pydict()
    assert len(table["display"]) == len(rows)
    codes = set()
    for number, answer in enumerate(answers):
        expected = {"error": answer.get("error"), **{field: answer.get(field) for field in fields}}
        if not has_amount(rows[number]):
            # The batch rejects a row without an amount; a column has null prices.
            assert answer["error"] == "missing-amount" or "error" in answer
            expected = dict.fromkeys(expected)
        actual = {name: table[name][number] for name in expected}
        assert actual == expected, rows[number]
        codes.add(expected["error"])
    return codes


def random_text_amount(random):
    kind = random.random()
    if kind < 0.80:
        return (
            random.choice(["", "", "", "-", "+"])
            + str(random.randrange(10 ** random.randrange(1, 9)))
            + (f".{random.randrange(100):02}" if random.random() < 0.6 else "")
        )
    if kind < 0.90:
        return f"{random.randrange(10**random.randrange(1, 25))}.{random.randrange(10**9)}"
    return random.choice(
        [
            "",
            "x",
            "1,5",
            "1.",
            ".5",
            "1e3",
            "NaN",
            " 1",
            "1.2.3",
            "--1",
            "9" * 70,
            "0" * 30 + "1.50",
        ]
    )


def test_text_amounts_and_dictionaries(tmp_path, packs, stores):
    random_rows = random.Random(22)
    names = (
        stores + [store.lower() for store in stores[:20]] + ["US", "jp", "XXX", "", "USAA", "ÄÖ"]
    )
    rows = []
    for _ in range(ROWS):
        store = random_rows.choice(names) if random_rows.random() < 0.99 else None
        amount = random_text_amount(random_rows) if random_rows.random() < 0.99 else None
        rows.append({"storefront": store, "amount": amount})
    answers = batch(tmp_path, packs[0], rows, "--fields", "spoken,parts", "--at", "2026-01-31")
    column = pa.array([row["storefront"] for row in rows]).dictionary_encode()
    amounts = pa.array([row["amount"] for row in rows])
    fields = ("display", "spoken", "parts")
    result = pt.format_arrays(
        amounts,
        storefront=column,
        date="2026-01-31",
        pack=pt.Pack(packs[0]),
        output=("error", *fields),
    )
    codes = compare(answers, result, rows, lambda row: row["amount"] is not None, fields)
    assert codes >= {
        None,
        "unknown-storefront",
        "missing-storefront",
        "malformed-amount",
        "needs-rounding",
    }
    assert "amount-out-of-range" in codes


def test_minor_units_and_currencies(tmp_path, packs, stores):
    random_rows = random.Random(23)
    names = stores + ["XXX"]
    rows = []
    for _ in range(ROWS):
        currency = random_rows.choice(
            [None] * 6 + ["USD", "EUR", "eur", "JPY", "EGP", "ZZZ", "", "EURO"]
        )
        minor = random_rows.randrange(
            -(10 ** random_rows.randrange(1, 19)), 10 ** random_rows.randrange(1, 19)
        )
        rows.append(
            {"storefront": random_rows.choice(names), "currency": currency, "amountMinor": minor}
        )
    answers = batch(tmp_path, packs[0], rows, "--at", "2026-01-31", "--rounding", "half-up")
    result = pt.format_arrays(
        pa.array([row["amountMinor"] for row in rows], pa.int64()),
        storefront=pa.array([row["storefront"] for row in rows], pa.large_string()),
        currency=pa.array([row["currency"] for row in rows], pa.string_view()),
        date=datetime.date(2026, 1, 31),
        unit="minor",
        rounding="half-up",
        pack=pt.Pack(packs[0]),
    )
    codes = compare(answers, result, rows, lambda row: True)
    assert codes >= {None, "unknown-storefront", "unknown-currency", "currency-mismatch"}


def test_decimals_and_dates(tmp_path, packs, stores):
    random_rows = random.Random(24)
    changed = ["BGR", "HRV"]
    rows = []
    for _ in range(ROWS):
        store = random_rows.choice(stores + changed * 40)
        day = random_rows.choice(
            [
                None,
                "2025-12-31",
                "2026-01-01",
                "0001-01-01",
                "9999-12-31",
                "2026-02-30",
                "2026-1-1",
                "x",
                "",
            ]
        )
        digits = random_rows.randrange(1, 22)
        units = random_rows.randrange(-(10**digits), 10**digits)
        if random_rows.random() < 0.5:
            units *= 10 ** random_rows.randrange(10)
        amount = decimal.Decimal(units).scaleb(-10, decimal.Context(prec=60))
        rows.append({"storefront": store, "at": day, "amount": f"{amount:f}"})
    answers = batch(tmp_path, packs[0], rows, "--at", "2026-01-31", "--rounding", "half-even")
    amounts = pa.array([row["amount"] for row in rows]).cast(pa.decimal256(60, 10))
    result = pt.format_arrays(
        amounts,
        storefront=pa.array([row["storefront"] for row in rows]).dictionary_encode(),
        # A column has no default date, as the batch has.
        date=pa.array(["2026-01-31" if row["at"] is None else row["at"] for row in rows]).dictionary_encode(),
        rounding="half-even",
        pack=pt.Pack(packs[0]),
    )
    codes = compare(answers, result, rows, lambda row: True)
    assert codes == {None, "malformed-date", "amount-out-of-range"}


def test_micros_of_locales(tmp_path, packs):
    random_rows = random.Random(25)
    names = LOCALES + [
        "de_DE",
        "EN-us",
        "q",
        "xx-YY",
        "de-DE-u-nu-latn",
        "de@x=y",
        "",
        "a-b-c",
        "toolonglanguage-DE",
        "dé-DE",
    ]
    rows = []
    for _ in range(ROWS):
        rows.append(
            {
                "priceLocale": random_rows.choice(names) if random_rows.random() < 0.98 else None,
                "currency": (
                    random_rows.choice(CURRENCIES[:-1] + ["eur", "QQQ"])
                    if random_rows.random() < 0.98
                    else None
                ),
                "amountMicros": random_rows.randrange(10**9) * 10 ** random_rows.randrange(8),
            }
        )
    answers = batch(tmp_path, packs[1], rows)
    result = pt.format_arrays(
        pa.array([row["amountMicros"] for row in rows], pa.uint64()),
        locale=pa.array([row["priceLocale"] for row in rows]),
        currency=pa.array([row["currency"] for row in rows]).dictionary_encode(),
        unit="micros",
        pack=pt.Pack(packs[1]),
    )
    codes = compare(answers, result, rows, lambda row: True)
    assert codes == {
        None,
        "malformed-locale",
        "unexpected-extension",
        "unknown-locale",
        "unknown-currency",
        "missing-storefront",
        "needs-rounding",
    }


def test_minor_units_of_a_currency_without_them(tmp_path, packs):
    rows = [
        {"priceLocale": "en-US", "currency": c, "amountMinor": 1} for c in ("XAU", "USD", "KWD")
    ]
    answers = batch(tmp_path, packs[1], rows)
    result = pt.format_arrays(
        pa.array([1, 1, 1]),
        locale="en-US",
        currency=pa.array([row["currency"] for row in rows]),
        unit="minor",
        pack=pt.Pack(packs[1]),
    )
    assert compare(answers, result, rows, lambda row: True) == {None, "no-minor-unit"}
