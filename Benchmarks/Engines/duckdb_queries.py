"""Measures price_format in DuckDB: the Python function and the loadable extension.

PRICETAG_DUCKDB is the path of the extension. Without it, only the Python function is measured.
"""

from __future__ import annotations

import os
from typing import Callable, Dict

import duckdb
import pyarrow

from measuring import (
    BUSY,
    ROWS,
    STATISTIC,
    STOREFRONTS,
    millions,
    table,
    times_in_turn,
    title,
    units,
)
from pricetag_formatter.duckdb import register

QUERIES = {
    "`price_format_minor(storefront, units)`": (
        "SELECT sum(strlen(price_format_minor(storefront, units))) FROM prices"
    ),
    "`price_format(storefront, amount)`": (
        "SELECT sum(strlen(price_format(storefront, amount))) FROM prices"
    ),
}
# The floor: a text of the same columns that DuckDB makes itself.
FLOOR = "SELECT sum(strlen(format('{} {:,}', storefront, units))) FROM prices"


def connect(
    extension: str | None, prices: pyarrow.Table, threads: int
) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": threads})
    if extension:
        connection.execute(f"LOAD '{extension}'")
    else:
        register(connection, at="2026-01-31")
    connection.register("given", prices)
    connection.execute(
        "CREATE TABLE prices AS SELECT storefront, units, CASE WHEN storefront IN ('JPN', 'KOR')"
        " THEN units::DECIMAL(18, 2) ELSE (units / 100)::DECIMAL(18, 2) END AS amount FROM given"
    )
    return connection


def main() -> None:
    prices = pyarrow.table(
        {
            "storefront": pyarrow.array(
                [STOREFRONTS[index * 7 % len(STOREFRONTS)] for index in range(ROWS)]
            ),
            "units": pyarrow.array(units(ROWS), pyarrow.int64()),
        }
    )
    extension = os.environ.get("PRICETAG_DUCKDB")
    ways: Dict[str, str | None] = {"Python": None}
    if extension:
        ways["extension"] = extension
    # Processor time says nothing about several threads.
    cores = 1 if BUSY else len(os.sched_getaffinity(0))
    contenders: Dict[str, Callable[[], object]] = {}
    for way, path in ways.items():
        for threads in sorted({1, cores}):
            connection = connect(path, prices, threads)
            expected = connection.execute(
                QUERIES["`price_format_minor(storefront, units)`"]
            ).fetchall()
            for name, query in QUERIES.items():
                if connection.execute(query).fetchall() != expected:
                    raise ValueError(f"{way}: {name} has other displays")
                contenders[f"{name}|{way}|{threads}"] = lambda c=connection, q=query: c.execute(
                    q
                ).fetchall()
            if way == "Python":
                contenders[f"DuckDB's `format`|–|{threads}"] = lambda c=connection: c.execute(
                    FLOOR
                ).fetchall()
    times = times_in_turn(contenders)
    title(
        f"DuckDB {duckdb.__version__}: {ROWS:,} rows of a table in memory, million rows per second,"
        f" {STATISTIC}. The query sums the lengths of the displays: `SELECT"
        " sum(strlen(price_format(storefront, amount))) FROM prices`, where amount is DECIMAL(18,"
        " 2) and units is BIGINT. DuckDB's own `format('{} {:,}', storefront, units)` is"
        " beside it."
    )
    rows = []
    for name in contenders:
        function, way, threads = name.split("|")
        if threads != "1":
            continue
        counts = sorted({1, cores})
        rows.append(
            [
                function,
                way,
                *(millions(ROWS, times[f"{function}|{way}|{count}"]) for count in counts),
            ]
        )
    table(["function", "way", "1 thread", *([f"{cores} threads"] if cores > 1 else [])], rows)


main()
