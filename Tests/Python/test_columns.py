"""Columns through the Arrow PyCapsule interface: types, chunks, libraries, errors, streams."""

import ctypes
import datetime
import decimal
import gc
import subprocess
import threading

import pytest

pa = pytest.importorskip("pyarrow")
import pricetag_formatter as pt  # noqa: E402

STORES = ["USA", "JPN", None, "DEU", "XXX", "EGY"]
AMOUNTS = ["4.99", "1200", "1", None, "1", "-249.5"]
DISPLAYS = [
    pt.format("4.99", storefront="USA"),
    pt.format("1200", storefront="JPN"),
    None,
    None,
    None,
    pt.format("-249.5", storefront="EGY"),
]
ERRORS = [None, None, "missing-storefront", None, "unknown-storefront", None]
EXPECTED = {"display": DISPLAYS, "error": ERRORS}

TEXT_TYPES = [pa.string(), pa.large_string(), pa.string_view()]
INDEX_TYPES = [
    pa.int8(),
    pa.uint8(),
    pa.int16(),
    pa.uint16(),
    pa.int32(),
    pa.uint32(),
    pa.int64(),
    pa.uint64(),
]


def values(result):
    table = pa.table(result)
    table.validate(full=True)
    return table.to_pydict()


def dictionary(texts, type, index_type):
    known = [text for text in dict.fromkeys(texts) if text is not None]
    indices = [None if text is None else known.index(text) for text in texts]
    return pa.DictionaryArray.from_arrays(pa.array(indices, index_type), pa.array(known, type))


# ---- Types


@pytest.mark.parametrize("type", TEXT_TYPES, ids=str)
@pytest.mark.parametrize("amount_type", TEXT_TYPES, ids=str)
def test_text(type, amount_type):
    result = pt.format_arrays(pa.array(AMOUNTS, amount_type), storefront=pa.array(STORES, type))
    assert values(result) == EXPECTED


@pytest.mark.parametrize("type", TEXT_TYPES, ids=str)
@pytest.mark.parametrize("index_type", INDEX_TYPES, ids=str)
def test_dictionaries(type, index_type):
    if type == pa.string_view():
        pytest.importorskip("pyarrow", "19")
    stores, amounts = (dictionary(texts, type, index_type) for texts in (STORES, AMOUNTS))
    assert values(pt.format_arrays(amounts, storefront=stores)) == EXPECTED
    assert values(pt.format_arrays(pa.array(AMOUNTS), storefront=stores)) == EXPECTED
    sliced = pt.format_arrays(amounts.slice(2, 3), storefront=stores.slice(2, 3))
    assert values(sliced) == {name: column[2:5] for name, column in EXPECTED.items()}


def test_slices_of_values_of_a_dictionary():
    known = pa.array(["before", "USA", None, "JPN", "after"]).slice(1, 3)
    stores = pa.DictionaryArray.from_arrays(pa.array([2, 0, 1, None, 0]), known)
    result = values(pt.format_arrays(pa.array(["1", "1", "1", "1", None]), storefront=stores))
    assert result["display"] == ["￥1", "$1.00", None, None, None]
    assert result["error"] == [None, None, "missing-storefront", "missing-storefront", None]


@pytest.mark.parametrize("length", [0, 1, 7, 8, 9, 63, 64, 65, 1000])
@pytest.mark.parametrize("start", [0, 1, 8, 13])
def test_slices(length, start):
    count = length + start + 5
    stores = pa.array([STORES[row % 6] for row in range(count)]).slice(start, length)
    amounts = pa.array([AMOUNTS[row % 6] for row in range(count)]).slice(start, length)
    rows = range(start, start + length)
    expected = {name: [column[row % 6] for row in rows] for name, column in EXPECTED.items()}
    assert values(pt.format_arrays(amounts, storefront=stores)) == expected
    assert values(pt.format_arrays(amounts, storefront=stores.dictionary_encode())) == expected


@pytest.mark.parametrize(
    "type",
    [
        pa.int8(),
        pa.uint8(),
        pa.int16(),
        pa.uint16(),
        pa.int32(),
        pa.uint32(),
        pa.int64(),
        pa.uint64(),
    ],
    ids=str,
)
def test_integers(type):
    amounts = pa.array([99, None, 5], type)
    for unit, displays in {
        "major": ["$99.00", None, "$5.00"],
        "minor": ["$0.99", None, "$0.05"],
    }.items():
        assert values(pt.format_arrays(amounts, storefront="USA", unit=unit))["display"] == displays
    micros = values(pt.format_arrays(amounts, storefront="USA", unit="micros", rounding="up"))
    assert micros["display"] == ["$0.01", None, "$0.01"]


@pytest.mark.parametrize(
    "type",
    [
        pa.decimal32(7, 2),
        pa.decimal64(18, 4),
        pa.decimal128(38, 18),
        pa.decimal128(38, 30),
        pa.decimal256(76, 2),
        pa.decimal256(76, 60),
    ],
    ids=str,
)
def test_decimals(type):
    amounts = [decimal.Decimal(text) for text in ("4.99", "-1234.50", "0", "1.50")] + [None]
    result = values(pt.format_arrays(pa.array(amounts, type), storefront="USA"))
    assert result["display"] == ["$4.99", "-$1,234.50", "$0.00", "$1.50", None]
    assert result["error"] == [None] * 5


def test_decimals_without_cents():
    amounts = pa.array([decimal.Decimal("12000"), decimal.Decimal("-5000")], pa.decimal128(20, -3))
    assert values(pt.format_arrays(amounts, storefront="JPN"))["display"] == [
        "￥12,000",
        "-￥5,000",
    ]


def test_range_of_decimals():
    texts = ["9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e20"]
    amounts = pa.array([decimal.Decimal(text) for text in texts], pa.decimal128(38, 2))
    result = values(pt.format_arrays(amounts, storefront="JPN"))
    assert result["error"] == [None, "amount-out-of-range", None, "amount-out-of-range"]
    assert result["display"][0] == pt.format(texts[0], storefront="JPN")


def test_dates():
    stores = pa.array(["BGR", "BGR", "BGR"])
    days = [datetime.date(2025, 12, 31), datetime.date(2026, 1, 1), None]
    leva, euros = (pt.format("1", storefront="BGR", date=day) for day in days[:2])
    amounts = pa.array(["1", "1", "1"])
    texts = pa.array([day and day.isoformat() for day in days])
    for dates in (
        pa.array(days, pa.date32()),
        pa.array(days, pa.date64()),
        texts,
        texts.dictionary_encode(),
        pa.array(days, pa.date32()).dictionary_encode(),
    ):
        # No function reads a clock.
        result = values(pt.format_arrays(amounts, storefront=stores, date=dates))
        assert result["display"] == [leva, euros, None]
        assert result["error"] == [None, None, "missing-date"]
    for day, display in zip(days, [leva, euros, None]):
        constant = pt.format_arrays(amounts, storefront=stores, date=day)
        assert values(constant)["display"] == [display] * 3
    assert (
        values(pt.format_arrays(amounts, storefront=stores, date="2025-12-31"))["display"]
        == [leva] * 3
    )
    wrong = pa.array(["2026-02-30", "2026-1-1", ""])
    assert (
        values(pt.format_arrays(amounts, storefront=stores, date=wrong))["error"]
        == ["malformed-date"] * 3
    )


def test_locales_and_currencies():
    amounts = pa.array(["1234.5", "1234.5", "1"])
    locales, currencies = pa.array(["de-DE", "de-CH", None]), pa.array(["EUR", "CHF", "EUR"])
    result = values(pt.format_arrays(amounts, locale=locales, currency=currencies))
    assert result["display"][:2] == [
        pt.format("1234.5", locale="de-DE", currency="EUR"),
        pt.format("1234.5", locale="de-CH", currency="CHF"),
    ]
    assert result["error"] == [None, None, "missing-storefront"]
    constant = values(pt.format_arrays(amounts, locale="de-DE", currency=currencies))
    assert constant["display"][1] == pt.format("1234.5", locale="de-DE", currency="CHF")
    assert (
        values(pt.format_arrays("5", locale=locales, currency="EUR"))["error"][2]
        == "missing-storefront"
    )


def test_currencies_beside_storefronts():
    currencies = pa.array(["USD", "EUR", None, "usd", "QQQ"])
    result = values(pt.format_arrays(pa.array([1] * 5), storefront="USA", currency=currencies))
    assert result["display"] == ["$1.00", None, "$1.00", "$1.00", None]
    assert result["error"] == [None, "currency-mismatch", None, None, "unknown-currency"]


def test_null_type():
    nulls = pa.nulls(2)
    assert values(pt.format_arrays(nulls, storefront="USA")) == {
        "display": [None] * 2,
        "error": [None] * 2,
    }
    result = values(pt.format_arrays(pa.array(["1", None]), storefront=nulls))
    assert result["error"] == ["missing-storefront", None]


def test_outputs():
    names = ("parts", "direction", "spoken", "error", "display")
    result = values(pt.format_arrays(pa.array(AMOUNTS), storefront=pa.array(STORES), output=names))
    assert list(result) == list(names)
    assert {name: result[name] for name in EXPECTED} == EXPECTED
    formatter = pt.Formatter(storefront="EGY")
    assert result["spoken"][5] == formatter.spoken("-249.5")
    assert result["direction"][5] == formatter.direction("-249.5") == "rtl"
    assert [(part["type"], part["value"]) for part in result["parts"][5]] == [
        tuple(part) for part in formatter.parts("-249.5")
    ]
    for name in names[:3]:
        assert result[name][2:5] == [None] * 3
    only = pt.format_arrays(pa.array(AMOUNTS), storefront=pa.array(STORES), output="error")
    assert values(only) == {"error": ERRORS}


@pytest.mark.parametrize(
    "output",
    [["display"], ["spoken", "error"], ["display", "error", "spoken", "direction", "parts"]],
)
def test_string_views(output):
    many = 3000
    stores, amounts = pa.array(STORES * many), pa.array(AMOUNTS * many)
    views = pt.format_arrays(amounts, storefront=stores, output=output, string_view=True)
    texts = pt.format_arrays(amounts, storefront=stores, output=output)
    schema = pa.schema(views)
    for name in {"display", "spoken"} & set(output):
        assert schema.field(name).type == pa.string_view()
        assert pa.schema(texts).field(name).type == pa.string()
    assert values(views) == values(texts)


def test_styles_and_rounding():
    amounts = pa.array(["4.999", "1"])
    result = values(pt.format_arrays(amounts, storefront="USA", width="name", rounding="half-even"))
    assert result["display"] == [
        pt.format(text, storefront="USA", width="name", rounding="half-even")
        for text in ("4.999", "1")
    ]
    assert values(pt.format_arrays(amounts, storefront="USA"))["error"] == ["needs-rounding", None]


def test_pack():
    pack = pt.Pack.locales()
    result = pt.format_arrays(pa.array(["1"]), locale="de-DE", currency="EUR", pack=pack)
    assert values(result)["display"] == [pt.format("1", locale="de-DE", currency="EUR")]


# ---- Chunks


def test_chunks_are_aligned():
    stores = pa.chunked_array([STORES[:1], [], STORES[1:5], STORES[5:]], pa.string())
    amounts = pa.chunked_array([AMOUNTS[:3], AMOUNTS[3:], []], pa.string())
    result = pt.format_arrays(amounts, storefront=stores)
    assert [len(chunk) for chunk in result.chunks] == [1, 2, 2, 1]
    assert len(result) == 6
    assert values(result) == EXPECTED
    # The result can be read again.
    assert values(result) == EXPECTED
    assert values(pt.format_arrays(pa.array(AMOUNTS), storefront=stores)) == EXPECTED


def test_one_chunk_is_an_array():
    result = pt.format_arrays(pa.chunked_array([AMOUNTS]), storefront=pa.chunked_array([STORES]))
    assert pa.record_batch(result).to_pydict() == EXPECTED
    assert len(result) == 6


def test_no_rows():
    empty = pa.array([], pa.string())
    for amounts in (
        empty,
        pa.chunked_array([], pa.string()),
        pa.chunked_array([[], []], pa.string()),
    ):
        result = pt.format_arrays(
            amounts, storefront=pa.chunked_array([], pa.string()), output=["display", "parts"]
        )
        assert values(result) == {"display": [], "parts": []}
        assert pa.record_batch(result).num_rows == 0


def test_different_lengths():
    with pytest.raises(pt.PriceError, match="amount has 6 rows, storefront has 2 rows"):
        pt.format_arrays(pa.array(AMOUNTS), storefront=pa.chunked_array([STORES[:1], STORES[1:2]]))
    with pytest.raises(pt.PriceError, match="amount has 6 rows, storefront has 1 row;"):
        pt.format_arrays(pa.array(AMOUNTS), storefront=pa.array(STORES[:1]))


# ---- Constants


@pytest.mark.parametrize(
    "amount",
    [
        5,
        -(2**63),
        decimal.Decimal("1E+3"),
        decimal.Decimal("-0.00"),
        decimal.Decimal("0E+999999999"),
        decimal.Decimal("0E-999999999"),
        decimal.Decimal("1.5" + "0" * 300),
        decimal.Decimal("1200"),
    ],
)
def test_constant_amounts(amount):
    result = pt.format_arrays(amount, storefront=pa.array(["USA"]))
    assert values(result)["display"] == [pt.format(amount, storefront="USA")]


@pytest.mark.parametrize(
    "amount",
    [
        2**64,
        10**5000,
        decimal.Decimal("1E+999999999"),
        decimal.Decimal("-1E+999999999999999"),
        decimal.Decimal("1E-999999999"),
        decimal.Decimal("1." + "1" * 300),
        decimal.Decimal("NaN"),
        decimal.Decimal("-Infinity"),
    ],
    ids=lambda amount: str(amount)[:24] if isinstance(amount, decimal.Decimal) else "integer",
)
def test_constant_amounts_out_of_range(amount):
    with pytest.raises(pt.PriceError) as expected:
        pt.format(amount, storefront="USA")
    with pytest.raises(pt.PriceError) as caught:
        pt.format_arrays(amount, storefront=pa.array(["USA"]))
    assert caught.value.code == expected.value.code
    assert len(str(caught.value)) < 300


def test_text_that_is_not_unicode():
    with pytest.raises(pt.PriceError) as caught:
        pt.format_arrays(pa.array(["1"]), storefront="\ud800")
    assert caught.value.code == "unknown-storefront"
    with pytest.raises(pt.PriceError, match="too long"):
        pt.format_arrays(pa.array(["1"]), storefront="\ud800" * 300)


# ---- Results


def test_results_outlive_arguments_and_can_be_exported_again():
    result = pt.format_arrays(pa.array(AMOUNTS), storefront=pa.array(STORES))
    first = pa.record_batch(result)
    second = pa.record_batch(result)
    display = first.column("display")
    # Both have the same memory.
    assert display.buffers()[2].address == second.column("display").buffers()[2].address
    del result, first, second
    gc.collect()
    assert display.to_pylist() == DISPLAYS
    schema = pa.schema(pt.format_arrays(pa.array(["1"]), storefront="USA"))
    assert schema.field("error").type == pa.dictionary(pa.int8(), pa.string())


def test_results_are_valid_for_nanoarrow():
    nanoarrow = pytest.importorskip("nanoarrow")
    stores, amounts = pa.array(STORES * 50), pa.array(AMOUNTS * 50)
    for output in ("display", "error", "spoken", "direction", "parts"):
        result = pt.format_arrays(amounts, storefront=stores, output=output)
        assert nanoarrow.Array(result).to_pylist() == pa.record_batch(result).to_pylist()
        assert sum(1 for _ in nanoarrow.ArrayStream(result).iter_py()) == 300
        # Of a column without children, nanoarrow validates every offset.
        if output in ("display", "spoken"):
            column = nanoarrow.c_array(result).child(0)
            view = column.view()
            buffers = [view.buffer(index) for index in range(view.n_buffers)]
            nanoarrow.c_array_from_buffers(
                column.schema, column.length, buffers, column.null_count, validation_level="full"
            )
        # nanoarrow 0.9 cannot iterate over utf8_view.
        views = pt.format_arrays(amounts, storefront=stores, output=output, string_view=True)
        assert nanoarrow.c_array(views).view().length == 300


def test_types_cannot_be_made():
    with pytest.raises(TypeError):
        type(pt.format_arrays(pa.array([1]), storefront="USA"))()


# ---- Other libraries


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"store": STORES, "amount": AMOUNTS})
    for store in (
        frame["store"],
        frame["store"].cast(polars.Categorical),
        frame["store"].cast(polars.Enum(["XXX", "EGY", "DEU", "JPN", "USA"])),
    ):
        result = pt.format_arrays(frame["amount"], storefront=store, string_view=True)
        assert polars.DataFrame(result).to_dict(as_series=False) == EXPECTED
        frame = frame.with_columns(store.alias("store"))
        assert polars.DataFrame(pt.format_column(frame)).to_dict(as_series=False) == EXPECTED
    exact = polars.Series([decimal.Decimal("4.99"), None], dtype=polars.Decimal(20, 2))
    assert polars.DataFrame(pt.format_arrays(exact, storefront="USA"))["display"].to_list() == [
        "$4.99",
        None,
    ]
    parts = pt.format_arrays(
        frame["amount"], storefront=frame["store"], output=["parts", "direction", "spoken"]
    )
    assert polars.from_arrow(parts).struct.field("parts").len() == 6


def test_pandas():
    pandas = pytest.importorskip("pandas", "2.2")
    frame = pandas.DataFrame(
        {"store": pandas.array(STORES, "str"), "amount": AMOUNTS, "cents": [1, 2, 3, 4, 5, 6]}
    )
    assert values(pt.format_column(frame)) == EXPECTED
    if hasattr(pandas.DataFrame, "from_arrow"):
        prices = pandas.DataFrame.from_arrow(pt.format_column(frame))
        assert prices["display"].dropna().tolist() == [text for text in EXPECTED["display"] if text]
    assert values(pt.format_arrays(frame["amount"], storefront=frame["store"])) == EXPECTED
    categories = frame["store"].astype("category")
    assert values(pt.format_arrays(frame["amount"], storefront=categories)) == EXPECTED
    cents = values(pt.format_arrays(frame["cents"], storefront=frame["store"], unit="minor"))
    assert cents["display"][:2] == ["$0.01", "￥2"]
    with pytest.raises(TypeError, match="binary floating point"):
        pt.format_arrays(pandas.Series([0.1]), storefront="USA")


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    con = duckdb.connect()
    con.execute("create table prices (store varchar, amount decimal(18, 4))")
    for store, amount in zip(STORES, AMOUNTS):
        con.execute("insert into prices values (?, ?)", [store, amount])

    def reader(query):
        relation = con.sql(query)
        return relation if hasattr(relation, "__arrow_c_stream__") else relation.arrow()

    assert values(pt.format_column(reader("select store, amount from prices"))) == EXPECTED
    # DuckDB's enums are dictionaries with indices of 8 bits.
    query = "select 'USA'::enum('JPN', 'USA') as store, 499::bigint as amount from range(5000)"
    result = values(pt.format_column(reader(query), unit="minor"))
    assert result == {"display": ["$4.99"] * 5000, "error": [None] * 5000}
    prices = pa.table(pt.format_arrays(pa.array(AMOUNTS), storefront=pa.array(STORES)))
    con.register("columns", prices)
    rows = con.sql("select count(display), count(error), count(*) from columns").fetchall()
    assert rows == [(3, 2, 6)]


# ---- Tables


def table():
    return pa.table({"store": STORES, "amount": AMOUNTS, "other": [1.5] * 6})


def test_tables():
    prices = pt.format_column(table())
    assert values(prices) == EXPECTED
    # A table can be read again.
    assert values(prices) == EXPECTED
    assert pa.schema(prices).names == ["display", "error"]
    batch = table().to_batches()[0]
    assert values(pt.format_column(batch)) == EXPECTED
    assert values(pt.format_column(batch.slice(1, 4)))["display"] == DISPLAYS[1:5]
    renamed = table().rename_columns(["s", "a", "store"])
    assert values(pt.format_column(renamed, storefront="s", amount="a")) == EXPECTED
    dated = table().append_column("day", pa.array([datetime.date(2026, 1, 31)] * 6))
    assert values(pt.format_column(dated, date="day")) == EXPECTED
    assert values(pt.format_column(dated, date=datetime.date(2026, 1, 31), output="display")) == {
        "display": DISPLAYS
    }


def test_tables_of_locales():
    rows = pa.table({"amount": ["1"], "locale": ["de-DE"], "currency": ["EUR"]})
    prices = pt.format_column(rows, locale="locale", currency="currency")
    assert values(prices)["display"] == [pt.format("1", locale="de-DE", currency="EUR")]


def test_null_rows_of_a_struct():
    rows = pa.StructArray.from_arrays(
        [pa.array(["USA", "USA"]), pa.array(["1", "2"])],
        names=["store", "amount"],
        mask=pa.array([False, True]),
    )
    assert values(pt.format_column(rows)) == {"display": ["$1.00", None], "error": [None, None]}


def test_missing_columns():
    with pytest.raises(
        pt.PriceError, match="no column 'price'; name one of store, amount, other"
    ) as error:
        pt.format_column(table(), amount="price")
    assert error.value.code == "unknown-column"
    double = pa.table([["USA"], ["JPN"], ["1"]], names=["store", "store", "amount"])
    with pytest.raises(pt.PriceError, match="2 columns 'store'; rename"):
        pt.format_column(double)
    with pytest.raises(TypeError, match="float64"):
        pt.format_column(table(), amount="other")
    with pytest.raises(TypeError, match="dict is not an Arrow table"):
        pt.format_column({"store": []})
    with pytest.raises(TypeError, match="not a table"):
        pt.format_column(pa.chunked_array([["x"]]))


def source_of(produced, count, failing=None):
    schema = pa.schema({"store": pa.string(), "amount": pa.int64()})

    def batches():
        for number in range(count):
            if number == failing:
                raise RuntimeError("the disk failed")
            produced.append(number)
            yield pa.record_batch([["USA"], [number]], schema=schema)

    return pa.RecordBatchReader.from_batches(schema, batches())


def test_streams_are_read_lazily():
    produced = []
    reader = pa.RecordBatchReader.from_stream(
        pt.format_column(source_of(produced, 1000), unit="minor")
    )
    assert produced == []
    assert reader.read_next_batch()["display"].to_pylist() == ["$0.00"]
    assert reader.read_next_batch()["display"].to_pylist() == ["$0.01"]
    assert produced == [0, 1]
    before = pa.total_allocated_bytes()
    del reader
    gc.collect()
    assert produced == [0, 1]
    assert pa.total_allocated_bytes() <= before
    complete = pa.RecordBatchReader.from_stream(pt.format_column(source_of([], 1000), unit="minor"))
    assert complete.read_all().num_rows == 1000


def test_errors_of_a_source_are_passed_on():
    reader = pa.RecordBatchReader.from_stream(pt.format_column(source_of([], 10, failing=1)))
    assert reader.read_next_batch().num_rows == 1
    for _ in range(2):
        with pytest.raises(Exception, match="the disk failed"):
            reader.read_next_batch()


def test_a_stream_is_read_once():
    prices = pt.format_column(source_of([], 3))
    assert pa.table(prices).num_rows == 3
    with pytest.raises(Exception):
        assert pa.table(prices).num_rows == 3


def test_memory_of_arguments_is_released():
    gc.collect()
    before = pa.total_allocated_bytes()
    for _ in range(20):
        stores, amounts = pa.array(STORES * 1000), pa.chunked_array([AMOUNTS * 500, AMOUNTS * 500])
        result = pa.table(pt.format_arrays(amounts, storefront=stores))
        lazy = pa.table(pt.format_column(pa.table({"store": stores, "amount": amounts})))
        assert result.num_rows == lazy.num_rows == 6000
        del stores, amounts, result, lazy
    gc.collect()
    assert pa.total_allocated_bytes() == before


# ---- Errors


@pytest.mark.parametrize("type", [pa.float16(), pa.float32(), pa.float64()], ids=str)
def test_floating_point_is_refused(type):
    numpy = pytest.importorskip("numpy")
    amounts = pa.array(numpy.zeros(3, type.to_pandas_dtype()), type)
    with pytest.raises(
        TypeError, match=r"amount: the column is float\d\d, and binary .* 0\.10; .*decimal128"
    ):
        pt.format_arrays(amounts, storefront="USA")
    with pytest.raises(TypeError, match="amount: a float cannot hold 0.10"):
        pt.format_arrays(0.1, storefront=pa.array(["USA"]))


@pytest.mark.parametrize(
    ("array", "match"),
    [
        (pa.array([True]), "bool"),
        (pa.array([b"1"]), "binary"),
        (pa.array([["1"]]), "list"),
        (pa.array([datetime.datetime(2026, 1, 1)]), "timestamp"),
        (pa.array([{"a": 1}]), "struct"),
        (
            pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array(["1"])),
            "run_end_encoded.*decode",
        ),
        (pa.array([b"12"], pa.binary(2)), "fixed_size_binary"),
    ],
    ids=lambda value: str(getattr(value, "type", "")),
)
def test_types_are_refused(array, match):
    with pytest.raises(TypeError, match="amount: .*" + match):
        pt.format_arrays(array, storefront="USA")
    with pytest.raises(TypeError, match="storefront: .*" + match):
        pt.format_arrays(pa.array(["1"]), storefront=array)


def test_arguments_are_refused():
    one = pa.array(["1"])
    for arguments, match in [
        ({}, "storefront is missing"),
        ({"storefront": "USA", "locale": "de-DE"}, "exclude each other"),
        ({"locale": "de-DE"}, "currency is missing"),
        ({"storefront": "XXX"}, "XXX"),
        ({"storefront": "USA", "currency": "EUR"}, "USA"),
        ({"storefront": "USA", "rounding": "sideways"}, "sideways"),
        ({"storefront": "USA", "unit": "cents"}, "unit 'cents' is unknown"),
        ({"storefront": "USA", "output": ["display", "price"]}, "output 'price' is unknown"),
        ({"storefront": "USA", "output": ["display", "display"]}, "repeated"),
        ({"storefront": "USA", "output": []}, "empty"),
        ({"storefront": "USA", "width": "wide"}, "wide"),
        ({"storefront": "USA", "date": "2026-02-30"}, "2026-02-30"),
    ]:
        with pytest.raises(pt.PriceError, match=match) as error:
            pt.format_arrays(one, **arguments)
        assert error.value.code and error.value.message and error.value.fix
    with pytest.raises(TypeError, match="must be integers"):
        pt.format_arrays(one, storefront="USA", unit="minor")
    with pytest.raises(TypeError, match="a constant counts major units, not minor units"):
        pt.format_arrays(499, storefront=pa.array(["USA"]), unit="minor")
    with pytest.raises(TypeError, match="list is neither text nor an Arrow array"):
        pt.format_arrays(one, storefront=["USA"])
    with pytest.raises(TypeError, match="no argument is a column"):
        pt.format_arrays("1", storefront="USA")
    with pytest.raises(TypeError):
        pt.format_arrays(one, storefront="USA", pack="storefronts.pack")
    with pytest.raises(TypeError):
        pt.format_arrays(one, storefront="USA", colour="red")


def test_released_capsules_are_refused():
    class Source:
        """Returns the same capsules at each call."""

        def __init__(self):
            self.capsules = pa.array(["1"]).__arrow_c_array__()

        def __arrow_c_array__(self, requested_schema=None):
            return self.capsules

    source = Source()
    assert values(pt.format_arrays(source, storefront="USA"))["display"] == ["$1.00"]
    with pytest.raises(pt.PriceError, match="released or moved"):
        pt.format_arrays(source, storefront="USA")

    class Wrong:
        def __arrow_c_array__(self, requested_schema=None):
            return "capsules"

    with pytest.raises(TypeError, match="two capsules"):
        pt.format_arrays(Wrong(), storefront="USA")

    class Swapped:
        def __arrow_c_array__(self, requested_schema=None):
            return pa.array(["1"]).__arrow_c_array__()[::-1]

    with pytest.raises(ValueError):
        pt.format_arrays(Swapped(), storefront="USA")


class Structure(ctypes.Structure):
    """The start of ArrowArrayStream, and the place of its release callback."""

    _fields_ = [
        ("get_schema", ctypes.c_void_p),
        ("get_next", ctypes.c_void_p),
        ("get_last_error", ctypes.c_void_p),
        ("release", ctypes.c_void_p),
        ("private_data", ctypes.c_void_p),
    ]


def test_releases_keep_the_exception():
    """A release callback that runs Python code does not clear the exception of its call."""
    released = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    def fail(stream, result):
        return 5

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def release(stream):
        released.append(stream)
        Structure.from_address(stream).release = None

    address = ctypes.c_void_p
    stream = Structure(
        get_schema=ctypes.cast(fail, address), release=ctypes.cast(release, address)
    )
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [address, ctypes.c_char_p, address]

    class Source:
        def __arrow_c_stream__(self, requested_schema=None):
            return new(ctypes.addressof(stream), b"arrow_array_stream", None)

    with pytest.raises(OSError, match="the schema of a stream failed"):
        pt.format_arrays(Source(), storefront="USA")
    assert len(released) == 1


def test_a_result_with_users_does_not_move():
    from pricetag_formatter import _native

    result = pt.format_arrays(pa.array(["1"]), storefront="USA")
    array = pa.record_batch(result)
    source = _native.column_array(pa.record_batch({"amount": ["1"], "store": ["USA"]}))
    arguments = ((source, 0), (source, 1), None, None, None)
    plan = _native.column_plan(
        pt.Pack.storefronts(), arguments, 0, "exact", None, 0, bytes([1]), {}
    )
    with pytest.raises(ValueError, match="used before"):
        plan.stream(result, (0, 0, -1, -1, -1))
    assert array["display"].to_pylist() == ["$1.00"]


# ---- Threads


def test_threads():
    stores, amounts = pa.array(STORES * 2000), pa.array(AMOUNTS * 2000)
    expected = {name: column * 2000 for name, column in EXPECTED.items()}
    results = []

    def work():
        for _ in range(5):
            results.append(pt.format_arrays(amounts, storefront=stores))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 40
    assert all(values(result) == expected for result in results)


def test_calls_with_other_options_do_not_share_plans():
    amounts = pa.array(["1.5"])
    for _ in range(3):
        assert values(pt.format_arrays(amounts, storefront="USA"))["display"] == ["$1.50"]
        assert values(pt.format_arrays(amounts, storefront="USA", width="iso"))["display"] == [
            "USD\xa01.50"
        ]
        assert values(pt.format_arrays(amounts, storefront="JPN"))["error"] == ["needs-rounding"]
        assert values(pt.format_arrays(amounts, storefront="JPN", rounding="up"))["display"] == [
            "￥2"
        ]
    for number in range(40):
        assert len(pt.format_arrays(amounts, storefront="USA", date=f"20{number + 10}-01-01")) == 1


def test_equal_options_of_other_types_do_not_share_plans(command, tmp_path):
    path = tmp_path / "digits.pack"
    subprocess.run([command, "pack", "--digits", "1", "-o", str(path)], check=True)
    pack, amounts = pt.Pack(path), pa.array(["1.5"])
    result = pt.format_arrays(amounts, storefront="USA", pack=pack, digits=1)
    assert values(result)["display"] == ["$1.5"]
    for wrong in (True, 1.0):
        with pytest.raises(TypeError, match="digits must be a str"):
            pt.format_arrays(amounts, storefront="USA", pack=pack, digits=wrong)
