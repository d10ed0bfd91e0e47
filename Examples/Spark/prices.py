"""Formats the prices of a Parquet table, and writes the bad rows to a table of rejects.

    spark-submit --archives pricetag.zip#pricetag Examples/Spark/prices.py shop.parquet
    prices.parquet rejects.parquet

The table needs the columns `storefront` (text) and `amount` (decimal, text or integer). All its
columns are in the output, followed by `display` and `error`. The rejects are the rows of the output
that have an error. The exit code is 3 if there are any, as that of `pricetag batch`.
"""

import argparse
import sys

from pricetag_formatter.spark import format_dataframe
from pyspark.sql import SparkSession


def run(spark, source, prices, rejects, **options):
    """Writes both tables, and returns the number of rows and the number of rejects by code."""
    table = spark.read.parquet(source)
    format_dataframe(table, storefront="storefront", amount="amount", **options).write.parquet(
        prices
    )

    # The prices are read again, so that they are formatted once.
    written = spark.read.parquet(prices)
    bad = written.where("error IS NOT NULL")
    bad.drop("display").write.parquet(rejects)
    return written.count(), {
        row["error"]: row["count"] for row in bad.groupBy("error").count().collect()
    }


def main():
    parser = argparse.ArgumentParser(description="Format the prices of a Parquet table.")
    parser.add_argument("source", help="the table to read")
    parser.add_argument("prices", help="the table to write")
    parser.add_argument("rejects", help="the table of bad rows to write")
    parser.add_argument("--pack", help="a pack file; default: the pack of the package")
    parser.add_argument("--at", help="the date, such as 2026-01-31; default: today in UTC")
    parser.add_argument(
        "--rounding", default="exact", help="the rounding mode, such as half-even; default: exact"
    )
    parser.add_argument(
        "--unit", default="major", help="what amounts count: major (default), minor or micros"
    )
    options = vars(parser.parse_args())

    spark = SparkSession.builder.appName("prices").getOrCreate()
    rows, codes = run(spark, **options)
    for code, count in sorted(codes.items()):
        print(f"rejected for {code}: {count}", file=sys.stderr)
    rejected = sum(codes.values())
    print(f"rows: {rows} read, {rows - rejected} formatted, {rejected} rejected", file=sys.stderr)
    spark.stop()
    return 3 if rejected else 0


if __name__ == "__main__":
    sys.exit(main())
