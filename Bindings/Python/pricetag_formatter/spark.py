"""Formats columns of prices in Apache Spark, with SQL functions and DataFrame functions.

    from pricetag_formatter.spark import register

    prices = register(spark)
    spark.sql("SELECT price_format('JPN', 1200)")                     # ￥1,200
    df.select(prices.price_format("storefront", "amount"))

The functions run in the Python workers of the executors, on Arrow arrays. They are deterministic:
the pack and the date are fixed when the functions are registered, and the workers verify that they
use the same pack as the driver.

PySpark and PyArrow are imported when a function needs them, not with this module.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import re
import tempfile
import zlib
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Tuple,
    Union,
)

from . import Pack, PriceError, __version__, format_arrays
from ._style import check_style

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame, SparkSession

    ColumnOrName = Union[Column, str]

__all__ = ["Functions", "format_dataframe", "register"]


class Functions(NamedTuple):
    """The DataFrame functions of one registration. They take names of columns or `Column` objects.

    prices = register(spark)
    df.withColumn("display", prices.price_format("storefront", "amount"))
    df.select(prices.price_result(F.lit("USA"), "amount").alias("price")).select("price.*")
    """

    price_format: Callable[..., Column]
    """`price_format(storefront, amount[, currency][, date])`: the formatted price, null for a bad
    row.
    """
    price_format_minor: Callable[..., Column]
    """`price_format_minor(storefront, units[, currency][, date])`: the same for integers of ISO
    4217 minor units.
    """
    price_format_micros: Callable[..., Column]
    """`price_format_micros(storefront, units[, currency][, date])`: the same for integers of
    millionths.
    """
    price_error: Callable[..., Column]
    """`price_error(storefront, amount[, currency][, date])`: the code of a bad row, null for all
    others.
    """
    price_spoken: Callable[..., Column]
    """`price_spoken(storefront, amount[, currency][, date])`: the price with the full name of the
    currency.
    """
    price_result: Callable[..., Column]
    """`price_result(storefront, amount[, currency][, date])`: a struct of `display` and `error`."""
    price_format_locale: Callable[..., Column]
    """`price_format_locale(locale, currency, amount)`: the formatted price of a price locale."""
    price_error_locale: Callable[..., Column]
    """`price_error_locale(locale, currency, amount)`: the code of a bad row."""
    price_spoken_locale: Callable[..., Column]
    """`price_spoken_locale(locale, currency, amount)`: the price with the full name of the
    currency.
    """
    price_result_locale: Callable[..., Column]
    """`price_result_locale(locale, currency, amount)`: a struct of `display` and `error`."""


def register(
    spark: SparkSession,
    *,
    pack: Union[str, os.PathLike[str], bytes, None] = None,
    at: Union[datetime.date, str, None] = None,
    unit: str = "major",
    rounding: str = "exact",
    prefix: str = "",
    **style: Optional[str],
) -> Functions:
    """Registers the SQL functions in a Spark session, and returns them as DataFrame functions.

        register(spark, at="2026-01-01")
        spark.sql("SELECT *, price_format(storefront, amount) AS display FROM prices")

        register(spark, unit="minor", width="iso", prefix="iso_")
        spark.sql("SELECT iso_price_format('USA', 499)")                # USD 4.99

    Works with Spark 4.1 or newer, also with Spark Connect. `format_dataframe` works with older
    versions too.

    Args:
        spark: the session.
        pack: the path, name or bytes of a pack, which travels with the job; by default, the packs of
            the package, which all executors must have.
        at: the date that decides the currency of storefronts. Without it, the price of a storefront
            that has changed its currency is the error "missing-date".
        unit: what amounts count: "major" for decimals and integers of the currency, "minor" for
            integers of ISO 4217 minor units, "micros" for integers of millionths. It does not
            change the functions that name a unit.
        rounding: the rounding mode; "exact" makes an amount with more decimals than are displayed
            an error.
        prefix: a prefix for the names of the SQL functions, so that a session can have several
            registrations.
        style: the style, such as `width="iso"`; options and values are those of the command.

    Returns:
        The functions. Their names in Python have no prefix.

    Raises:
        PriceError: an option has an invalid value, or the pack cannot be read.
        RuntimeError: Spark is older than 4.1.
        TypeError: an argument is unknown, or has a wrong type.
    """
    if not re.fullmatch(r"[A-Za-z0-9_]*", prefix):
        raise ValueError(
            f"prefix {prefix!r} is not part of an SQL name; use letters, digits and underscores"
        )
    if not _has_arrow_functions(spark):
        raise RuntimeError(
            f"SQL functions need Spark 4.1 or newer, and this is Spark {spark.version}; use"
            " format_dataframe instead"
        )
    check_style("register", style, ("pack", "at", "unit", "rounding", "prefix"))
    job = _job(spark, pack, at, unit, rounding, style)
    functions = Functions(*(_column_function(job, name) for name in Functions._fields))
    for name, function in zip(Functions._fields, functions):
        spark.udf.register(prefix + name, function)
    return functions


def format_dataframe(
    df: DataFrame,
    *,
    storefront: Optional[ColumnOrName] = None,
    locale: Optional[ColumnOrName] = None,
    currency: Optional[ColumnOrName] = None,
    amount: ColumnOrName = "amount",
    date: Optional[ColumnOrName] = None,
    display: str = "display",
    error: str = "error",
    spoken: Optional[str] = None,
    pack: Union[str, os.PathLike[str], bytes, None] = None,
    at: Union[datetime.date, str, None] = None,
    unit: str = "major",
    rounding: str = "exact",
    **style: Optional[str],
) -> DataFrame:
    """Returns a DataFrame with the formatted prices in further columns. All other columns stay as
    they are.

        priced = format_dataframe(df, storefront="storefront", amount="amount")
        priced.where("error IS NULL").write.parquet("prices")

        format_dataframe(df, locale=F.lit("de-CH"), currency="currency", amount="price")

    Works with Spark 3.3 or newer, and with Spark Connect 3.5 or newer. Where Spark has no Arrow
    functions (before 4.1), it uses `mapInArrow`, which sends all columns through the Python
    workers.

    Args:
        df: the DataFrame, also a streaming one.
        storefront: the column of storefronts; or instead of it, `locale` and `currency`.
        locale: the column of price locales.
        currency: the column of currencies; beside a storefront, it checks that the storefront
            charges the currency.
        amount: the column of amounts: decimal, text, or an integer type.
        date: the column of dates that decide the currency of storefronts; by default, `at`.
        display: the name of the new column of formatted prices, null for bad rows.
        error: the name of the new column of codes, null for all rows but bad ones.
        spoken: the name of a new column of spoken prices; by default, there is none.
        pack: as in `register`, like `at`, `unit`, `rounding` and `style`.

    Returns:
        The columns of `df`, then the new ones.

    Raises:
        TypeError: a column has a type that is not possible, such as an amount of type double, or an
            argument is unknown.
        PriceError: `df` has a column of that name, an option has an invalid value, or the pack
            cannot be read.
    """
    own = ("storefront", "locale", "currency", "amount", "date", "display", "error", "spoken")
    check_style("format_dataframe", style, (*own, "pack", "at", "unit", "rounding"))
    if (storefront is None) == (locale is None):
        raise TypeError(
            "format_dataframe needs either storefront, or locale and currency; name one of them"
        )
    if locale is not None and (currency is None or date is not None):
        raise TypeError(
            "a locale needs a currency, and has no date; pass the column of currencies, and no date"
        )
    outputs = [name for name in (display, error, spoken) if name is not None]
    existing = {name.lower() for name in df.columns}
    for index, name in enumerate(outputs):
        if name.lower() in existing or name.lower() in (other.lower() for other in outputs[:index]):
            raise PriceError(
                "field-exists",
                f"the DataFrame already has a column {name!r}",
                "name another one with display=, error= or spoken=, or drop the column",
            )

    arguments = {
        "amount": amount,
        "storefront": storefront,
        "locale": locale,
        "currency": currency,
        "date": date,
    }
    columns = {name: column for name, column in arguments.items() if column is not None}
    types = df.select(*columns.values()).schema
    for name, field in zip(columns, types.fields):
        _check_spark_type(name, field.dataType.simpleString())

    spark = df.sparkSession
    job = _job(spark, pack, at, unit, rounding, style)
    kinds = ("display", "error") if spoken is None else ("display", "error", "spoken")
    if _has_arrow_functions(spark):
        result = _arrow_function(_row_function(job, "price_result", kinds, tuple(columns)), kinds)(
            *columns.values()
        )
        return df.select(
            "*", *(result.getField(kind).alias(name) for kind, name in zip(kinds, outputs))
        )

    from pyspark.sql.functions import col
    from pyspark.sql.types import StringType, StructField, StructType

    width = len(df.columns)
    schema = StructType(df.schema.fields + [StructField(name, StringType()) for name in outputs])
    inputs = [
        (col(column) if isinstance(column, str) else column).alias(f"__pricetag_{name}")
        for name, column in columns.items()
    ]
    function = _batch_function(job, kinds, tuple(columns), width, outputs)
    return df.select("*", *inputs).mapInArrow(function, schema)


# ---- The driver

_MAXIMUM_INLINE_SIZE = 1 << 20
"""The size of the largest pack that is part of a function. Larger ones are files of the job."""

_KINDS = {
    "price_format": ("display",),
    "price_format_minor": ("display",),
    "price_format_micros": ("display",),
    "price_error": ("error",),
    "price_spoken": ("spoken",),
    "price_result": ("display", "error"),
    "price_format_locale": ("display",),
    "price_error_locale": ("error",),
    "price_spoken_locale": ("spoken",),
    "price_result_locale": ("display", "error"),
}
"""What the functions of a registration return."""

_directory: Optional[tempfile.TemporaryDirectory[str]] = None
"""The pack files of this driver, which executors may fetch until the process ends."""


def _has_arrow_functions(spark: SparkSession) -> bool:
    """Returns whether both PySpark and the Spark that it is connected to have `arrow_udf`."""
    import pyspark.sql.functions

    version = re.match(r"(\d+)\.(\d+)", spark.version)
    return (
        hasattr(pyspark.sql.functions, "arrow_udf")
        and version is not None
        and (int(version[1]), int(version[2])) >= (4, 1)
    )


def _job(
    spark: SparkSession,
    pack: Union[str, os.PathLike[str], bytes, None],
    at: Union[datetime.date, str, None],
    unit: str,
    rounding: str,
    style: Dict[str, Optional[str]],
) -> Dict[str, Any]:
    """Checks all options, and returns what the workers need, in types of the standard library."""
    import pyarrow as pa

    options: Dict[str, Any] = {"date": None if at is None else str(at), "unit": unit, "rounding": rounding, **style}
    job: Dict[str, Any] = {"version": __version__, "options": options}
    amounts, storefronts = pa.array([], pa.int64()), pa.array([], pa.string())
    if pack is None:
        packs = {"storefronts": Pack.storefronts(), "locales": Pack.locales()}
        job["checksums"] = {name: _checksum(embedded) for name, embedded in packs.items()}
        job["versions"] = {name: dict(embedded.versions) for name, embedded in packs.items()}
        format_arrays(amounts, storefront=storefronts, **options)
    else:
        data = bytes(Pack(pack))
        format_arrays(amounts, storefront=storefronts, pack=Pack(data), **options)
        digest = hashlib.sha256(data).hexdigest()
        job["digest"] = digest
        if len(data) <= _MAXIMUM_INLINE_SIZE:
            job["bytes"] = zlib.compress(data)
        else:
            job["file"] = _add_file(spark, f"pricetag-{digest}.pack", data)
    return job


def _add_file(spark: SparkSession, name: str, data: bytes) -> str:
    """Adds a file to the job, and returns the name under which the workers find it."""
    global _directory
    if _directory is None:
        _directory = tempfile.TemporaryDirectory(prefix="pricetag-")
    path = Path(_directory.name, name)
    if not path.exists():
        path.write_bytes(data)
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        spark.addArtifacts(str(path), file=True)
    else:
        spark.sparkContext.addFile(str(path))
    return name


def _checksum(pack: Pack) -> str:
    return pack.checksum


def _check_spark_type(name: str, type_name: str) -> None:
    """Raises a TypeError if an argument cannot have a type of Spark, such as "decimal(10,2)"."""
    kind = type_name.partition("(")[0].partition(" ")[0]
    text = ("string", "char", "varchar", "void")
    if name == "amount":
        if kind in ("float", "double"):
            raise TypeError(_floating_point(kind))
        allowed: Tuple[str, ...] = text + ("decimal", "tinyint", "smallint", "int", "bigint")
        fix = "pass a decimal, text or integer column"
    elif name == "date":
        allowed, fix = text + ("date",), "pass a column of dates or text"
    else:
        allowed, fix = text, "pass a text column"
    if kind not in allowed:
        raise TypeError(f"{name}: the column has the type {type_name}; {fix}")


def _floating_point(kind: str) -> str:
    return (
        f"amount: the column has the type {kind}, which cannot hold most prices exactly; store"
        " amounts as decimals, text or integers, or pass CAST(amount AS DECIMAL(18, 2)), which"
        " rounds to two decimals"
    )


def _column_function(job: Dict[str, Any], name: str) -> Callable[..., Column]:
    kinds = _KINDS[name]
    if name.endswith("_locale"):
        names: Tuple[str, ...] = ("locale", "currency", "amount")
    else:
        names = ("storefront", "amount", "currency", "date")
    unit = name.rpartition("_")[2]
    if unit in ("minor", "micros"):
        job = {**job, "options": {**job["options"], "unit": unit}}
    return _arrow_function(_row_function(job, name, kinds, names), kinds)


def _arrow_function(function: Callable[..., Any], kinds: Tuple[str, ...]) -> Callable[..., Column]:
    import pyspark.sql.functions

    if len(kinds) == 1:
        returned = "string"
    else:
        returned = f"struct<{', '.join(f'{kind}: string' for kind in kinds)}>"
    # Older versions of PySpark do not have it.
    arrow_udf: Callable[..., Callable[..., Column]] = getattr(pyspark.sql.functions, "arrow_udf")
    return arrow_udf(function, returned)


def _row_function(
    job: Dict[str, Any], name: str, kinds: Tuple[str, ...], names: Tuple[str, ...]
) -> Callable[..., Any]:
    """Returns the function that a worker calls with arrays. Its code travels with the job."""
    import pyarrow as pa

    load = _loader(job["version"])

    def of_locale(locale, currency, amount):  # type: ignore[no-untyped-def]
        columns = {"locale": locale, "currency": currency, "amount": amount}
        return load().answer(job, kinds, columns)

    # Not None, because type hints would then have to allow None, which PySpark rejects.
    def of_storefront(storefront, amount, currency=..., date=...):  # type: ignore[no-untyped-def]
        columns = {"storefront": storefront, "amount": amount}
        if currency is not ...:
            columns["currency"] = currency
        if date is not ...:
            columns["date"] = date
        return load().answer(job, kinds, columns)

    def of_columns(*arrays):  # type: ignore[no-untyped-def]
        return load().answer(job, kinds, dict(zip(names, arrays)))

    functions: Dict[str, Callable[..., Any]] = {"locale": of_locale, "storefront": of_storefront}
    function = functions.get(names[0], of_columns)
    # PySpark selects the kind of a function by its type hints.
    parameters = function.__code__.co_varnames[: function.__code__.co_argcount] or ("arrays",)
    function.__annotations__ = {parameter: pa.Array for parameter in (*parameters, "return")}
    function.__name__ = function.__qualname__ = name
    return function


def _batch_function(
    job: Dict[str, Any],
    kinds: Tuple[str, ...],
    names: Tuple[str, ...],
    width: int,
    outputs: List[str],
) -> Callable[[Iterator[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]:
    """Returns the function for `mapInArrow`. Its batches have `width` columns to keep, then the
    arguments. Its code travels with the job.
    """
    load = _loader(job["version"])

    def function(batches):  # type: ignore[no-untyped-def]
        import pyarrow as pa

        for batch in batches:
            arrays = batch.columns
            new = load().columns(job, kinds, dict(zip(names, arrays[width:])))
            yield pa.RecordBatch.from_arrays(
                arrays[:width] + new, names=batch.schema.names[:width] + outputs
            )

    return function


def _loader(version: str) -> Callable[[], Any]:
    """Returns a function that finds this module in a Python worker.

    It is pickled by value, because a worker that lacks the package can then say so. It therefore
    refers to no other name of this module.
    """

    def load():  # type: ignore[no-untyped-def]
        import sys

        module = sys.modules.get("pricetag_formatter.spark")
        if module is None:
            import importlib
            import os

            from pyspark import SparkFiles

            # An archive of the job is unpacked into a folder of the job's files.
            root = os.path.abspath(SparkFiles.getRootDirectory())
            for name in sorted(os.listdir(root)) if os.path.isdir(root) else []:
                folder = os.path.join(root, name)
                if os.path.isfile(os.path.join(folder, "pricetag_formatter", "__init__.py")):
                    sys.path.insert(0, folder)
                    break
            try:
                module = importlib.import_module("pricetag_formatter.spark")
            except ModuleNotFoundError as error:
                if error.name is None or error.name.partition(".")[0] != "pricetag_formatter":
                    raise
                raise ModuleNotFoundError(
                    f"the Python worker {sys.executable} does not have the package"
                    " pricetag_formatter; install the wheel on every node, or add it to the job"
                    " with spark.archives"
                ) from None
        found = sys.modules["pricetag_formatter"].__version__
        if found != version:
            raise RuntimeError(
                f"the driver has pricetag_formatter {version}, and the Python worker"
                f" {sys.executable} has {found}; install the same wheel on both, or add the"
                " driver's to the job with spark.archives"
            )
        return module.Worker

    return load


# ---- The Python workers

_packs: Dict[str, Pack] = {}
"""The packs that this process has opened, by checksum."""

_MAXIMUM_PACK_COUNT = 8


class Worker:
    """The part of a job that runs in a Python worker. Only functions of this module use it."""

    @staticmethod
    def answer(
        job: Dict[str, Any], kinds: Tuple[str, ...], arguments: Dict[str, pyarrow.Array]
    ) -> pyarrow.Array:
        """Returns an array of text for one kind, and an array of structs for several."""
        import pyarrow as pa

        columns = Worker.columns(job, kinds, arguments)
        if len(columns) == 1:
            return columns[0]
        return pa.StructArray.from_arrays(columns, names=list(kinds))

    @staticmethod
    def columns(
        job: Dict[str, Any], kinds: Tuple[str, ...], arguments: Dict[str, pyarrow.Array]
    ) -> List[pyarrow.Array]:
        """Returns one array of text for each kind."""
        import pyarrow as pa

        values = dict(arguments)
        currency = values.get("currency")
        if currency is not None and "date" not in values and pa.types.is_date(currency.type):
            values["date"] = values.pop("currency")
        amount = values.pop("amount")
        if pa.types.is_floating(amount.type):
            raise TypeError(_floating_point(str(amount.type)))
        if pa.types.is_null(amount.type):
            # The literal NULL has no unit.
            amount = pa.nulls(len(amount), pa.int64())
        dates = values.get("date")
        if dates is not None and pa.types.is_null(dates.type):
            del values["date"]
        elif dates is not None and dates.null_count > 0:
            values["date"] = dates.fill_null(
                pa.scalar(job["options"]["date"], pa.string()).cast(dates.type)
            )
        options = {**job["options"], **values}
        if "locale" in values:
            del options["date"]
        pack = Worker._pack(job, "locales" if "locale" in values else "storefronts")
        batch = pa.record_batch(format_arrays(amount, pack=pack, output=kinds, **options))
        return [
            array.dictionary_decode() if pa.types.is_dictionary(array.type) else array
            for array in (batch.column(kind) for kind in kinds)
        ]

    @staticmethod
    def _pack(job: Dict[str, Any], name: str) -> Pack:
        key = job["digest"] if "digest" in job else f"{name} {job['checksums'][name]}"
        pack = _packs.get(key)
        if pack is None:
            pack = Worker._open(job, name)
            while len(_packs) >= _MAXIMUM_PACK_COUNT:
                del _packs[next(iter(_packs))]
            _packs[key] = pack
        return pack

    @staticmethod
    def _open(job: Dict[str, Any], name: str) -> Pack:
        """Opens the pack of a job, and verifies that it is the driver's."""
        if "digest" not in job:
            pack = Pack.storefronts() if name == "storefronts" else Pack.locales()
            if _checksum(pack) != job["checksums"][name]:
                raise RuntimeError(
                    f"the driver and this Python worker have pricetag_formatter {__version__} with"
                    f" different packs of {name}: {job['versions'][name]} and"
                    f" {dict(pack.versions)}; install the same wheel on both, or add the driver's"
                    " to the job with spark.archives"
                )
            return pack
        if "bytes" in job:
            data = zlib.decompress(job["bytes"])
        else:
            from pyspark import SparkFiles

            path = Path(SparkFiles.get(job["file"]))
            if not path.exists():
                raise RuntimeError(
                    f"the file {path.name} of the job has not reached this Python worker; in a"
                    " streaming query of Spark Connect, pass a pack of at most 1 MB"
                )
            data = path.read_bytes()
        if hashlib.sha256(data).hexdigest() != job["digest"]:
            raise RuntimeError(
                "the pack in this Python worker differs from the driver's; start the job again"
            )
        return Pack(data)
