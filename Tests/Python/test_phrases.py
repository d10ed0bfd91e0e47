"""Phrases, and arithmetic with prices, from the pack of Tests/Kernel/make_pack.py."""

import pickle
import sys
from decimal import Decimal
from pathlib import Path

import pytest

import pricetag_formatter as pt

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Kernel"))
import make_pack  # noqa: E402

PACK = pt.Pack(make_pack.pack())
USA = pt.Formatter(storefront="USA", pack=PACK)
PRICE = pt.FormattedPrice(USA, "9.99")
ENGLISH, ARABIC = pt.Phrases(PACK, "en-GB"), pt.Phrases(PACK, "ar_EG")
PER_MONTH = ENGLISH.format("per_month", price=PRICE)


@pytest.mark.parametrize(
    "phrase, plain",
    [
        (PER_MONTH, "$9.99 per month"),
        (ENGLISH.format("days", count=1), "1 day"),
        (ENGLISH.format("days", count=Decimal("1.50")), "1.5 days"),
        (ENGLISH.format("days", count="0.0"), "no days"),
        (ENGLISH.format("numbers", count=1234, rate="12.5"), "1,234/1,234/1,234/12.5%/12%"),
        (ENGLISH.format("plan", plan="été", price=PRICE), "été $9.99"),
        (ENGLISH.format("plan", plan="none", price=PRICE), "$9.99"),
        (ENGLISH.format("then", trial=ENGLISH.duration("P7D"), then=PER_MONTH), "7 days free, then $9.99 per month"),
        (ENGLISH.format("place", count=2), "second: 1"),
        (ARABIC.format("numbers", count=12, rate=16), "١٢/١٢/١٢/١٦٪/١٦٪"),
    ],
)
def test_phrases(phrase, plain):
    assert phrase.plain == plain
    assert isinstance(phrase, str) and phrase.replace("\u2068", "").replace("\u2069", "") == plain


def test_languages():
    assert (ENGLISH.language, ENGLISH.direction, ARABIC.language, ARABIC.direction) == ("en-US", "ltr", "ar", "rtl")
    assert "per_month" in ENGLISH.keys
    # A phrase in another language is isolated, and a phrase that the language lacks names its own.
    assert ARABIC.format("per_month", price=PER_MONTH) == "\u2068\u2068$9.99\u2069 per month\u2069 per month"
    assert ARABIC.format("tax").language == "en-US"
    assert PER_MONTH == "\u2068$9.99\u2069 per month"


def test_arithmetic():
    assert (PRICE.total(12), PRICE.amount, PRICE.spoken) == ("$119.88", Decimal("9.99"), "9.99 US dollars")
    assert pt.FormattedPrice(USA, "59.99").per("P1M", of="P1Y", rounding="half-up") == "$5.00"
    assert pt.FormattedPrice(USA, "49.99").saving("P1Y", pt.FormattedPrice(USA, "4.99"), "P1M") == 16
    copy = pickle.loads(pickle.dumps(PRICE))
    assert copy == PRICE and isinstance(copy, pt.FormattedPrice) and copy.amount == PRICE.amount


@pytest.mark.parametrize("price", ["$9.99", 9.99, 999, Decimal("9.99"), None, ("x", 1), b"9.99"])
def test_a_price_is_a_formatted_price(price):
    with pytest.raises(TypeError):
        ENGLISH.format("per_month", price=price)


@pytest.mark.parametrize(
    "work, error, code",
    [
        (lambda: ENGLISH.format("days", count=PRICE), TypeError, None),
        (lambda: ENGLISH.format("days", count=1.5), TypeError, None),
        (lambda: ENGLISH.format("days", count=None), TypeError, None),
        (lambda: ENGLISH.format("days", count=True), TypeError, None),
        (lambda: ENGLISH.format("days", count="9223372036854775808"), pt.PriceError, "amount-out-of-range"),
        (lambda: ENGLISH.format("days", count="1e3"), pt.PriceError, "malformed-amount"),
        (lambda: PRICE.saving("P1Y", pt.FormattedPrice(USA, "0"), "P1M"), pt.PriceError, "invalid-option"),
        (lambda: ENGLISH.format("then", trial=PRICE, then=PER_MONTH), TypeError, None),
        (lambda: pt.FormattedPrice("USA", "1"), TypeError, None),
        (lambda: PRICE.saving("P1Y", "1", "P1M"), TypeError, None),
        (lambda: ENGLISH.format("per_month"), pt.PriceError, "missing-argument"),
        (lambda: ENGLISH.format("days", count=1, price=PRICE), pt.PriceError, "extra-argument"),
        (lambda: ENGLISH.format("price_until", date=1), pt.PriceError, "unknown-phrase"),
        (lambda: ARABIC.format("save", percent=1), pt.PriceError, "unknown-phrase"),
        (lambda: pt.Phrases(PACK, "fr"), pt.PriceError, "unknown-language"),
        (lambda: pt.Phrases(PACK, "en-001"), pt.PriceError, "unknown-language"),
        (lambda: pt.Phrases(pt.Pack.storefronts(), "en"), pt.PriceError, "no-phrases"),
        (lambda: ENGLISH.duration("P0D"), pt.PriceError, "malformed-period"),
        (lambda: PRICE.per("P1M", of="P1Y"), pt.PriceError, "needs-rounding"),
        (lambda: PRICE.total(-1), pt.PriceError, "invalid-option"),
        (lambda: pt.FormattedPrice(USA, "922337203685477.58").total(10**15), pt.PriceError, "amount-out-of-range"),
        (
            lambda: PRICE.saving("P1Y", pt.FormattedPrice(pt.Formatter(storefront="DEU", pack=PACK), "1"), "P1M"),
            pt.PriceError,
            "currency-mismatch",
        ),
        # No function reads a clock.
        (lambda: pt.Formatter(storefront="BGR"), pt.PriceError, "missing-date"),
        (lambda: pt.format("1", storefront="BGR"), pt.PriceError, "missing-date"),
    ],
)
def test_errors(work, error, code):
    with pytest.raises(error) as raised:
        work()
    assert code is None or raised.value.code == code


def test_hostile_values_of_the_extension():
    message = pt._native.message_of(PACK, "en", "then")
    for values in [(), (1, 2), ((USA, "1"),) * 2, ((message, ()),) * 2, ((message, 1),) * 2, (b"", b""), [1], 1, ((USA,),)]:
        with pytest.raises((TypeError, pt.PriceError)):
            message.write(values, 0, False)
