"""What the benchmarks of Spark share: a session whose workers have the package, and a table."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from measuring import STOREFRONTS

if TYPE_CHECKING:
    from pyspark.sql import Column, SparkSession


def start(master: str, folder: Path) -> SparkSession:
    """Starts Spark. Its own files, also those of executors, are in the folder."""
    import pyspark
    from pyspark.sql import SparkSession

    # A local cluster writes the files of its executors to the folder "work" of SPARK_HOME.
    home = folder / "home"
    if not home.exists():
        home.mkdir(parents=True)
        for entry in Path(pyspark.__file__).parent.iterdir():
            (home / entry.name).symlink_to(entry)
    os.environ.update(
        SPARK_HOME=str(home),
        SPARK_LOCAL_IP="127.0.0.1",
        SPARK_LOCAL_DIRS=str(folder / "scratch"),
        PYSPARK_PYTHON=sys.executable,
        PYSPARK_DRIVER_PYTHON=sys.executable,
    )
    builder = SparkSession.builder.master(master).appName("Benchmarks/Engines")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
    }
    if "PRICETAG_SPARK_JAR" in os.environ:
        settings["spark.jars"] = os.environ["PRICETAG_SPARK_JAR"]
        settings["spark.sql.extensions"] = "pricetag.spark.PriceExtensions"
        settings["spark.pricetag.at"] = "2026-01-31"
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def write_prices(spark: SparkSession, rows: int, path: str) -> None:
    """Writes a Parquet table of storefronts and amounts in minor units, 1 to 1,999,999."""
    from pyspark.sql import functions

    names = functions.array(*(functions.lit(name) for name in STOREFRONTS))
    index = (functions.col("id") * 7 % len(STOREFRONTS) + 1).cast("int")
    spark.range(rows).select(
        "id",
        functions.element_at(names, index).alias("storefront"),
        (functions.xxhash64("id") % 1000000 + 1000000).alias("units"),
    ).write.mode("overwrite").parquet(path)


def constant_function() -> object:
    """Returns a function of the same kind as price_format, which returns one text for all rows."""
    import pyarrow
    from pyspark.sql.functions import arrow_udf

    def constant(storefront, units):  # type: ignore[no-untyped-def]
        return pyarrow.repeat(pyarrow.scalar("$1,234.56"), len(units))

    # PySpark selects the kind of a function by its type hints.
    constant.__annotations__ = {name: pyarrow.Array for name in ("storefront", "units", "return")}
    return arrow_udf(constant, "string")


def check_prices(spark: SparkSession, display: Column, path: str) -> None:
    """Stops if a price of the table has no display."""
    missing = (
        spark.read.parquet(path).select(display.alias("display")).where("display IS NULL").count()
    )
    if missing:
        raise ValueError(f"{missing} rows have no display")
