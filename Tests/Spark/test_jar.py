"""The functions of Bindings/Spark, compared with those for Python in the same session. Runs with
--mode local, cluster and connect, and PRICETAG_SPARK_JAR.

Scripts/test/spark-tests also runs tests of test_session.py with these functions.
"""

import collections
import json
import re
import subprocess
import sys
from decimal import Decimal

import pytest

from conftest import COMMAND, DATE, JAR, ROOT

sys.path.insert(0, str(ROOT / "Tests/SQL"))
import missing_styles  # noqa: E402

VECTORS = ROOT / ".build/vectors"
TEXTS = ["0", "4.99", "4.999", "-1234567.89", "+7", "0.5", "12345678901.23", "-0.004", "1200.000"]
UNITS = [0, 1, 499, -123450, 2**53 + 1, 2**63 - 1, -(2**63), None]
DECIMALS = ["0", "4.99", "-1234567.89", "9" * 20, "0." + "0" * 17 + "1", "12345678901234567.5"]
# Bytes that are not names, amounts or UTF-8, and texts that are longer than the memory for them.
HOSTILE = [b"", b"\0", b"USA", b"USA\0", b"\xff\xfe", b"\xed\xa0\x80", b"\xf0\x9f", b"4\0", b"-"]
HOSTILE += [b"9" * 65, b"9" * 300, b"9" * 64 + b"x", b"U" * 255, b"U" * 256, b"U" * 5_000, None]
LOCALES = ["de-CH", "DE_ch", "ar-EG", "ff-Adlm-GN", "en-US-u-nu-latn", "xx-YY", "a", "x@y", None]
CURRENCIES = ["CHF", "jpy", "GNF", "XXY", "", "EUR\0", None]
DATES = [
    "2026-01-31",
    "2025-12-31",
    "2026-1-31",
    "2026-02-30",
    "0000-01-01",
    "+2026-1-01",
    "",
    None,
]


@pytest.fixture(scope="module", autouse=True)
def python_functions(spark, driver_package):
    from pricetag_formatter.spark import register

    register(spark, at=DATE, prefix="python_")


def crossed(spark, **columns):
    """All combinations of the values of columns, which have a type before them."""
    result = spark.range(1)
    for name, (kind, *values) in columns.items():
        rows = [(value,) for value in values]
        source = "binary" if isinstance(values[0], bytes) else "string"
        read = spark.createDataFrame(rows, f"{name} {source}").selectExpr(f"CAST({name} AS {kind})")
        result = result.crossJoin(read)
    return result


def compare(source, *calls):
    """Returns the answers of calls, each of which must be that of the function for Python."""
    pairs = [prefix + call for call in calls for prefix in ("", "python_")]
    rows = source.selectExpr(*(f"{call} AS c{index}" for index, call in enumerate(pairs))).collect()
    for row in rows:
        for index in range(0, len(pairs), 2):
            assert row[index] == row[index + 1], (pairs[index], row)
    return [answer for row in rows for answer in row[::2]]


def test_every_storefront(spark):
    from pricetag_formatter import Pack

    codes = ["STRING", *Pack.storefronts().storefront_codes, "us", "XXX", None]
    texts = crossed(spark, storefront=codes, amount=("STRING", *TEXTS))
    arguments = "(storefront, amount)"
    kinds = ("price_format", "price_error", "price_spoken", "price_result")
    answers = compare(texts, *(kind + arguments for kind in kinds))
    units = crossed(spark, storefront=codes, amount=("BIGINT", *map(str, UNITS[:-1]), None))
    kinds = ("price_format", "price_format_minor", "price_format_micros", "price_result")
    answers += compare(units, *(kind + arguments for kind in kinds))
    for kind in ("DECIMAL(38, 18)", "DECIMAL(18, 2)"):
        decimals = crossed(
            spark, storefront=codes, amount=(kind, *DECIMALS[: 3 if "(18" in kind else 6])
        )
        answers += compare(
            decimals, *(name + arguments for name in ("price_result", "price_spoken"))
        )
    assert len(answers) > 15_000 and sum(answer is not None for answer in answers) > 10_000


def test_hostile_texts(spark):
    everything = ("STRING", *HOSTILE)
    source = crossed(spark, name=everything, currency=everything, amount=everything)
    compare(
        source,
        "price_result(name, amount)",
        "price_result(name, amount, currency)",
        "price_result_locale(name, currency, amount)",
        "price_error('USA', amount, date => name)",
    )


def test_locales_currencies_and_dates(spark):
    locales, currencies = ("STRING", *LOCALES), ("STRING", *CURRENCIES)
    source = crossed(spark, locale=locales, currency=currencies, amount=("STRING", *TEXTS))
    arguments = "_locale(locale, currency, amount)"
    compare(
        source, *(f"price_{kind}{arguments}" for kind in ("format", "error", "spoken", "result"))
    )
    places = ("STRING", "BGR", "USA", "XXX", None)
    for kind, dates in (("STRING", DATES), ("DATE", [DATES[0], DATES[1], "9999-12-31", None])):
        source = crossed(
            spark, place=places, currency=("STRING", "BGN", "EUR", "XXY", None), day=(kind, *dates)
        )
        compare(
            source,
            "price_result(place, 4.5, currency, day)",
            "price_error(place, 4.5, date => day)",
        )


def test_no_python_and_generated_code(spark):
    (row,) = spark.sql(
        "EXPLAIN SELECT price_format_minor('USA', id), price_error('USA', id) FROM range(9)"
    ).collect()
    assert "*(1) Project [price_format_minor(USA, id" in row[0] and "Python" not in row[0]


# A setting, a call, and its answer.
ANSWERS = [
    ("", "('USA', 4.999, options => 'width=iso rounding=half-even')", "USD\u00a05.00"),
    ("at=2025-12-31", "('BGR', 4.5)", "BGN\u00a04.50"),
    ("options=unit=minor width=iso", "('USA', 499)", "USD\u00a04.99"),
    ("pack=jar.pack", "('USA', id, options => 'zeros=trim') FROM range(4, 5)", "$4"),
    ("pack=jar.pack", "('JPN', 4, options => 'zeros=trim')", None),
    ("pack=cldr-42", "('JPN', 4)", "￥4"),
]
# The same with an error of the query.
ERRORS = [
    ("pack=cldr-1", "('JPN', 4)", 'unknown pack "cldr-1"; use cldr-42'),
    ("pack=jar.pack", "('USA', 4)", "missing-style: the pack has no patterns of the style"),
    ("pack=/dev/zero", "('JPN', 4)", "is not a file of at most 16 MB; correct the path"),
    ("pack=/etc/passwd", "('JPN', 4)", "spark.pricetag.pack: not-a-pack"),
    ("at=2026-02-30", "('JPN', 4)", 'malformed-date: "2026-02-30"'),
    ("options=width=wide", "('JPN', 4)", 'invalid-option: "width=wide"'),
    ("options=" + "x" * 300, "('JPN', 4)", "more than 256 bytes"),
    ("", "('USA', 4.99e0)", r"has the type double, .*CAST\(amount AS DECIMAL"),
    ("", "('USA', true)", "type boolean; pass a decimal, text or integer column"),
    ("", "(1, 1)", "storefront: the column has the type int; pass a text column"),
    ("", "_minor('USA', '499')", "type string; pass integers"),
    ("", "('USA')", "there is no amount"),
    ("", "('USA', 1, storefront => 'USA')", "argument 3 is unknown, or passed twice"),
    ("", "('USA', id, options => CAST(id AS STRING)) FROM range(1)", "is not constant"),
]
for listed in missing_styles.CALLS:
    bare, words = missing_styles.without_options(listed)
    pairs = " ".join(f"{name}={value}" for name, value in words.items())
    ERRORS.append(
        ("", f"{bare[12:-1]}, options => '{pairs}')", "missing-style: .*spark.pricetag.pack")
    )


@pytest.fixture
def ask(spark, folder):
    """Returns a function that answers a call with a setting."""
    pack = folder / "jar.pack"
    options = ["--storefronts", "USA", "--zeros", "trim", "--at", DATE, "-o", pack]
    subprocess.run([COMMAND, "pack", *options], check=True, capture_output=True)

    def ask(setting, call):
        name, _, value = setting.replace("jar.pack", str(pack)).partition("=")
        if name:
            spark.conf.set(f"spark.pricetag.{name}", value)
        return spark.sql(f"SELECT price_format{call}").collect()[0][0]

    yield ask
    for name in ("pack", "options"):
        spark.conf.unset(f"spark.pricetag.{name}")
    spark.conf.set("spark.pricetag.at", DATE)


@pytest.mark.parametrize("setting, call, expected", ANSWERS)
def test_options_and_settings(ask, setting, call, expected):
    assert ask(setting, call) == expected


@pytest.mark.parametrize("setting, call, expected", ERRORS)
def test_errors(ask, setting, call, expected):
    with pytest.raises(Exception, match=expected):
        ask(setting, call)


def vectors():
    """The lines of Scripts/test/vectors with a text or a code, by pack, function and options."""
    table = json.loads((ROOT / "Bindings/tables.json").read_text())["options"]
    packs, styles, groups, arguments = {}, {}, collections.defaultdict(list), None
    escapes = {"t": "\t", "n": "\n", "r": "\r", "0": "\0"}
    for line in (VECTORS / "vectors.tsv").read_bytes().decode().split("\n")[:-1]:
        kind, *fields = (
            re.sub(r"\\(.)", lambda found: escapes.get(found[1], found[1]), field)
            for field in line.split("\t")
        )
        if kind == "p":
            packs[fields[0]] = fields[1]
        elif kind == "s":
            key = bytes.fromhex(fields[1])
            places = zip(
                ("width", "zeros", "sign", "digits", "", "", "grouping", "notation", "qualifier"),
                key,
            )
            words = [
                f"{name}={table[name]['values'][value]}"
                for name, value in places
                if value and name not in ("", "digits")
            ]
            low, high = key[4:6]
            words += [
                "",
                ["digits=cash"],
                [f"digits={low}"],
                [f"digits={low}-{high}"],
                ["digits=minor-units"],
            ][key[3]]
            words += [f"numbering={key[12:20].decode()}"] if key[12] else []
            words += [f"per={key[20:28].decode()}"] if key[20] else []
            styles[fields[0]] = " ".join(words).replace("\0", "")
        elif kind in "lf":
            place = (
                ("locale", *fields[2:4]) if kind == "l" else ("storefront", fields[2], fields[3])
            )
            arguments = (packs[fields[0]], styles[fields[1]], *place)
        elif kind in "tu" and (result := fields[2 + (kind == "u")])[0] in "=!":
            rounding = table["rounding"]["values"][int(fields[0])]
            pack, style, function, name, other = arguments
            amount = fields[1] if kind == "t" else None
            if kind == "t" or 0 <= int(fields[2]) <= 18:
                units = None if kind == "t" else Decimal(fields[1]).scaleb(-int(fields[2]))
                groups[pack, function, f"{style} rounding={rounding}".strip()].append(
                    (name, other, amount, units, result)
                )
    return groups


def test_vectors(spark, mode):
    if mode != "local" or not (VECTORS / "vectors.tsv").exists():
        pytest.skip("only in the mode local, after make test-vectors")
    schema = "name STRING, other STRING, amount STRING, units DECIMAL(38, 18), expected STRING"
    count = 0
    for (pack, function, options), rows in vectors().items():
        spark.conf.set("spark.pricetag.pack", str(VECTORS / pack))
        call = "price_result_locale(name, other, {}, options => '{}')"
        if function == "storefront":
            day = "CASE WHEN other = '0' THEN NULL ELSE to_date(other, 'yyyyMMdd') END"
            call = f"price_result(name, {{}}, date => {day}, options => '{{}}')"
        source = spark.createDataFrame(rows, schema)
        texts = [call.format(column, options) for column in ("amount", "units")]
        found = source.selectExpr(
            "*",
            f"coalesce({texts[0]}.display, {texts[1]}.display) AS display",
            f"coalesce({texts[0]}.error, {texts[1]}.error) AS error",
        )
        for row in found.collect():
            answer = f"!{row.error}" if row.error else f"={row.display}"
            assert answer == row.expected, (pack, function, options, row)
            count += 1
    spark.conf.unset("spark.pricetag.pack")
    assert count > 1000


PROGRAM = """
from pyspark.sql import SparkSession
spark = SparkSession.builder.master("local[1]").getOrCreate()
print(spark.sql("SELECT price_format('USA', 4)").collect()[0][0])
"""


def test_platforms(mode, folder):
    if mode != "local":
        pytest.skip("the library is loaded in the same way in all modes")
    for java, expected in (
        ("", "$4.00"),
        ("-Dos.arch=riscv64", "libpricetag_spark-Linux-riscv64.so; use Linux on x86-64"),
    ):
        temporary = folder / f"temporary{len(java)}"
        temporary.mkdir()
        settings = {
            "spark.jars": JAR,
            "spark.sql.extensions": "pricetag.spark.PriceExtensions",
            "spark.ui.enabled": "false",
        }
        settings["spark.driver.extraJavaOptions"] = f"-Djava.io.tmpdir={temporary} {java}"
        words = [
            word for name, value in settings.items() for word in ("--conf", f'"{name}={value}"')
        ]
        environment = {
            "PYSPARK_SUBMIT_ARGS": " ".join([*words, "pyspark-shell"]),
            "PATH": "/usr/bin:/bin",
        }
        result = subprocess.run(
            [sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment
        )
        assert expected in result.stdout + result.stderr
        assert not list(temporary.glob("pricetag-*"))


def test_no_clock(spark):
    """A storefront that has changed its currency needs a date, because no function reads the clock."""
    dated = "price_error('BGR', '1', date => '2026-06-01') AS date"
    query = f"SELECT price_error('BGR', '1') AS none, {dated}, price_error('USA', '1') AS usa"
    before = spark.conf.get("spark.pricetag.at", None)
    spark.conf.unset("spark.pricetag.at")
    try:
        assert spark.sql(query).first().asDict() == {"none": "missing-date", "date": None, "usa": None}
    finally:
        if before is not None:
            spark.conf.set("spark.pricetag.at", before)
