#!/usr/bin/env python3
"""Tests the DuckDB extension, and the functions of pricetag_formatter.duckdb.

Scripts/test/duckdb-tests runs it. The environment names the products: PRICETAG_DUCKDB (the extension),
and those of Tests/SQL/functions.py. DUCKDB_TESTS=extension omits the functions of the Python
package.
"""

from __future__ import annotations

import datetime
import decimal
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, Callable, List, Optional

import duckdb

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "SQL"))

import missing_styles  # noqa: E402
from functions import (  # noqa: E402
    COMMAND,
    LOCALES,
    STOREFRONTS,
    TABLE,
    QueryError,
    Row,
    RowError,
    as_error,
    random_rows,
)

EXTENSION = os.environ["PRICETAG_DUCKDB"]
ROWS = int(os.environ.get("SQL_TEST_ROWS", "10000"))
HOSTILE_ROWS = int(os.environ.get("DUCKDB_HOSTILE_ROWS", "200000"))


def connect() -> duckdb.DuckDBPyConnection:
    """Returns a connection to an empty database with the extension."""
    con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    con.execute(f"LOAD '{EXTENSION}'")
    return con


def scalar(con: duckdb.DuckDBPyConnection, expression: str) -> Any:
    """Returns the value of an expression."""
    return con.execute(f"SELECT {expression}").fetchall()[0][0]


def insert_rows(con: duckdb.DuckDBPyConnection, rows: List[Row], name: str = "asked") -> None:
    """Writes rows into a table, with amounts as text and minor units as integers."""
    con.execute(
        f"CREATE OR REPLACE TABLE {name} "
        "(id INTEGER, storefront VARCHAR, locale VARCHAR, currency VARCHAR, amount VARCHAR, minor "
        "BIGINT, date DATE)"
    )
    columns = [list(column) for column in zip(*(row[:7] for row in rows))]
    con.execute(f"INSERT INTO {name} SELECT {', '.join(['unnest(?)'] * 7)}", columns)


class Cases(unittest.TestCase):
    """What both sets of functions are tested with."""

    con: duckdb.DuckDBPyConnection
    has_reading = True

    def fails(self, text: str, expression: str) -> None:
        with self.assertRaisesRegex(duckdb.Error, text, msg=expression):
            scalar(self.con, expression)

    def check_table(self, expressions: List[Any]) -> None:
        for expression, expected in expressions:
            with self.subTest(expression):
                if isinstance(expected, RowError):
                    self.assertIsNone(scalar(self.con, expression))
                    self.assertEqual(scalar(self.con, as_error(expression)), expected.code)
                elif isinstance(expected, QueryError):
                    self.fails(rf"\b{expected.code}: .+; .+", expression)
                else:
                    self.assertEqual(scalar(self.con, expression), expected)

    def check_types(self) -> None:
        con = self.con
        for amount in ("4.99::DOUBLE", "4.99::FLOAT", "4.99e0", "'nan'::DOUBLE", "'inf'::DOUBLE"):
            self.fails("floating", f"price_format('USA', {amount})")
            self.fails("floating", f"price_error('USA', {amount})")
        for amount in ("true", "DATE '2026-01-01'", "'4.99'::BLOB", "[4.99]", "{'a': 4.99}"):
            with self.assertRaises(duckdb.Error, msg=amount):
                scalar(con, f"price_format('USA', {amount})")
        if self.has_reading:
            for text in ("4.99", "5", "'4.99'::BLOB", "DATE '2026-01-01'"):
                self.fails("wrong-type: the price is not text", f"price_read('USA', {text})")
            self.assertIsNone(scalar(con, "price_read('USA', NULL)"))
        for amount, expected in (
            ("4.99", "$4.99"),
            ("4.99::DECIMAL(4, 2)", "$4.99"),
            ("-4.99::DECIMAL(9, 3)", "-$4.99"),
            ("4.99::DECIMAL(18, 4)", "$4.99"),
            ("4.99::DECIMAL(38, 37)", "$4.99"),
            ("-1234567890123456.78::DECIMAL(38, 20)", "-$1,234,567,890,123,456.78"),
            ("5::TINYINT", "$5.00"),
            ("-5::SMALLINT", "-$5.00"),
            ("5::INTEGER", "$5.00"),
            ("5::UTINYINT", "$5.00"),
            ("5::USMALLINT", "$5.00"),
            ("5::UINTEGER", "$5.00"),
            ("5::UBIGINT", "$5.00"),
            ("-5::HUGEINT", "-$5.00"),
        ):
            self.assertEqual(scalar(con, f"price_format('USA', {amount})"), expected, amount)
        for amount in (
            "18446744073709551615::UBIGINT",
            "170141183460469231731687303715884105727::HUGEINT",
            "(-170141183460469231731687303715884105727::HUGEINT - 1)",
            "'1.0000000000000000001'::DECIMAL(38, 19)",
            "'9999999999999999999.9'::DECIMAL(38, 1)",
        ):
            self.assertIsNone(scalar(con, f"price_format('USA', {amount})"), amount)
            self.assertEqual(
                scalar(con, f"price_error('USA', {amount})"), "amount-out-of-range", amount
            )
        # Enumerations are text.
        query = "SELECT price_format(s, 5) FROM (SELECT 'JPN'::ENUM('USA', 'JPN') AS s)"
        self.assertEqual(con.execute(query).fetchone(), ("￥5",))
        # Parameters of prepared statements.
        self.assertEqual(
            con.execute("SELECT price_format(?, ?)", ["USA", decimal.Decimal("4.99")]).fetchone(),
            ("$4.99",),
        )
        self.assertEqual(
            con.execute("SELECT price_format(?, ?)", ["USA", None]).fetchone(), (None,)
        )
        # No rows.
        self.assertEqual(
            con.execute("SELECT price_format('USA', i) FROM range(0) r(i)").fetchall(), []
        )

    def check_dates(self) -> None:
        con = self.con
        self.assertEqual(scalar(con, "price_format('BGR', 5, DATE '2025-12-31')"), "BGN\u00a05.00")
        self.assertEqual(scalar(con, "price_format('BGR', 5, DATE '2026-01-01')"), "€5.00")
        # A column of dates, with NULL and days outside the calendar of years 1 to 9999.
        for date in (
            "'10000-01-01'::DATE",
            "'0001-12-31 (BC)'::DATE",
            "'infinity'::DATE",
            "'-infinity'::DATE",
        ):
            self.assertEqual(scalar(con, f"price_error('USA', 5, {date})"), "malformed-date", date)
        for date in ("DATE '0001-01-01'", "DATE '9999-12-31'", "DATE '2024-02-29'", "NULL"):
            self.assertIsNone(scalar(con, f"price_error('USA', 5, {date})"), date)

    def check_batch(self, rows: List[Row], call: Callable[[str, str], str]) -> None:
        """Compares rows with the answers of `pricetag batch`.

        `call` returns the SQL of a function ("format", "spoken" or "error") for the column of
        amounts ("amount" or "minor").
        """
        insert_rows(self.con, rows)
        answers = {}
        for amount in ("amount", "minor"):
            calls = ", ".join(call(function, amount) for function in ("format", "spoken", "error"))
            for answer in self.con.execute(
                f"SELECT id, {calls} FROM asked WHERE {amount} IS NOT NULL"
            ).fetchall():
                answers[answer[0]] = answer[1:]
        self.assertEqual(len(answers), len(rows))
        for row in rows:
            self.assertEqual(answers[row.id], (row.display, row.spoken, row.error), row)

    def check_guide_parquet(self) -> None:
        """Runs the export of docs/sql.md."""
        guide = (ROOT / "docs" / "sql.md").read_text()
        found = re.search(r"```sql\n(COPY \(.*?)```", guide, re.S)
        assert found, "docs/sql.md has no export"
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "prices.parquet"), Path(folder, "displayed.parquet")
            rows = (
                "SELECT (['USA', 'JPN', 'XXX'])[1 + i % 3] AS storefront, "
                "(i / 1)::DECIMAL(18, 2) AS amount FROM range(9000) r(i)"
            )
            self.con.execute(f"COPY ({rows}) TO '{source}' (FORMAT parquet)")
            statement = (
                found.group(1)
                .replace("prices.parquet", str(source))
                .replace("'displayed.parquet'", f"'{target}'")
            )
            self.con.execute(statement)
            counts = (
                "SELECT count(*), count(display), count(error), min(display), max(error) "
                f"FROM '{target}'"
            )
            self.assertEqual(
                self.con.execute(counts).fetchone(),
                (9000, 6000, 3000, "$0.00", "unknown-storefront"),
            )


class Extension(Cases):
    """The loadable extension."""

    def setUp(self) -> None:
        self.con = connect()

    def test_table(self) -> None:
        self.check_table(TABLE)

    def test_types(self) -> None:
        self.check_types()
        self.assertIsNone(
            scalar(
                self.con, "price_format('USA', 340282366920938463463374607431768211455::UHUGEINT)"
            )
        )
        self.assertEqual(scalar(self.con, "price_format('USA', 5::UHUGEINT)"), "$5.00")
        self.assertEqual(scalar(self.con, "price_format_minor('USA', 499::HUGEINT)"), "$4.99")
        self.fails("wrong-type: minor units", "price_format_minor('USA', 4.99)")
        self.fails("wrong-type: minor units", "price_format_minor('USA', '499')")
        self.fails("wrong-type: the date", "price_format('USA', 5, now())")
        self.fails("wrong-type: the date", "price_format('USA', 5, 20260101)")
        numbering = "'numbering=latn' || chr(0)"
        self.fails("invalid-option", f"price_format('USA', 5, NULL, {numbering})")

    def test_dates(self) -> None:
        self.check_dates()
        # Each day of 400 years is the date that Python knows: only dates from 2026 on are in euros.
        days = self.con.execute(
            "SELECT d::DATE AS day, price_format('BGR', 1, d::DATE) FROM range(DATE '1900-01-01', "
            "DATE '2300-01-01', INTERVAL 1 DAY) r(d)"
        ).fetchall()
        self.assertEqual(len(days), 146097)
        for day, display in days:
            self.assertEqual(
                display, "€1.00" if day >= datetime.date(2026, 1, 1) else "BGN\u00a01.00", day
            )
        query = (
            "SELECT count(*) "
            "FROM range(DATE '0001-01-01', DATE '9999-12-31', INTERVAL 17 DAY) r(d) "
            "WHERE price_error('USA', 1, d::DATE) IS NOT NULL "
            "OR price_error('USA', 1, strftime(d, '%Y-%m-%d')) IS NOT NULL"
        )
        self.assertEqual(self.con.execute(query).fetchone(), (0,))

    def test_random_rows(self) -> None:
        for rounding in ("exact", "half-even"):

            def options(amount: str, rounding: str = rounding) -> str:
                return f"'rounding={rounding}{', unit=minor' if amount == 'minor' else ''}'"

            with self.subTest(rounding):
                rows = random_rows(ROWS, "--rounding", rounding)
                self.check_batch(
                    rows,
                    lambda name, amount: (
                        f"price_{name}(storefront, {amount}, date, {options(amount)})"
                    ),
                )
                rows = random_rows(ROWS, "--rounding", rounding, locales=True)
                self.check_batch(
                    rows,
                    lambda name, amount: (
                        f"price_{name}_locale(locale, currency, {amount}, {options(amount)})"
                    ),
                )

    def test_large_results(self) -> None:
        """Text of up to 12 bytes is stored inside a vector, and longer text outside of it."""
        query = (
            "SELECT count(*), count(DISTINCT price) FROM (SELECT price_format_minor(s, i) AS price "
            "FROM range(100000) r(i), (VALUES ('USA'), ('EGY')) v(s))"
        )
        self.assertEqual(self.con.execute(query).fetchone(), (200000, 200000))
        query = (
            "SELECT bool_and(price_format_minor('USA', i) = printf('$%d.%02d', i // 100, i % 100)) "
            "FROM range(100000) r(i)"
        )
        self.assertEqual(self.con.execute(query).fetchone(), (True,))

    def test_columns_with_null(self) -> None:
        self.con.execute(
            "CREATE TABLE gaps AS SELECT i, CASE WHEN i % 3 <> 0 THEN 'JPN' END AS s, CASE WHEN i "
            "% 5 <> 0 THEN i END AS a, "
            "CASE WHEN i % 7 <> 0 THEN DATE '2026-01-01' END AS d FROM range(10000) r(i)"
        )
        rows = self.con.execute(
            "SELECT i, price_format(s, a, d), price_error(s, a, d) FROM gaps ORDER BY i"
        ).fetchall()
        for index, display, error in rows:
            if index % 5 == 0:
                self.assertEqual((display, error), (None, None))
            elif index % 3 == 0:
                self.assertEqual((display, error), (None, "missing-storefront"))
            else:
                self.assertEqual((display, error), (f"￥{index:,}", None))

    def test_vectors(self) -> None:
        """DuckDB sends constants, parts of vectors, and vectors with an index into another one."""
        con = self.con
        con.execute(
            "CREATE TABLE one AS SELECT i, (['USA', 'JPN', NULL])[1 + i % 3] AS s, i AS a, "
            "CASE WHEN i % 2 = 0 THEN 'width=iso' ELSE 'width=no' END AS o FROM range(5000) r(i)"
        )

        def display(row: int, iso: bool = False) -> Optional[str]:
            if row % 3 == 2:
                return None
            if row % 3 == 1:
                return f"JPY\u00a0{row:,}" if iso else f"￥{row:,}"
            return f"USD\u00a0{row:,}.00" if iso else f"${row:,}.00"

        for where in ("true", "i % 7 = 0", "i > 2046 AND i < 2052", "i % 3 = 2"):
            rows = con.execute(f"SELECT i, price_format(s, a) FROM one WHERE {where}").fetchall()
            self.assertGreater(len(rows), 4)
            self.assertEqual(rows, [(row, display(row)) for row, _ in rows], where)
        # A join repeats rows of its smaller side, and each row of the other one has a constant.
        rows = con.execute(
            "SELECT n.i, price_format(n.s, n.a, NULL, k.o) FROM range(3) r(j) "
            "CROSS JOIN (SELECT * FROM one LIMIT 60) n JOIN one k ON k.i = n.i - n.i % 2"
        ).fetchall()
        self.assertEqual(len(rows), 180)
        self.assertEqual(rows, [(row, display(row, iso=True)) for row, _ in rows])
        # A constant beside a column, and constants alone.
        query = (
            "SELECT price_format('JPN', a), price_format('JPN', 7), price_error('X', 7) FROM one"
        )
        answers = [(f"￥{row:,}", "￥7", "unknown-storefront") for row in range(5000)]
        self.assertEqual(con.execute(query).fetchall(), answers)
        query = (
            "SELECT price_format(s, 7), price_format(NULL, a), price_format('JPN', NULL) FROM one"
        )
        answers = [("$7.00" if row % 3 == 0 else "￥7" if row % 3 == 1 else None, None, None)
                   for row in range(5000)]  # fmt: skip
        self.assertEqual(con.execute(query).fetchall(), answers)
        # Lists, and branches: rows of the other branch have invalid options.
        query = "SELECT list_transform(range(5000), lambda x: price_format('JPN', x))"
        self.assertEqual(con.execute(query).fetchone(), ([f"￥{row:,}" for row in range(5000)],))
        query = "SELECT CASE WHEN i % 2 = 0 THEN price_format(s, a, NULL, o) END FROM one"
        expected = [(display(row, iso=True) if row % 2 == 0 else None,) for row in range(5000)]
        self.assertEqual(con.execute(query).fetchall(), expected)
        # An enumeration of few texts, of which no row has the second one.
        con.execute("CREATE TYPE choice AS ENUM ('width=iso', 'width=no')")
        query = "SELECT price_format('USA', 5, NULL, o::choice) FROM one WHERE i % 2 = 0"
        self.assertEqual(set(con.execute(query).fetchall()), {("USD\u00a05.00",)})

    def test_threads(self) -> None:
        """Several threads format one table, and several connections use one database."""
        self.con.execute("SET threads = 4")
        self.con.execute(
            "CREATE TABLE many AS SELECT (['USA', 'JPN', 'DEU', 'XXX'])[1 + i % 4] AS s, i % 1000 "
            "AS a FROM range(1000000) r(i)"
        )
        query = (
            "SELECT count(price_format(s, a)), count(price_error(s, a)), min(price_format(s, a)) "
            "FROM many"
        )
        answers: List[Any] = []
        cursors = [self.con.cursor() for _ in range(4)]
        threads = [
            threading.Thread(target=lambda c=cursor: answers.append(c.execute(query).fetchone()))
            for cursor in cursors
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [(750000, 250000, "$0.00")] * 4)

    def test_hostile_text(self) -> None:
        """Random text with zero bytes, controls and any characters, in every argument."""
        generator = random.Random(7)
        known = [
            "USA",
            "BGR",
            "de-CH",
            "CHF",
            "4.99",
            "-1",
            "2026-01-31",
            "width=iso",
            "rounding=up",
            "unit=minor",
            "",
            "=",
            ",",
        ]

        def text() -> Optional[str]:
            kind = generator.random()
            if kind < 0.05:
                return None
            if kind < 0.5:
                return generator.choice(known)
            if kind < 0.6:
                return generator.choice(known) + "\0" + generator.choice(known)
            if kind < 0.61:
                return generator.choice("9aé") * generator.randrange(100000)
            characters = (
                generator.choice((generator.randrange(1, 128), generator.randrange(0x80, 0xD800)))
                for _ in range(generator.randrange(40))
            )
            return "".join(map(chr, characters))

        count = 2000
        rows = [
            [text() for _ in range(4)] if generator.random() < 0.7 else ["USA", "4.99", None, None]
            for _ in range(count)
        ]
        self.con.execute("CREATE TABLE odd (a VARCHAR, b VARCHAR, c VARCHAR, d VARCHAR)")
        columns = [list(column) for column in zip(*rows)]
        insert = "INSERT INTO odd SELECT unnest(?), unnest(?), unnest(?), unnest(?)"
        self.con.execute(insert, columns)
        query = (
            "SELECT count(*), count(price_error(a, b, c, NULL, d)), count(price_format(a, b, c, "
            "NULL, d)), "
            "count(price_error_locale(a, b, c)), count(price_pack_version(d)), "
            "count(price_format(b, hash(a) % 1000, d)), count(*) FILTER (b IS NOT NULL) FROM odd, "
            "range(?) r(i)"
        )
        times = max(1, HOSTILE_ROWS // count)
        answer = self.con.execute(query, [times]).fetchone()
        assert answer is not None
        self.assertEqual(answer[0], count * times)
        self.assertEqual(answer[1] + answer[2], answer[6])
        self.assertGreater(answer[2], 0)
        self.assertGreater(answer[5], 0)
        # Options with a problem are an error, with the options in the message, and never more.
        for options, *_ in rows[:300]:
            try:
                scalar(
                    self.con,
                    "price_format('USA', 5, NULL, '" + (options or "").replace("'", "''") + "')",
                )
            except duckdb.Error as error:
                self.assertRegex(
                    str(error), "invalid-option: |missing|unterminated|syntax error|Invalid unicode"
                )
                self.assertLess(len(str(error)), 200500)

    def test_packs(self) -> None:
        program = (
            "import duckdb, sys\n"
            "con = duckdb.connect(config={'allow_unsigned_extensions': 'true'})\n"
            "con.execute(f\"LOAD '{sys.argv[1]}'\")\n"
            "print(con.execute('SELECT ' + sys.argv[2]).fetchone()[0])\n"
        )

        def answer(pack: str, expression: str) -> str:
            arguments = [sys.executable, "-c", program, EXTENSION, expression]
            environment = dict(os.environ, PRICETAG_PACK=pack)
            result = subprocess.run(
                arguments,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                check=False,
            )
            return result.stdout.decode().strip() or result.stderr.decode()

        self.assertEqual(answer("", "price_format_locale('de-CH', 'CHF', 5)"), "CHF\u00a05.00")
        self.assertEqual(answer(STOREFRONTS, "price_format('JPN', 1200)"), "￥1,200")
        self.assertEqual(answer("cldr-48", "price_format('HUN', 1234)"), "1234\u00a0Ft")
        self.assertIn("use cldr-42 or cldr-48", answer("cldr-47", "price_format('HUN', 1234)"))
        self.assertEqual(
            answer(STOREFRONTS, "price_error_locale('af', 'USD', 1)"), "unknown-locale"
        )
        self.assertEqual(answer(LOCALES, "price_error('JPN', 1200)"), "unknown-storefront")
        self.assertIn(
            'unreadable-file: "/no/such.pack": the file cannot be read; ',
            answer("/no/such.pack", "1"),
        )
        # A long path is shortened between characters, and a byte that is not UTF-8 replaced.
        self.assertIn('éé…": the file cannot be read; ', answer("/" + "é" * 150, "1"))
        self.assertIn('unreadable-file: "/?": the file', answer("/\udcff", "1"))
        self.assertIn("not-a-pack: ", answer(__file__, "1"))

    def test_loading(self) -> None:
        # The extension is loaded again by other connections and databases.
        self.con.execute(f"LOAD '{EXTENSION}'")
        other = connect()
        self.con.close()
        self.assertEqual(scalar(other, "price_format('JPN', 1200)"), "￥1,200")
        with self.assertRaisesRegex(duckdb.Error, "unsigned|signature|Signature"):
            duckdb.connect().execute(f"LOAD '{EXTENSION}'")

    def test_tables(self) -> None:
        """A virtual column and an index have prices; Parquet files in and out."""
        con = self.con
        con.execute(
            "CREATE TABLE price (storefront VARCHAR, amount DECIMAL(18, 2), "
            "display VARCHAR GENERATED ALWAYS AS (price_format(storefront, amount)) VIRTUAL)"
        )
        con.execute("CREATE INDEX price_by_display ON price (price_format(storefront, amount))")
        con.execute("INSERT INTO price VALUES ('JPN', 1200), ('USA', 4.99), ('JPN', 4.99)")
        expected = [("JPN", decimal.Decimal("1200.00"), "￥1,200"), ("USA", decimal.Decimal("4.99"),
        "$4.99"),
                    ("JPN", decimal.Decimal("4.99"), None)]  # fmt: skip
        self.assertEqual(con.execute("SELECT * FROM price").fetchall(), expected)
        query = "SELECT amount FROM price WHERE price_format(storefront, amount) = '$4.99'"
        self.assertEqual(con.execute(query).fetchall(), [(decimal.Decimal("4.99"),)])
        self.check_guide_parquet()


class PythonFunctions(Cases):
    """The functions of pricetag_formatter.duckdb."""

    has_reading = False

    def setUp(self) -> None:
        from pricetag_formatter import Pack
        from pricetag_formatter.duckdb import register

        self.register = register
        self.pack = Pack
        self.con = duckdb.connect()
        register(self.con)

    def test_table(self) -> None:
        # A registration has one style, and a storefront always has a date.
        expressions = [
            (expression, expected)
            for expression, expected in TABLE
            if re.match(r"price_(?!pack|read)\w+\((?:[^,]*, ){1,2}[^,]*\)$", expression)
            and expected != RowError("missing-date")
        ]
        self.assertGreater(len(expressions), 40)
        self.check_table(
            [
                (expression, expected)
                for expression, expected in expressions
                if "micros" not in expression
            ]
        )
        self.assertEqual(scalar(self.con, "price_format_micros('USA', 4990000)"), "$4.99")
        self.assertIsNone(scalar(self.con, "price_format_micros('USA', 4990001)"))

    def test_types(self) -> None:
        self.check_types()

    def test_dates(self) -> None:
        self.check_dates()
        # Rows without a date have that of the registration.
        self.register(self.con, at="2025-12-31", prefix="old_")
        self.register(self.con, at=datetime.date(2026, 1, 1), prefix="new_")
        query = (
            "SELECT old_price_format(s, 5), new_price_format(s, 5), old_price_format(s, 5, d), "
            "old_price_format(s, 5, d::VARCHAR) "
            "FROM (VALUES ('BGR', NULL), ('BGR', DATE '2026-01-01')) v(s, d)"
        )
        lev = "BGN\u00a05.00"
        self.assertEqual(
            self.con.execute(query).fetchall(),
            [(lev, "€5.00", lev, lev), (lev, "€5.00", "€5.00", "€5.00")],
        )

    def test_missing_styles(self) -> None:
        for call in missing_styles.CALLS:
            bare, options = missing_styles.without_options(call)
            with self.subTest(call), self.assertRaisesRegex(
                Exception, "missing-style|no patterns of the style"
            ):
                self.register(self.con, prefix="styled_", **options)
                scalar(self.con, "styled_" + bare)

    def test_random_rows(self) -> None:
        for rounding in ("exact", "half-even"):
            prefix = rounding.replace("-", "_") + "_"
            self.register(self.con, pack=STOREFRONTS, rounding=rounding, prefix=prefix)
            self.register(
                self.con,
                pack=STOREFRONTS,
                rounding=rounding,
                unit="minor",
                prefix=prefix + "minor_",
            )
            self.register(
                self.con, pack=Path(LOCALES), rounding=rounding, prefix=prefix + "locale_"
            )
            self.register(
                self.con,
                pack=self.pack(LOCALES),
                rounding=rounding,
                unit="minor",
                prefix=prefix + "locale_minor_",
            )

            def name(function: str, amount: str, kind: str = "", prefix: str = prefix) -> str:
                return f"{prefix}{kind}{'minor_' if amount == 'minor' else ''}price_{function}"

            with self.subTest(rounding):
                rows = random_rows(ROWS, "--rounding", rounding)
                self.check_batch(
                    rows,
                    lambda function, amount: (
                        f"{name(function, amount)}(storefront, {amount}, date)"
                    ),
                )
                rows = random_rows(ROWS, "--rounding", rounding, locales=True)
                self.check_batch(
                    rows,
                    lambda function, amount: (
                        f"{name(function, amount, 'locale_')}_locale(locale, currency, {amount})"
                    ),
                )

    def test_options(self) -> None:
        from pricetag_formatter import PriceError

        for wrong in (
            {"width": "big"},
            {"rounding": "sideways"},
            {"unit": "cents"},
            {"at": "2026-02-30"},
            {"pack": "/no/such.pack"},
        ):
            with self.subTest(wrong), self.assertRaises((PriceError, ValueError)):
                self.register(self.con, prefix="wrong_", **wrong)
            with self.assertRaises(duckdb.CatalogException):
                scalar(self.con, "wrong_price_format('USA', 5)")
        # A reference of unit prices has the spellings of the command.
        with tempfile.TemporaryDirectory() as folder:
            pack = str(Path(folder, "references.pack"))
            subprocess.run(
                [COMMAND, "pack", "--storefronts", "USA", "--per", "100 mL", "-o", pack],
                stderr=subprocess.DEVNULL,
                check=True,
            )
            for index, per in enumerate(("100 mL", "100mL", "100ml")):
                self.register(self.con, per=per, pack=pack, prefix=f"per{index}_")
                price = scalar(self.con, f"per{index}_price_format('USA', 5)")
                self.assertEqual(price, "$5.00/100 mL")
        with self.assertRaisesRegex(PriceError, "per '5 mL' is unknown"):
            self.register(self.con, per="5 mL")
        # The last ones are arguments of the function that formats columns.
        for argument in ("size", "date", "currency", "output", "string_view"):
            with self.subTest(argument):
                with self.assertRaisesRegex(TypeError, f"no argument '{argument}'"):
                    self.register(self.con, prefix="wrong_", **{argument: "2026-01-01"})
            with self.assertRaises(duckdb.CatalogException):
                scalar(self.con, "wrong_price_format('USA', 5)")
        # A second registration replaces the first, also for cursors of the connection.
        self.register(self.con, width="iso")
        self.assertEqual(scalar(self.con, "price_format('USA', 5)"), "USD\u00a05.00")
        self.assertEqual(scalar(self.con.cursor(), "price_format('USA', 5)"), "USD\u00a05.00")
        with self.assertRaisesRegex(ValueError, "letters, digits"):
            self.register(self.con, prefix="my prices.")
        for arguments in ("'USA'", "'USA', 5, NULL, NULL"):
            with self.assertRaisesRegex(duckdb.Error, "takes 2 or 3 arguments"):
                scalar(self.con, f"price_format({arguments})")
        with self.assertRaisesRegex(duckdb.Error, "takes 3 arguments"):
            scalar(self.con, "price_format_locale('de-CH', 'CHF')")

    def test_tables(self) -> None:
        self.check_guide_parquet()


class Module(unittest.TestCase):
    """The file of the extension."""

    def test_metadata(self) -> None:
        data = Path(EXTENSION).read_bytes()
        fields = [data[-512 + 32 * index :][:32].rstrip(b"\0").decode() for index in range(8)]
        self.assertEqual(fields[3:], ["C_STRUCT", fields[4], "v1.2.0", fields[6], "4"])
        self.assertRegex(fields[4], r"^\d+\.\d+\.\d+")
        row = duckdb.connect().execute("PRAGMA platform").fetchone()
        assert row is not None
        self.assertEqual(fields[6], row[0])


if __name__ == "__main__":
    if os.environ.get("DUCKDB_TESTS") == "extension":
        del PythonFunctions
        print(
            "DUCKDB_TESTS=extension: the functions of pricetag_formatter.duckdb are not tested",
            flush=True,
        )
    unittest.main(verbosity=2)
