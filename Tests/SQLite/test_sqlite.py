#!/usr/bin/env python3
"""Tests the SQLite extension through the sqlite3 shell, because many builds of Python cannot load
extensions.

Scripts/test/sqlite-tests runs it. The environment names the products: PRICETAG_SQLITE (the extension),
and those of Tests/SQL/functions.py.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "SQL"))

import missing_styles  # noqa: E402
from functions import (
    COMMAND,
    LOCALES,
    STOREFRONTS,
    TABLE,
    QueryError,
    RowError,
    as_error,
    random_rows,
)  # noqa: E402

EXTENSION = os.environ["PRICETAG_SQLITE"]


class Failed(Exception):
    """The message of the shell."""


def run_text(
    *statements: str, database: str = ":memory:", pack: str = "", extension: bool = True
) -> str:
    """Runs statements in the shell, and returns its output."""
    environment = dict(os.environ)
    environment.pop("PRICETAG_PACK", None)
    if pack:
        environment["PRICETAG_PACK"] = pack
    load = [f".load {EXTENSION}"] if extension else []
    script = "\n".join(
        [".bail on", *load, ".mode json", *(statement + ";" for statement in statements)]
    )
    result = subprocess.run(
        ["sqlite3", "-batch", "-init", "/dev/null", database],
        input=script.encode("utf-8", "surrogateescape"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        check=False,
    )
    errors = (
        result.stderr.decode("utf-8", "replace")
        .replace("-- Loading resources from /dev/null\n", "")
        .strip()
    )
    if result.returncode < 0:
        raise AssertionError(f"the shell stopped with signal {-result.returncode}: {errors}")
    if result.returncode != 0 or errors:
        raise Failed(errors)
    return result.stdout.decode("utf-8", "replace")


def run(*statements: str, **options: Any) -> List[Dict[str, Any]]:
    """Runs statements in the shell, and returns the rows of all of them."""
    text = run_text(*statements, **options)
    rows: List[Dict[str, Any]] = []
    decoder = json.JSONDecoder(strict=False)
    while text.strip():
        part, end = decoder.raw_decode(text.lstrip())
        rows += part
        text = text.lstrip()[end:]
    return rows


def value(expression: str, **options: Any) -> Any:
    """Returns the value of an expression."""
    return run(f"SELECT {expression} AS value", **options)[0]["value"]


class Functions(unittest.TestCase):
    """The functions in queries."""

    def fails(self, code: str, expression: str, **options: Any) -> str:
        with self.assertRaises(Failed, msg=expression) as caught:
            value(expression, **options)
        message = str(caught.exception)
        self.assertRegex(message, rf"\b{code}: .+; .+", expression)
        return message

    def test_table(self) -> None:
        answers = {
            expression: expected
            for expression, expected in TABLE
            if expected is None or isinstance(expected, str)
        }
        for expression, expected in TABLE:
            if isinstance(expected, (RowError, QueryError)):
                with self.subTest(expression):
                    self.fails(expected.code, expression)
            if isinstance(expected, RowError):
                answers[as_error(expression)] = expected.code
            elif expected is True:
                answers[f"iif({expression}, 'true', 'false')"] = "true"
        rows = run(*(f"SELECT {expression} AS value" for expression in answers))
        self.assertEqual(len(rows), len(answers))
        for row, (expression, expected) in zip(rows, answers.items()):
            with self.subTest(expression):
                self.assertEqual(row["value"], expected)

    def test_types(self) -> None:
        for amount in ("4.99", "1e308", "5.0", "1e999", "-0.0"):
            message = self.fails("wrong-type", f"price_format('USA', {amount})")
            self.assertIn("TEXT column", message)
            self.assertEqual(value(f"price_error('USA', {amount})"), "wrong-type")
        self.fails("wrong-type", "price_format('USA', x'35')")
        self.fails("wrong-type", "price_format(5, 5)")
        self.fails("wrong-type", "price_format(x'555341', 5)")
        self.fails("wrong-type", "price_format('USA', 5, 20260101)")
        self.fails("wrong-type", "price_format_minor('USA', '499')")
        self.fails("wrong-type", "price_format_minor('USA', 499.0)")
        self.fails("wrong-type", "price_format_locale('de-CH', 5, 5)")
        self.fails("invalid-option", "price_format('USA', 5, NULL, 5)")
        self.fails("invalid-option", "price_format('USA', 5, NULL, 'numbering=latn' || char(0))")
        self.fails("invalid-option", "price_format('USA', 5, NULL, NULL, NULL, x'6E756C6C')")

    def test_affinity(self) -> None:
        """A DECIMAL column of SQLite stores 4.99 as a floating-point number, which is refused."""
        table = "CREATE TABLE price (exact TEXT, lossy DECIMAL(10, 2))"
        insert = "INSERT INTO price VALUES ('4.99', '4.99')"
        rows = run(
            table,
            insert,
            "SELECT price_format('USA', exact) AS exact, price_error('USA', lossy) AS lossy FROM "
            "price",
        )
        self.assertEqual(rows, [{"exact": "$4.99", "lossy": "wrong-type"}])

    def test_argument_counts(self) -> None:
        for call in (
            "price_format()",
            "price_format('USA')",
            "price_format('USA', 1, NULL, NULL, NULL, NULL, NULL)",
            "price_format_locale('de', 'EUR')",
            "price_error('USA', 1, NULL, NULL, NULL, 'null')",
            "price_pack_version()",
            "price_pack_open()",
        ):
            with self.subTest(call), self.assertRaisesRegex(Failed, "wrong number of arguments"):
                value(call)

    def test_on_error(self) -> None:
        self.assertIsNone(value("price_format('JPN', '4.99', NULL, NULL, NULL, 'null')"))
        self.assertIsNone(value("price_format_locale('xx', 'USD', 5, NULL, 'null')"))
        self.fails("invalid-option", "price_format_locale('xx', 'USD', 5, NULL, 'NULL')")
        self.assertIsNone(value("price_format('USA', 4.99, NULL, NULL, NULL, 'null')"))
        self.assertEqual(value("price_format('JPN', '4', NULL, NULL, NULL, 'null')"), "￥4")
        self.fails("needs-rounding", "price_format('JPN', '4.99', NULL, NULL, NULL, 'raise')")
        self.fails("invalid-option", "price_format('JPN', '4.99', NULL, NULL, NULL, 'ignore')")
        self.fails("invalid-option", "price_format('JPN', '4.99', NULL, 'width=big', NULL, 'null')")

    def test_missing_styles(self) -> None:
        for call in missing_styles.CALLS:
            with self.subTest(call):
                self.fails("missing-style", missing_styles.with_null_on_error(call))
        self.assertIn(
            'missing-style: "zeros=trim": the pack has no patterns of the style; write a pack',
            self.fails("missing-style", "price_format('USA', 5, NULL, 'zeros=trim')"),
        )

    def test_messages(self) -> None:
        self.assertIn(
            '"4.99": the amount has more decimals',
            self.fails("needs-rounding", "price_format('JPN', '4.99')"),
        )
        self.assertIn(
            '"4990001": ', self.fails("needs-rounding", "price_format_micros('JPN', 4990001)")
        )
        self.assertIn('"XXX": ', self.fails("unknown-storefront", "price_format('XXX', '4.99')"))
        self.assertIn(
            '"width=big": ',
            self.fails("invalid-option", "price_format('JPN', 5, NULL, 'zeros=trim width=big')"),
        )
        # A message contains no control characters, and not all of a long value.
        message = self.fails(
            "malformed-amount",
            "price_format('USA', char(27) || '[31m' || printf('%.*c', 1000, 'x'))",
        )
        self.assertIn('"?[31mxxx', message)
        self.assertIn('…"', message)
        self.assertLess(len(message), 400)

    def test_packs(self) -> None:
        self.assertEqual(value("price_format_locale('de-CH', 'CHF', 5)"), "CHF\u00a05.00")
        # The pack of the environment answers both kinds of questions.
        self.assertEqual(value("price_error('JPN', 1200)", pack=LOCALES), "unknown-storefront")
        self.assertEqual(
            value("price_error_locale('af', 'USD', 1)", pack=STOREFRONTS), "unknown-locale"
        )
        with self.assertRaisesRegex(Failed, 'unreadable-file: "/no/such.pack": No such file'):
            value("1", pack="/no/such.pack")
        with self.assertRaisesRegex(Failed, 'éé…": File name too long; '):
            value("1", pack="/" + "é" * 150)
        with self.assertRaisesRegex(Failed, r'unreadable-file: "/\?": No such file'):
            value("1", pack="/\udcff")
        with self.assertRaisesRegex(Failed, "not-a-pack: "):
            value("1", pack=__file__)
        # A pack that is opened replaces the formatters in the cache; a pack that cannot be opened
        # does not.
        rows = run(
            "SELECT price_format('JPN', 1200) AS value",
            f"SELECT price_pack_open('{LOCALES}') AS value",
            "SELECT price_error('JPN', 1200) AS value",
            f"SELECT price_pack_open('{STOREFRONTS}') AS value",
            "SELECT price_format('JPN', 1200) AS value",
        )
        self.assertEqual(
            [row["value"] for row in rows],
            ["￥1,200", LOCALES, "unknown-storefront", STOREFRONTS, "￥1,200"],
        )
        self.fails("unreadable-file", "price_pack_open('/no/such.pack')")
        self.fails("unreadable-file", "price_pack_open('./cldr-48')")
        self.fails("invalid-pack", "price_pack_open('cldr-47')")
        results = run(
            "SELECT price_pack_open('cldr-48') AS value",
            "SELECT price_format('HUN', '1234.5', NULL, 'digits=minor-units') AS value",
            "SELECT price_pack_open('cldr-42') AS value",
            "SELECT price_format('HUN', 1234) AS value",
        )
        self.assertEqual(
            [row["value"] for row in results],
            ["cldr-48", "1234,50\u00a0Ft", "cldr-42", "1\u00a0234,00\u00a0Ft"],
        )
        self.fails("wrong-type", "price_pack_open(NULL)")
        self.fails("wrong-type", "price_pack_open('/no' || char(0) || 'such.pack')")
        # Opening packs in a loop does not add memory or open files.
        count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
        self.assertEqual(
            run(count + f"SELECT count(price_pack_open('{STOREFRONTS}')) AS value FROM n")[0][
                "value"
            ],
            3000,
        )

    def test_references(self) -> None:
        """The option per accepts the spellings of the command."""
        references = "mg g kg t oz lb mL cL dL L hL cm³ m³ pt qt gal mm cm m km in ft yd".split()
        references += ["cm²", "m²", "fl oz", "sq in", "sq ft", "sq yd"]
        spellings = references + [f"1000 {unit}" for unit in references]
        spellings += ["lbs", "ml", "cl", "dl", "l", "hl", "cm3", "m3", "cm2", "m2", "fl. oz."]
        spellings += ["floz", "in²", "in2", "ft²", "ft2", "yd²", "yd2"]
        spellings += ["100ml", "100mL", "100  mL", "100\u00a0mL", "1 kg", "1kg", "050 g", "10g"]
        spellings += ["75 cl", "100floz", "100 fl  oz", "1000sq in"]
        with tempfile.TemporaryDirectory() as folder:
            pack = f"{folder}/references.pack"
            subprocess.run(
                [COMMAND, "pack", "--storefronts", "USA", "--per", ",".join(spellings), "-o", pack],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=True,
            )
            rows = run(
                *(
                    f"SELECT price_format('USA', '1234.50', NULL, 'per={text},width=standard')"
                    " AS value"
                    for text in spellings
                ),
                pack=pack,
            )
        self.assertEqual(len(rows), len(spellings))
        for spelling, row in zip(spellings, rows):
            content = spelling if spelling[0].isdigit() else f"1 {spelling}"
            command = [COMMAND, "format", "--storefront", "USA", "--content", content]
            expected = subprocess.run(
                [*command, "--per", spelling, "1234.50"], stdout=subprocess.PIPE, check=True
            )
            with self.subTest(spelling):
                self.assertEqual(row["value"], expected.stdout.decode().rstrip("\n"))

    def test_generated_columns_and_indexes(self) -> None:
        table = (
            "CREATE TABLE price (storefront TEXT, amount TEXT, "
            "display TEXT GENERATED ALWAYS AS (price_format(storefront, amount)) STORED, "
            "spoken TEXT GENERATED ALWAYS AS (price_spoken(storefront, amount)) VIRTUAL)"
        )
        insert = "INSERT INTO price VALUES ('JPN', '1200'), ('USA', '4.99')"
        index = "CREATE INDEX price_error_index ON price (price_error(storefront, amount))"
        with tempfile.TemporaryDirectory() as folder:
            database = str(Path(folder, "shop.db"))
            run(table, index, insert, database=database)
            rows = run("SELECT display, spoken FROM price ORDER BY storefront", database=database)
            self.assertEqual(rows[0], {"display": "￥1,200", "spoken": "1,200円"})
            self.assertEqual(rows[1], {"display": "$4.99", "spoken": "4.99 US dollars"})
            query = (
                "EXPLAIN QUERY PLAN SELECT * FROM price WHERE price_error(storefront, amount) = 'x'"
            )
            self.assertIn("USING INDEX price_error_index", run_text(query, database=database))
            # An amount that cannot be displayed is not stored.
            with self.assertRaisesRegex(Failed, "needs-rounding"):
                run("INSERT INTO price VALUES ('JPN', '4.99')", database=database)
            self.assertEqual(
                run("SELECT count(*) AS value FROM price", database=database), [{"value": 2}]
            )
            # The functions also work in an untrusted schema, and price_pack_open in none.
            untrusted = "PRAGMA trusted_schema = OFF"
            self.assertEqual(
                run(
                    untrusted,
                    "SELECT display FROM price WHERE storefront = 'JPN'",
                    database=database,
                )[0]["display"],
                "￥1,200",
            )
            self.assertEqual(
                run("PRAGMA integrity_check", database=database)[0]["integrity_check"], "ok"
            )
            run(f"CREATE VIEW opened AS SELECT price_pack_open('{STOREFRONTS}')", database=database)
            with self.assertRaisesRegex(Failed, "unsafe use of price_pack_open"):
                run("SELECT * FROM opened", database=database)
            # Without the extension, stored columns are readable, and inserting is an error of
            # SQLite.
            rows = run(
                "SELECT display FROM price ORDER BY storefront", database=database, extension=False
            )
            self.assertEqual(rows[0], {"display": "￥1,200"})
            with self.assertRaisesRegex(Failed, "(no such|unknown) function"):
                run("INSERT INTO price VALUES ('USA', '1')", database=database, extension=False)

    def test_random_rows(self) -> None:
        """Every row has the answer of `pricetag batch`."""
        count = int(os.environ.get("SQL_TEST_ROWS", "10000"))
        for locales, options, text in (
            (False, [], ""),
            (False, ["--rounding", "half-even"], "rounding=half-even"),
            (True, [], ""),
            (True, ["--rounding", "half-up"], "rounding=half-up"),
        ):
            with self.subTest(locales=locales, options=text):
                self.check_rows(random_rows(count, *options, locales=locales), locales, text)

    def check_rows(self, rows: List[Any], locales: bool, options: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "rows.json")
            source.write_text(json.dumps([row._asdict() for row in rows]))
            table = (
                "CREATE TABLE asked AS SELECT value ->> 'id' AS id, value ->> 'storefront' AS "
                "storefront, value ->> 'locale' AS locale, "
                "value ->> 'currency' AS currency, value ->> 'amount' AS amount, value ->> "
                "'minor' AS minor, value ->> 'date' AS date, "
                f"'{options}' || iif(value ->> 'minor' IS NULL, '', ' unit=minor') AS options "
                f"FROM json_each(readfile('{source}'))"
            )
            amount = "coalesce(amount, minor)"
            if locales:
                select = (
                    f"price_format_locale(locale, currency, {amount}, options, 'null') AS display, "
                    f"price_spoken_locale(locale, currency, {amount}, options, 'null') AS spoken, "
                    f"price_error_locale(locale, currency, {amount}, options) AS error"
                )
            else:
                select = (
                    f"price_format(storefront, {amount}, date, options, NULL, 'null') AS display, "
                    f"price_spoken(storefront, {amount}, date, options, NULL, 'null') AS spoken, "
                    f"price_error(storefront, {amount}, date, options) AS error"
                )
            answers = run(table, f"SELECT {select} FROM asked ORDER BY id")
            self.assertEqual(len(answers), len(rows))
            for row, answer in zip(rows, answers):
                self.assertEqual(
                    answer, {"display": row.display, "spoken": row.spoken, "error": row.error}, row
                )

    def test_reading(self) -> None:
        """Prices are read as the amounts that they were formatted from."""
        for price in ("4.99", "5", "x'35'"):
            self.assertIsNone(value(f"price_read('USA', {price})"))
            self.assertEqual(value(f"price_read_error('USA', {price})"), "wrong-type")
        self.assertEqual(value("typeof(price_read('USA', '$5.00'))"), "text")
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder, "rows.json")
            rows = [row._asdict() for row in random_rows(3000) if row.display]
            source.write_text(json.dumps(rows))
            answers = run(
                "CREATE TABLE shown AS SELECT value ->> 'storefront' AS storefront, value ->> "
                "'date' AS date, value ->> 'display' AS display "
                f"FROM json_each(readfile('{source}'))",
                "SELECT price_read(storefront, display, date) AS amount, price_format(storefront, "
                "price_read(storefront, display, date), date) AS display, price_read(storefront, "
                "replace(display, char(160), ' '), date, 'lenient=true') AS lenient FROM shown",
            )
        self.assertEqual([row["display"] for row in rows], [row["display"] for row in answers])
        self.assertEqual([row["amount"] for row in answers], [row["lenient"] for row in answers])

    def test_catalog(self) -> None:
        """The displays of an imported catalog are those of `pricetag products`."""
        guide = (ROOT / "docs" / "sql.md").read_text()
        found = re.search(r"```sql\n(-- The prices of a catalog.*?)```", guide, re.S)
        assert found, "docs/sql.md has no query of a catalog"
        query = found.group(1).strip().rstrip(";")
        date = "2026-06-01"
        with tempfile.TemporaryDirectory() as folder:
            catalog = str(Path(folder, "shop.pricetag"))
            source = str(ROOT / "Examples" / "rocket-garage.json")
            subprocess.run([COMMAND, "import", source, "--into", catalog, "--quiet"], check=True)
            before = Path(catalog).read_bytes()
            for storefront in ("JPN", "USA", "EGY", "BGR", "CHE"):
                products = [COMMAND, "products", catalog, "--storefront", storefront, "--at", date]
                listed = subprocess.run(
                    [*products, "--json"],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    check=True,
                )
                expected = {
                    product["productIdentifier"]: product["price"]["display"]
                    for product in json.loads(listed.stdout)["products"]
                }
                asked = query.replace("'JPN', '2026-11-23'", f"'{storefront}', '{date}'")
                rows = run(asked, database=catalog)
                answers = {row["identifier"]: row["display"] for row in rows}
                self.assertGreater(len(expected), 20)
                for identifier, display in expected.items():
                    self.assertEqual(answers.get(identifier), display, identifier)
            self.assertEqual(Path(catalog).read_bytes(), before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
