"""Measures price_format in SQLite beside its own printf, in the sqlite3 shell.

PRICETAG_SQLITE is the path of the extension.
"""

from __future__ import annotations

import os
import re
import subprocess
from typing import Dict, List

from measuring import (
    BUSY,
    ROUNDS,
    ROWS,
    STATISTIC,
    STOREFRONTS,
    millions,
    ratio,
    statistic,
    table,
    title,
)

QUERIES = {
    "`price_format(storefront, amount)`": (
        "SELECT sum(length(price_format(storefront, amount))) FROM prices"
    ),
    "`price_format_minor(storefront, units)`": (
        "SELECT sum(length(price_format_minor(storefront, units))) FROM prices"
    ),
    "`printf('$%,d.%02d', units / 100, units % 100)`": (
        "SELECT sum(length(printf('$%,d.%02d', units / 100, units % 100))) FROM prices"
    ),
    "`length(amount)`": "SELECT sum(length(amount)) FROM prices",
}


def main() -> None:
    names = ", ".join(f"({index}, '{name}')" for index, name in enumerate(STOREFRONTS))
    script = [
        f".load {os.environ['PRICETAG_SQLITE']}",
        (
            "CREATE TABLE names AS SELECT column1 AS place, column2 AS storefront FROM (VALUES"
            f" {names});"
        ),
        (
            "CREATE TABLE numbers AS WITH RECURSIVE n(number) AS (VALUES (1) UNION ALL SELECT"
            f" number + 1 FROM n WHERE number < {ROWS}) SELECT number FROM n;"
        ),
        (
            "CREATE TABLE prices AS SELECT storefront, units, CASE WHEN storefront IN ('JPN',"
            " 'KOR') THEN CAST(units AS TEXT) ELSE printf('%d.%02d', units / 100, units % 100) END"
            " AS amount FROM (SELECT storefront, 1 + number * 48271 % 1999999 AS units FROM"
            f" numbers JOIN names ON place = number * 7 % {len(STOREFRONTS)});"
        ),
        ".timer on",
    ]
    for _ in range(ROUNDS + 1):
        script += [f"{query};" for query in QUERIES.values()]
    shell = subprocess.run(
        ["sqlite3", "-batch", "-bail", ":memory:"],
        input="\n".join(script),
        check=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    clock = "user" if BUSY else "real"
    found = [
        float(value)
        for value in re.findall(rf"^Run Time: .*\b{clock} ([0-9.]+)", shell.stdout, re.MULTILINE)
    ]
    if len(found) != (ROUNDS + 1) * len(QUERIES):
        raise ValueError(f"sqlite3 printed {len(found)} times")
    times: Dict[str, List[float]] = {name: [] for name in QUERIES}
    for index, name in enumerate(list(QUERIES) * (ROUNDS + 1)):
        if index >= len(QUERIES):
            times[name].append(found[index])
    seconds = {name: statistic(values) for name, values in times.items()}
    own = seconds["`price_format(storefront, amount)`"]
    version = subprocess.run(
        ["sqlite3", "--version"], check=True, stdout=subprocess.PIPE, encoding="utf-8"
    ).stdout.split()[0]
    title(
        f"SQLite {version}: {ROWS:,} rows of a table in memory, {STATISTIC} of {ROUNDS} runs in"
        " turn. A query sums the lengths of a text: `SELECT sum(length(…)) FROM prices`; amount is"
        " TEXT, units is INTEGER. `printf` writes one pattern for all rows."
    )
    rows = [
        [name, f"{taken:.3f}", millions(ROWS, taken), ratio(taken, own)]
        for name, taken in seconds.items()
    ]
    table(["text", "seconds", "million rows/s", "time / `price_format`"], rows)


main()
