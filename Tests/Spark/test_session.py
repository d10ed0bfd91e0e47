"""The functions in a Spark session, compared with `pricetag batch`. Runs with --mode local, cluster
and connect.
"""

import contextlib
import datetime
import functools
import importlib.util
import io
import os
import re
import subprocess
import sys
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import COMMAND, DATE, JAR, ROOT, batch

sys.path.insert(0, str(ROOT / "Tests/SQL"))
import missing_styles  # noqa: E402


@pytest.fixture(scope="session")
def prices(spark, driver_package):
    from pricetag_formatter.spark import Functions, register

    if JAR is not None:
        from pyspark.sql.functions import call_function

        return Functions(*(functools.partial(call_function, name) for name in Functions._fields))
    return register(spark, at=DATE)


@pytest.fixture(scope="session")
def table(rows, folder):
    """The rows as Parquet, with dictionary-encoded storefronts, in several files and row groups."""
    columns = pa.table(
        {
            "id": pa.array(range(len(rows)), pa.int64()),
            "storefront": (
                pa.array([storefront for storefront, _ in rows], pa.string()).dictionary_encode()
            ),
            "amount": pa.array([amount for _, amount in rows], pa.string()),
            "note": pa.array(
                [f"note {index}" if index % 3 else None for index in range(len(rows))], pa.string()
            ),
        }
    )
    path = folder / "rows.parquet"
    path.mkdir()
    half = len(rows) // 2
    pq.write_table(columns.slice(0, half), path / "a.parquet", row_group_size=700)
    pq.write_table(columns.slice(half), path / "b.parquet", row_group_size=900)
    return str(path)


def read(path):
    """The rows of a Parquet table in the order of their identifiers."""
    return pq.read_table(path).sort_by("id").to_pylist()


def test_values_in_sql(spark, prices):
    row = spark.sql("""
        SELECT price_format('USA', 4.99), price_format('JPN', 1200), price_format('USA', '4.99'),
               price_format('USA', CAST(5 AS BIGINT)), price_format('USA', CAST(5 AS TINYINT)),
               price_format('USA', NULL), price_error('USA', NULL), price_error('USA', 4.99),
               price_error('JPN', 4.99), price_spoken('DEU', 49.99), price_result('JPN', 4.99),
               price_format_locale('de-CH', 'CHF', 1234.5), price_error_locale('de-CH', 'XXY', 1),
               price_spoken_locale('de-CH', 'CHF', 2), price_result_locale('ja-JP', 'JPY', 5),
               price_format('USA', CAST('4.500000000000000000' AS DECIMAL(38, 18)))
        """).collect()[0]
    assert [tuple(value) if hasattr(value, "asDict") else value for value in row] == [
        "$4.99", "￥1,200", "$4.99", "$5.00", "$5.00", None, None, None, "needs-rounding",
        "49,99 Euro", (None, "needs-rounding"), "CHF\u00a01’234.50", "unknown-currency",
        "2.00 Schweizer Franken", ("￥5", None), "$4.50",
    ]  # fmt: skip


def test_date_and_currency(spark, prices, folder):
    row = spark.sql("""
        SELECT price_format('BGR', 4.5), price_format('BGR', 4.5, DATE '2025-12-31'),
               price_format('BGR', 4.5, 'EUR'), price_error('BGR', 4.5, 'BGN'),
               price_error('BGR', 4.5, 'BGN', DATE '2025-12-31'),
               price_format(amount => 4.5, storefront => 'BGR', date => DATE '2025-12-31'),
               price_format('BGR', 4.5, CAST(NULL AS DATE)),
               price_format('BGR', 4.5, NULL, DATE '2025-12-31')
        """).collect()[0]
    rows = [
        {"storefront": "BGR", "amount": "4.5", "at": date} for date in ("2025-12-31", "2026-01-31")
    ]
    (lev, _), (euro, _) = batch(rows, folder)
    assert list(row) == [euro, lev, euro, "currency-mismatch", None, lev, euro, lev] and lev != euro


def test_parquet(spark, prices, table, rows, expected, folder):
    """Every row, good or bad, as by `pricetag batch`."""
    from pyspark.sql import functions as F

    destination = str(folder / "sql")
    spark.read.parquet(table).createOrReplaceTempView("shop")
    spark.sql(
        "SELECT *, price_format(storefront, amount) AS display, price_error(storefront, amount) AS"
        " error FROM shop"
    ).write.parquet(destination)
    written = read(destination)
    assert [(row["display"], row["error"]) for row in written] == expected
    assert [(row["storefront"], row["amount"]) for row in written] == rows
    assert (
        sum(code is not None for _, code in expected) > 50
        and len({code for _, code in expected}) >= 6
    )

    destination = str(folder / "functions")
    source = spark.read.parquet(table)
    result = prices.price_result("storefront", F.col("amount"))
    source.select(
        "id", result["display"].alias("display"), result["error"].alias("error")
    ).write.parquet(destination)
    assert [(row["display"], row["error"]) for row in read(destination)] == expected


@pytest.mark.parametrize("arrow", [True, False], ids=["arrow_udf", "mapInArrow"])
def test_format_dataframe(spark, table, rows, expected, folder, arrow, monkeypatch):
    """The same with all columns kept, in both ways that a version of Spark may offer."""
    import pricetag_formatter.spark

    if not arrow:
        monkeypatch.setattr(pricetag_formatter.spark, "_has_arrow_functions", lambda spark: False)
    destination = str(folder / f"dataframe-{arrow}")
    priced = pricetag_formatter.spark.format_dataframe(
        spark.read.parquet(table),
        storefront="storefront",
        amount="amount",
        at=DATE,
        display="text",
        spoken="voice",
    )
    assert priced.columns == ["id", "storefront", "amount", "note", "text", "error", "voice"]
    priced.write.parquet(destination)
    written = read(destination)
    assert [(row["text"], row["error"]) for row in written] == expected
    assert [(row["storefront"], row["amount"]) for row in written] == rows
    assert [row["note"] for row in written] == [
        f"note {index}" if index % 3 else None for index in range(len(rows))
    ]
    assert [row["voice"] is None for row in written] == [display is None for display, _ in expected]
    dollars = next(
        row["voice"] for row in written if row["storefront"] == "USA" and row["amount"] == "4.99"
    )
    assert dollars == "4.99 US dollars"


@pytest.mark.parametrize("arrow", [True, False], ids=["arrow_udf", "mapInArrow"])
def test_large_types_of_arrow(spark, arrow, monkeypatch):
    """Spark sends and expects large_utf8."""
    import pricetag_formatter.spark
    from pricetag_formatter.spark import format_dataframe

    if not arrow:
        monkeypatch.setattr(pricetag_formatter.spark, "_has_arrow_functions", lambda spark: False)
    setting = "spark.sql.execution.arrow.useLargeVarTypes"
    source = spark.sql("SELECT 'USA' AS storefront, '4.99' AS amount, CAST('x' AS BINARY) AS data")
    spark.conf.set(setting, "true")
    try:
        row = format_dataframe(source, storefront="storefront").collect()[0]
    finally:
        spark.conf.unset(setting)
    assert list(row) == ["USA", "4.99", b"x", "$4.99", None]


def test_types_of_amounts(spark, folder):
    """Decimals of every width, minor units and micros, as by `pricetag batch`."""
    from pyspark.sql import functions as F

    from pricetag_formatter.spark import format_dataframe

    amounts = ["0", "4.99", "-1234.5", "12345678901.25", "0.000000000000000001", "999"]
    storefronts = ["USA", "JPN", "KWT", None]
    rows = [(storefront, amount) for storefront in storefronts for amount in amounts]
    source = spark.createDataFrame(
        [(index, storefront, Decimal(amount)) for index, (storefront, amount) in enumerate(rows)],
        "id BIGINT, storefront STRING, amount DECIMAL(38, 18)",
    )
    objects = [{"storefront": storefront, "amount": amount} for storefront, amount in rows]
    priced = format_dataframe(source, storefront="storefront", at=DATE).orderBy("id").collect()
    assert [(row["display"], row["error"]) for row in priced] == batch(objects, folder)

    units = [0, 499, -123450, 2**53 + 1, 999_000_000, -(2**63)]
    rows = [(storefront, unit) for storefront in storefronts for unit in units]
    source = spark.createDataFrame(
        [(index, storefront, unit) for index, (storefront, unit) in enumerate(rows)],
        "id BIGINT, storefront STRING, units BIGINT",
    )
    for unit, field in (("minor", "amountMinor"), ("micros", "amountMicros")):
        objects = [{"storefront": storefront, field: value} for storefront, value in rows]
        priced = format_dataframe(
            source,
            storefront="storefront",
            amount=F.col("units"),
            unit=unit,
            at=DATE,
            rounding="half-even",
        )
        answers = [(row["display"], row["error"]) for row in priced.orderBy("id").collect()]
        assert answers == batch(objects, folder, "--rounding", "half-even"), unit


def test_floating_point_is_refused(spark, prices):
    from pyspark.errors import PythonException

    from pricetag_formatter.spark import format_dataframe

    for name in ("float", "double"):
        source = spark.sql(f"SELECT 'USA' AS storefront, CAST(4.99 AS {name}) AS amount")
        with pytest.raises(TypeError, match=f"amount: the column has the type {name}, .*DECIMAL"):
            format_dataframe(source, storefront="storefront")
        with pytest.raises(
            PythonException, match=f"amount: the column has the type {name}, .*DECIMAL"
        ):
            source.select(prices.price_format("storefront", "amount")).collect()


def test_wrong_types(spark, prices):
    from pyspark.errors import PythonException

    from pricetag_formatter.spark import format_dataframe

    source = spark.sql("SELECT 4.99 AS amount, 'USA' AS storefront, true AS flag")
    with pytest.raises(TypeError, match=r"storefront: the column has the type decimal\(3,2\)"):
        format_dataframe(source, storefront="amount", amount="storefront")
    with pytest.raises(TypeError, match="amount: the column has the type boolean"):
        format_dataframe(source, storefront="storefront", amount="flag")
    with pytest.raises(TypeError, match="either storefront, or locale and currency"):
        format_dataframe(source)
    with pytest.raises(TypeError, match="a locale needs a currency"):
        format_dataframe(source, locale="storefront")
    with pytest.raises(ValueError, match="already has a column 'FLAG'") as caught:
        format_dataframe(source, storefront="storefront", display="FLAG")
    assert caught.value.code == "field-exists"
    with pytest.raises(PythonException, match="storefront"):
        source.select(prices.price_format("amount", "storefront")).collect()


def test_options(spark):
    from pricetag_formatter import PriceError
    from pricetag_formatter.spark import format_dataframe, register

    register(spark, unit="minor", width="iso", prefix="iso_", at=datetime.date(2026, 1, 31))
    register(spark, unit="micros", rounding="half-even", prefix="rounded_", at=DATE)
    row = spark.sql("""
        SELECT iso_price_format('USA', 499), rounded_price_format('JPN', 4990000),
               iso_price_format_micros('USA', 4990000L), rounded_price_format_minor('JPN', 499),
               iso_price_error('USA', 499), iso_price_format('USA', NULL)
        """).collect()[0]
    assert list(row) == ["USD\u00a04.99", "￥5", "USD\u00a04.99", "￥499", None, None]
    for options in (
        {"width": "wide"},
        {"rounding": "sideways"},
        {"unit": "dollars"},
        {"at": "2026-02-30"},
    ):
        with pytest.raises(PriceError) as caught:
            register(spark, prefix="never_", **options)
        assert caught.value.fix
    # The last ones are arguments of the function that formats columns.
    for argument in ("size", "currency", "date", "output", "string_view"):
        with pytest.raises(TypeError, match=rf"register\(\) has no argument '{argument}'; use pack"):
            register(spark, prefix="never_", **{argument: "USD"})
    for argument in ("size", "output", "string_view"):
        with pytest.raises(TypeError, match=rf"format_dataframe\(\) has no argument '{argument}'"):
            format_dataframe(spark.range(1), storefront="id", amount="id", **{argument: "x"})
    with pytest.raises(ValueError, match="prefix 'a b' is not part of an SQL name"):
        register(spark, prefix="a b")
    assert not spark.catalog.functionExists("never_price_format")


def test_missing_styles(spark):
    from pricetag_formatter.spark import register

    for index, call in enumerate(missing_styles.CALLS):
        bare, options = missing_styles.without_options(call)
        with pytest.raises(Exception, match="no patterns of the style|missing-style"):
            register(spark, prefix=f"styled{index}_", at=DATE, **options)
            spark.sql(f"SELECT styled{index}_{bare}").collect()


def test_register_in_an_older_spark(spark, monkeypatch):
    import pricetag_formatter.spark

    monkeypatch.setattr(pricetag_formatter.spark, "_has_arrow_functions", lambda spark: False)
    with pytest.raises(RuntimeError, match="need Spark 4.1 or newer, .*; use format_dataframe"):
        pricetag_formatter.spark.register(spark, prefix="never_")


@pytest.fixture(scope="session")
def packs(folder):
    """A small pack and a larger one, with a style that the embedded packs lack."""
    small, large = folder / "small.pack", folder / "large.pack"
    options = ["--storefronts", "USA,JPN", "--zeros", "trim", "--at", DATE]
    more = ["--locales", "de-DE,fr-FR", "--currencies", "EUR,USD"]
    for path, arguments in ((small, options), (large, options + more)):
        subprocess.run([COMMAND, "pack", *arguments, "-o", path], check=True, capture_output=True)
    return small, large


def test_packs_travel_with_the_job(spark, packs, monkeypatch):
    import pricetag_formatter.spark

    small, large = packs
    pricetag_formatter.spark.register(spark, pack=small, zeros="trim", prefix="small_", at=DATE)
    monkeypatch.setattr(pricetag_formatter.spark, "_MAXIMUM_INLINE_SIZE", large.stat().st_size - 1)
    pricetag_formatter.spark.register(
        spark, pack=large.read_bytes(), zeros="trim", prefix="large_", at=DATE
    )
    # The job has its own copies.
    small.unlink()
    large.unlink()
    row = spark.sql("""
        SELECT small_price_format('USA', 4), small_price_error('DEU', 4),
               large_price_format('USA', 4), large_price_format_locale('de-DE', 'EUR', 4)
        """).collect()[0]
    assert list(row) == ["$4", "unknown-storefront", "$4", "4\u00a0€"]
    for wrong, code in ((small, "unreadable-file"), (b"not a pack", "not-a-pack")):
        with pytest.raises(pricetag_formatter.PriceError) as caught:
            pricetag_formatter.spark.register(spark, pack=wrong)
        assert caught.value.code == code


def test_streaming(spark, mode, table, expected, folder):
    if mode == "connect":
        pytest.skip("Spark does not give a streaming query the artifacts of its Connect session")
    from pricetag_formatter.spark import format_dataframe

    stream = spark.readStream.schema("id BIGINT, storefront STRING, amount STRING").parquet(table)
    priced = format_dataframe(stream, storefront="storefront", at=DATE)
    destination = str(folder / "stream")
    query = (
        priced.writeStream.format("parquet")
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start(destination)
    )
    query.awaitTermination()
    written = spark.read.parquet(destination).orderBy("id").collect()
    assert [(row["display"], row["error"]) for row in written] == expected


def test_example(spark, table, expected, folder):
    """Examples/Spark/prices.py."""
    specification = importlib.util.spec_from_file_location(
        "prices", ROOT / "Examples/Spark/prices.py"
    )
    example = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(example)
    prices, rejects = str(folder / "prices"), str(folder / "rejects")
    count, codes = example.run(spark, table, prices, rejects, at=DATE)
    bad = [(index, code) for index, (_, code) in enumerate(expected) if code is not None]
    assert count == len(expected) and sum(codes.values()) == len(bad)
    assert [(row["display"], row["error"]) for row in read(prices)] == expected
    assert [(row["id"], row["error"]) for row in read(rejects)] == bad


def test_workers_have_no_icu(spark, mode, prices, table, expected):
    """The workers write these prices without ICU, and the package comes from the archive."""
    from pyspark.sql.functions import arrow_udf

    def inspect(displays: pa.Array) -> pa.Array:
        import ctypes
        import os
        import sys

        import pyarrow

        try:
            loaded = str(ctypes.CDLL("libicuuc.so.72"))
        except OSError as error:
            loaded = str(error)
        maps = open("/proc/self/maps").read()
        package = os.path.relpath(sys.modules["pricetag_formatter"].__file__, os.getcwd())
        text = f"{'libicu' in maps}|{os.environ.get('ICU_DATA')}|{loaded}|{package}"
        return pyarrow.array([text] * len(displays))

    inspector = arrow_udf(inspect, "string")
    priced = spark.read.parquet(table).select(
        "id", prices.price_format("storefront", "amount").alias("display")
    )
    answers = priced.withColumn("worker", inspector("display")).orderBy("id").collect()
    assert [row["display"] for row in answers] == [display for display, _ in expected]
    for row in {row["worker"] for row in answers}:
        maps, data, loaded, package = row.split("|")
        assert package.endswith(os.path.join("pricetag", "pricetag_formatter", "__init__.py"))
        if mode == "cluster":
            assert (maps, data) == ("False", "/nonexistent") and "libicuuc.so.72: " in loaded


def test_guide(spark, mode):
    """The Python code of the part on Spark of docs/sql.md prints what the guide says."""
    if mode != "local":
        pytest.skip("the guide runs in the mode local")
    page = (ROOT / "docs/sql.md").read_text()
    guide = page.split("\n## Spark\n")[1].split("\n## ")[0]
    blocks = re.findall(
        r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", guide, re.MULTILINE | re.DOTALL
    )
    names = {}
    checked = 0
    for code, printed in blocks:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(code, names)
        if printed:
            assert output.getvalue().replace("\u00a0", " ").strip() == printed.strip(), code
            checked += 1
    assert checked >= 6
