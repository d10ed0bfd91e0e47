"""Measures a Spark job with price_format beside the same job with a constant function, and the jar
beside concat, if PRICETAG_SPARK_JAR names it.

BENCH_SPARK_ROWS is the number of rows (4,000,000), BENCH_SPARK_MASTER the master (local[2]).
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Callable, Dict

import pyspark
from pyspark.sql import Column
from pyspark.sql.functions import call_function, expr

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
        functions = register(spark, at="2026-01-31", prefix="python_")
        columns = {
            "constant": constant_function()("storefront", "units"),  # type: ignore[operator]
            "Python": functions.price_format_minor("storefront", "units"),
        }
        pairs = {"Python": "constant"}
        if "PRICETAG_SPARK_JAR" in os.environ:
            columns["concat"] = expr("concat(storefront, ' ', units)")
            columns["jar"] = call_function("price_format_minor", "storefront", "units")
            pairs["jar"] = "concat"
        for name in pairs:
            check_prices(spark, columns[name], prices)

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
            for name, column in columns.items():
                contenders[f"{sink}, {name}"] = job(column, to_parquet)
        times = times_in_turn(contenders, ROUNDS, in_process=False)
        title(
            f"Spark {pyspark.__version__}, {MASTER}, one session: {ROWS:,} rows of Parquet with"
            f" storefronts and int64 minor units, {len(STOREFRONTS)} storefronts; seconds of a job"
            f" with `price_format_minor`, {STATISTIC} of {ROUNDS} runs in turn. Python is beside an"
            " arrow_udf that returns one text for all rows, the jar beside concat(storefront, ' ',"
            " units)."
        )
        rows = []
        for sink in sinks:
            for name, peer in pairs.items():
                own, other = times[f"{sink}, {name}"], times[f"{sink}, {peer}"]
                more = f"{(own / other - 1) * 100:+.1f} %"
                rows.append([name, sink, f"{other:.2f}", f"{own:.2f}", more, millions(ROWS, own)])
        header = ["functions", "output", "peer", "`price_format_minor`", "more time"]
        table([*header, "million rows/s"], rows)
        spark.stop()


main()
