"""Formats the same prices with Spark, DuckDB, PostgreSQL, SQLite and Python, and compares each with `pricetag batch`.

    engines.py PRICES.PARQUET ROWS.JSONL REJECTS.JSONL [ENGINE …]

The Parquet file has the columns `line`, `storefront` and `amount`. The rows are the output of `pricetag batch` for the same
prices, and the rejects those of `--rejects`. `Scripts/demo/engines` prepares them, and runs this program with the server of
PostgreSQL. PRICETAG_SQLITE is the path of the SQLite extension. The status is 1 if an engine writes another byte.
"""

from __future__ import annotations

import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, Dict, List, NamedTuple, Optional, Tuple

import pyarrow
import pyarrow.csv
import pyarrow.parquet

import pricetag_formatter
from pricetag_formatter.duckdb import register as register_in_duckdb
from pricetag_formatter.spark import register as register_in_spark

# The date of the prices. It decides the currency of Bulgaria: BGN until 2025, then EUR.
DAY = datetime.date(2026, 1, 31)
DATE = DAY.isoformat()

# The display or the code of a price, by the line of its row.
Answers = Dict[int, Tuple[Optional[str], Optional[str]]]


class Result(NamedTuple):
    name: str
    answers: Answers
    seconds: float


def answers(lines: List[int], displays: List[Optional[str]], codes: List[Optional[str]]) -> Answers:
    return {line: (display, code) for line, display, code in zip(lines, displays, codes)}


def show(text: str) -> None:
    """Prints what an engine runs."""
    print("\n" + "\n".join("    " + line for line in text.strip().splitlines()), flush=True)


# ---- Each engine: reads the Parquet file, formats the prices, and returns the answers.


def with_python(path: str) -> Result:
    show(f'pt.format_column(table, storefront="storefront", amount="amount", date={DAY!r})')
    table = pyarrow.parquet.read_table(path)
    start = time.perf_counter()
    result = pyarrow.table(
        pricetag_formatter.format_column(table, storefront="storefront", amount="amount", date=DAY)
    )
    seconds = time.perf_counter() - start
    columns = [result["display"].to_pylist(), result["error"].to_pylist()]
    return Result(f"Python, PyArrow {pyarrow.__version__}", answers(table["line"].to_pylist(), *columns), seconds)


def with_spark(path: str) -> Result:
    from pyspark.sql import SparkSession

    sql = "SELECT line, price.* FROM (SELECT line, price_result(storefront, amount) AS price FROM prices)"
    show(f'register(spark, at="{DATE}")\n{sql}')
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.log.level", "ERROR").config("spark.ui.showConsoleProgress", "false")
    spark = builder.getOrCreate()
    try:
        register_in_spark(spark, at=DATE)
        spark.read.parquet(path).createOrReplaceTempView("prices")
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            spark.sql(sql).write.parquet(f"{folder}/formatted")
            seconds = time.perf_counter() - start
            rows = pyarrow.parquet.read_table(f"{folder}/formatted").to_pydict()
        return Result(f"Spark {spark.version}", answers(rows["line"], rows["display"], rows["error"]), seconds)
    finally:
        spark.stop()


def with_duckdb(path: str) -> Result:
    import duckdb

    sql = f"SELECT line, price_format(storefront, amount), price_error(storefront, amount) FROM '{path}'"
    show(f'register(con, at="{DATE}")\n{sql}')
    connection = duckdb.connect()
    register_in_duckdb(connection, at=DATE)
    start = time.perf_counter()
    rows = connection.execute(sql).fetchall()
    seconds = time.perf_counter() - start
    return Result(f"DuckDB {duckdb.__version__}", {line: (text, code) for line, text, code in rows}, seconds)


def with_postgresql(path: str) -> Result:
    sql = (
        f"SELECT line, price_format(storefront, amount, '{DATE}', on_error => 'null'),\n"
        f"  price_error(storefront, amount, '{DATE}') FROM prices ORDER BY line"
    )
    show(f"CREATE EXTENSION pricetag;\n{sql}")
    version = psql("SHOW server_version").split()[0]
    psql("CREATE TABLE prices (line integer, storefront text, amount numeric)")
    csv = pyarrow.BufferOutputStream()
    pyarrow.csv.write_csv(pyarrow.parquet.read_table(path), csv)
    psql("\\copy prices FROM pstdin (FORMAT csv, HEADER)", csv.getvalue().to_pybytes().decode())
    psql("ANALYZE prices")
    start = time.perf_counter()
    output = psql("\\copy (" + sql.replace("\n", " ") + ") TO STDOUT (FORMAT csv)")
    seconds = time.perf_counter() - start
    return Result(f"PostgreSQL {version}", read_csv(output), seconds)


def psql(command: str, input: str = "") -> str:
    arguments = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", "--command", command]
    return subprocess.run(arguments, input=input, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def with_sqlite(path: str) -> Result:
    sql = (
        f"SELECT line, price_format(storefront, amount, '{DATE}', NULL, NULL, 'null'),\n"
        f"  price_error(storefront, amount, '{DATE}') FROM prices;"
    )
    extension = os.environ["PRICETAG_SQLITE"]
    show(f".load {extension}\n{sql}")
    with tempfile.TemporaryDirectory() as folder:
        pyarrow.csv.write_csv(pyarrow.parquet.read_table(path), f"{folder}/prices.csv")
        # Amounts are TEXT, because SQLite has no decimals.
        script = f"""
            CREATE TABLE prices (line INTEGER, storefront TEXT, amount TEXT);
            .mode csv
            .import --skip 1 "{folder}/prices.csv" prices
            .load "{extension}"
            """.replace("            ", "")
        run = ["sqlite3", "-batch", "-bail", f"{folder}/prices.db"]
        subprocess.run(run, input=script, check=True, encoding="utf-8")
        start = time.perf_counter()
        script = f'.load "{extension}"\n.mode csv\n{sql}\n'
        output = subprocess.run(run, input=script, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        seconds = time.perf_counter() - start
    version = subprocess.run(["sqlite3", "--version"], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    return Result(f"SQLite {version.split()[0]}", read_csv(output), seconds)


def read_csv(text: str) -> Answers:
    import csv

    rows = csv.reader(text.splitlines())
    return {int(line): (display or None, code or None) for line, display, code in rows}


ENGINES: Dict[str, Callable[[str], Result]] = {
    "python": with_python,
    "spark": with_spark,
    "duckdb": with_duckdb,
    "postgresql": with_postgresql,
    "sqlite": with_sqlite,
}


def isolated(text: Optional[str]) -> str:
    """Puts text between isolates (U+2068, U+2069), which keep prices from right to left in their column."""
    return f"\u2068{text}\u2069"


def expected_answers(rows: str, rejects: str) -> Answers:
    expected: Answers = {}
    for text in Path(rows).read_text(encoding="utf-8").splitlines():
        row = json.loads(text)
        expected[row["line"]] = (row["display"], None)
    for text in Path(rejects).read_text(encoding="utf-8").splitlines():
        reject = json.loads(text)
        expected[json.loads(reject["row"])["line"]] = (None, reject["code"])
    return expected


def main() -> int:
    path, rows, rejects, *names = sys.argv[1:]
    expected = expected_answers(rows, rejects)
    results = []
    for name in names or ENGINES:
        result = ENGINES[name](path)
        results.append(result)
        for line in sorted(result.answers)[-6:]:
            display, code = result.answers[line]
            print(f"      {line:>5}  {isolated(display) if display is not None else 'NULL':20}  {code or 'NULL'}", flush=True)

    print(f"\n{'':24}{'rows':>8}{'equal':>8}{'rejected':>10}{'seconds':>10}")
    failed = False
    for result in results:
        lines = sorted(expected.keys() | result.answers.keys())
        different = [line for line in lines if result.answers.get(line) != expected.get(line)]
        rejected = sum(code is not None for _, code in result.answers.values())
        equal = len(lines) - len(different)
        print(f"{result.name:24}{len(result.answers):8}{equal:8}{rejected:10}{result.seconds:10.3f}")
        for line in different[:5]:
            print(f"  line {line}: {result.answers.get(line)}, but pricetag batch writes {expected.get(line)}")
        failed = failed or bool(different)

    table = pyarrow.parquet.read_table(path).to_pydict()
    print(f"\n{'':6}{'amount':>10}  price in all engines")
    samples = ["USA", "DEU", "CHE", "JPN", "EGY", "IND", "BGR", "XXX"]
    # The most expensive product of each storefront.
    for storefront in samples:
        prices = [
            (amount, line)
            for amount, line, store in zip(table["amount"], table["line"], table["storefront"])
            if store == storefront
        ]
        amount, line = max(prices)
        amount = f"{amount.normalize():f}"
        found = {result.answers.get(line) for result in results}
        texts = [code or isolated(display) for display, code in found]
        print(f"{storefront:6}{amount:>10}  {' | '.join(texts)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
