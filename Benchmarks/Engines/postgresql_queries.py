"""Measures price_format in PostgreSQL beside to_char.

Scripts/test/postgresql-server runs it with a server that has the extension.
"""

from __future__ import annotations

import re
import subprocess
from typing import Dict, List

from measuring import ROUNDS, ROWS, STATISTIC, STOREFRONTS, millions, ratio, statistic, table, title

QUERIES = {
    "`price_format(storefront, amount)`": (
        "SELECT sum(octet_length(price_format(storefront, amount))) FROM prices"
    ),
    "`price_format_minor(storefront, units)`": (
        "SELECT sum(octet_length(price_format_minor(storefront, units))) FROM prices"
    ),
    "`to_char(amount, 'FM$999,999,990.00')`": (
        "SELECT sum(octet_length(to_char(amount, 'FM$999,999,990.00'))) FROM prices"
    ),
    "`amount::text`": "SELECT sum(octet_length(amount::text)) FROM prices",
    "`octet_length(storefront)`": "SELECT sum(octet_length(storefront)) FROM prices",
}


def psql(script: str) -> str:
    command = [
        "psql",
        "--no-psqlrc",
        "--quiet",
        "--tuples-only",
        "--no-align",
        "--set=ON_ERROR_STOP=1",
    ]
    return subprocess.run(
        command, input=script, check=True, stdout=subprocess.PIPE, encoding="utf-8"
    ).stdout


def main() -> None:
    names = ", ".join(f"'{name}'" for name in STOREFRONTS)
    psql(f"""CREATE TABLE prices AS SELECT storefront, units,
              CASE WHEN storefront IN ('JPN', 'KOR') THEN units::numeric
              ELSE (units / 100.0)::numeric(18, 2) END AS amount
            FROM (SELECT (ARRAY[{names}])[1 + number * 7 % {len(STOREFRONTS)}] AS storefront,
              (1 + number::bigint * 48271 % 1999999) AS units
              FROM generate_series(1, {ROWS}) AS number) AS given;
            VACUUM ANALYZE prices;""")
    version = psql("SHOW server_version").split()[0]
    # One session, with one process; the queries take turns.
    script = ["SET max_parallel_workers_per_gather = 0;", "SET jit = off;", "\\timing on"]
    for _ in range(ROUNDS + 1):
        script += [f"{query};" for query in QUERIES.values()]
    found = [
        float(value) / 1000
        for value in re.findall(r"^Time: ([0-9.]+) ms", psql("\n".join(script)), re.MULTILINE)
    ]
    if len(found) != (ROUNDS + 1) * len(QUERIES):
        raise ValueError(f"psql printed {len(found)} times")
    times: Dict[str, List[float]] = {name: [] for name in QUERIES}
    for index, name in enumerate(list(QUERIES) * (ROUNDS + 1)):
        if index >= len(QUERIES):
            times[name].append(found[index])
    seconds = {name: statistic(values) for name, values in times.items()}
    own = seconds["`price_format(storefront, amount)`"]
    title(
        f"PostgreSQL {version}: {ROWS:,} rows of a table from generate_series, one process without"
        f" JIT, {STATISTIC} of {ROUNDS} runs in turn. A query sums the lengths of a text: `SELECT"
        " sum(octet_length(…)) FROM prices`. `to_char` writes one pattern for all rows, and no"
        " locale."
    )
    rows = [
        [name, f"{taken:.3f}", millions(ROWS, taken), ratio(taken, own)]
        for name, taken in seconds.items()
    ]
    table(["text", "seconds", "million rows/s", "time / `price_format`"], rows)


main()
