"""Measures a Spark job with price_format beside the same job with a constant function.

BENCH_SPARK_ROWS is the number of rows (4,000,000), BENCH_SPARK_MASTER the master (local[2]).
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Callable, Dict

import pyspark
from pyspark.sql import Column

from measuring import STATISTIC, STOREFRONTS, millions, table, times_in_turn, title
from pricetag_formatter.spark import register
from spark_session import check_prices, constant_function, start, write_prices

ROWS = int(os.environ.get("BENCH_SPARK_ROWS", "4000000"))
ROUNDS = int(os.environ.get("BENCH_SPARK_ROUNDS", "5"))
MASTER = os.environ.get("BENCH_SPARK_MASTER", "local[2]")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spark = start(MASTER, folder)
        prices = str(folder / "prices")
        write_prices(spark, ROWS, prices)
        formatted = register(spark, at="2026-01-31").price_format_minor("storefront", "units")
        constant = constant_function()("storefront", "units")  # type: ignore[operator]
        check_prices(spark, formatted, prices)

        def job(column: Column, to_parquet: bool) -> Callable[[], None]:
            def run() -> None:
                rows = spark.read.parquet(prices).select("id", column.alias("display"))
                if to_parquet:
                    rows.write.mode("overwrite").parquet(str(folder / "out"))
                else:
                    rows.write.format("noop").mode("overwrite").save()

            return run

        sinks = {"no output (noop)": False, "Parquet": True}
        contenders: Dict[str, Callable[[], None]] = {}
        for sink, to_parquet in sinks.items():
            contenders[f"{sink}, constant"] = job(constant, to_parquet)
            contenders[f"{sink}, price_format"] = job(formatted, to_parquet)
        times = times_in_turn(contenders, ROUNDS, in_process=False)
        title(
            f"Spark {pyspark.__version__}, {MASTER}, one session: {ROWS:,} rows of Parquet with"
            f" storefronts and int64 minor units, {len(STOREFRONTS)} storefronts; seconds of a job,"
            f" {STATISTIC} of {ROUNDS} runs in turn. The constant function is an arrow_udf as well,"
            " and returns one text for all rows."
        )
        rows = []
        for sink in sinks:
            own, other = times[f"{sink}, price_format"], times[f"{sink}, constant"]
            rows.append(
                [
                    sink,
                    f"{other:.2f}",
                    f"{own:.2f}",
                    f"{(own / other - 1) * 100:+.1f} %",
                    millions(ROWS, own),
                ]
            )
        table(
            ["output", "constant text", "`price_format_minor`", "more time", "million rows/s"], rows
        )
        spark.stop()


main()
