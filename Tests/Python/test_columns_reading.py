"""Reading columns of formatted prices: the inverse of formatting them."""

import datetime
import random
from decimal import Decimal

import pytest

pa = pytest.importorskip("pyarrow")
import pyarrow.compute  # noqa: E402

import pricetag_formatter as pt  # noqa: E402

STORES = ["USA", "JPN", None, "DEU", "XXX", "EGY", "DEU", "DEU", "USA", "USA"]
TEXTS = [
    "$4.99",
    "￥1,200",
    "1",
    None,
    "1",
    pt.format("-249.5", storefront="EGY"),
    "49,99 €",
    "Gratis",
    "$" + "1" * 5000,
    "$" + "9" * 25 + ".00",
]
AMOUNTS = ["4.99", "1200", None, None, None, "-249.50", None, None, None, None]
ERRORS = [
    None,
    None,
    "missing-storefront",
    None,
    "unknown-storefront",
    None,
    "not-as-written",
    "not-a-price",
    "text-too-long",
    "amount-out-of-range",
]
EXPECTED = {"amount": AMOUNTS, "error": ERRORS}
LENIENT = {
    "amount": [*AMOUNTS[:6], "49.99", *AMOUNTS[7:]],
    "error": [*ERRORS[:6], None, *ERRORS[7:]],
}


def values(result):
    table = pa.table(result)
    table.validate(full=True)
    return table.to_pydict()


LAYOUTS = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.dictionary(pa.int8(), pa.string()),
    pa.dictionary(pa.uint64(), pa.large_string()),
]


@pytest.mark.parametrize("type", LAYOUTS, ids=str)
@pytest.mark.parametrize("store_type", LAYOUTS, ids=str)
def test_layouts(type, store_type):
    texts, stores = (
        pa.array(column).cast(form)
        if not pa.types.is_dictionary(form)
        else dictionary(column, form)
        for column, form in ((TEXTS, type), (STORES, store_type))
    )
    assert values(pt.read_arrays(texts, storefront=stores)) == EXPECTED
    assert values(pt.read_arrays(texts, storefront=stores, lenient=True)) == LENIENT
    sliced = pt.read_arrays(texts.slice(3, 4), storefront=stores.slice(3, 4))
    assert values(sliced) == {name: column[3:7] for name, column in EXPECTED.items()}


def dictionary(texts, type):
    known = [text for text in dict.fromkeys(texts) if text is not None]
    indices = [None if text is None else known.index(text) for text in texts]
    return pa.DictionaryArray.from_arrays(
        pa.array(indices, type.index_type), pa.array(known, type.value_type)
    )


def test_outputs():
    texts, stores = pa.array(TEXTS), pa.array(STORES)
    for output in (["amount"], ["error"], ["error", "amount"]):
        found = values(pt.read_arrays(texts, storefront=stores, output=output))
        assert list(found.items()) == [(name, EXPECTED[name]) for name in output]
    result = pa.table(pt.read_arrays(texts, storefront=stores, string_view=True))
    assert result["amount"].type == pa.string_view()
    assert result.to_pydict() == EXPECTED
    for output in ("display", "spoken", [], ["amount", "amount"]):
        with pytest.raises(pt.PriceError) as caught:
            pt.read_arrays(texts, storefront=stores, output=output)
        assert caught.value.code == "invalid-option"
    with pytest.raises(pt.PriceError):
        pt.format_arrays(texts, storefront=stores, output="amount")


def test_casts_to_decimals():
    result = pa.table(pt.read_arrays(pa.array(["$4.99", None, "$1,200.00"]), storefront="USA"))
    amounts = pa.compute.cast(result["amount"], pa.decimal128(18, 2))
    assert amounts.to_pylist() == [Decimal("4.99"), None, Decimal("1200.00")]


def test_arguments():
    texts = pa.array(["CHF\u00a01’234.50", "CHF\u00a0-5.00", "CHF-5.00"])
    assert values(pt.read_arrays(texts, locale="de-CH", currency="CHF")) == {
        "amount": ["1234.50", None, "-5.00"],
        "error": [None, "not-as-written", None],
    }
    dates = pa.array([datetime.date(2025, 12, 31), datetime.date(2026, 1, 1)])
    found = values(pt.read_arrays("BGN\u00a05.00", storefront="BGR", date=dates))
    assert found == {"amount": ["5.00", None], "error": [None, "not-as-written"]}
    found = values(pt.read_arrays("$5.00", storefront=pa.array(["USA", "CAN", "DEU"])))
    assert found["amount"] == ["5.00", "5.00", None]
    found = values(pt.read_arrays(pa.array(["USD\u00a05.00"]), storefront="USA", width="iso"))
    assert found["amount"] == ["5.00"]
    assert values(pt.read_arrays(pa.nulls(2), storefront="USA"))["error"] == [None, None]
    with pytest.raises(
        TypeError, match="text: the column has the type float64 .*; cast the column"
    ):
        pt.read_arrays(pa.array([4.99]), storefront="USA")
    with pytest.raises(TypeError, match="text: the column has the type int64"):
        pt.read_arrays(pa.array([4]), storefront="USA")
    with pytest.raises(TypeError, match="text: float is neither text nor an Arrow array"):
        pt.read_arrays(4.99, storefront=pa.array(["USA"]))
    with pytest.raises(pt.PriceError, match="text has 3 rows, storefront has 1 row"):
        pt.read_arrays(texts, storefront=pa.array(["USA"]))
    with pytest.raises(TypeError, match="Formatter.read for one price"):
        pt.read_arrays("$5.00", storefront="USA")
    with pytest.raises(pt.PriceError) as caught:
        pt.read_arrays(texts, storefront="USA", zeros="trim")
    assert caught.value.code == "missing-style"


def test_chunks_and_tables():
    chunked = pa.chunked_array([TEXTS[:2], TEXTS[2:]])
    assert values(pt.read_arrays(chunked, storefront=pa.array(STORES))) == EXPECTED
    table = pa.table({"store": STORES, "text": TEXTS})
    assert values(pt.read_column(table)) == EXPECTED
    named = table.rename_columns(["shop", "shown"])
    assert values(pt.read_column(named, storefront="shop", text="shown", lenient=True)) == LENIENT
    with pytest.raises(pt.PriceError, match="has no column 'text'"):
        pt.read_column(named, storefront="shop")
    dated = pa.table({"store": ["BGR"], "text": ["BGN\u00a05.00"], "day": ["2025-12-31"]})
    assert values(pt.read_column(dated, date="day"))["amount"] == ["5.00"]
    assert values(pt.read_column(dated, date=datetime.date(2026, 1, 1)))["amount"] == [None]


def test_plans_are_not_shared_with_formatting():
    texts = pa.array(["5", "$5.00"])
    for _ in range(3):
        assert values(pt.format_arrays(texts, storefront="USA"))["display"] == ["$5.00", None]
        assert values(pt.read_arrays(texts, storefront="USA"))["amount"] == [None, "5.00"]
        assert values(pt.read_arrays(texts, storefront="USA", lenient=True))["amount"][1] == "5.00"


def test_round_trip():
    """Columns of all storefronts are read as the amounts that were formatted."""
    generator = random.Random(47)
    codes = pt.Pack.storefronts().storefront_codes
    digits = {code: pt.Formatter(storefront=code, date="2026-06-30").digits for code in codes}
    stores = [generator.choice(codes) for _ in range(20_000)]
    amounts = [
        Decimal(generator.randrange(-(10**9), 10 ** generator.randrange(2, 16))).scaleb(
            -digits[code]
        )
        for code in stores
    ]
    columns = {"storefront": pa.array(stores), "date": "2026-06-30"}
    shown = pa.table(pt.format_arrays(pa.array(map(str, amounts)), **columns))["display"]
    assert shown.null_count == 0
    for lenient in (False, True):
        found = values(pt.read_arrays(shown, **columns, lenient=lenient))
        assert found == {"amount": [f"{amount:f}" for amount in amounts], "error": [None] * 20_000}
