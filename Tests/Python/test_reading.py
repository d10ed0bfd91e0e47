"""Tests Formatter.read: what it accepts, the codes and places of what it does not, and hostile text."""

import pickle
import random
import runpy
import sys
import threading
from decimal import Decimal

import pytest

import pricetag_formatter as pt

# The storefront, the text, and the amount; or, for a text that is not read, its code and the index
# of its first wrong character. Each row is strict.
STRICT = [
    ("USA", "$4.99", "4.99"),
    ("USA", "$0.00", "0.00"),
    ("USA", "$0.05", "0.05"),
    ("USA", "-$1,234,567.80", "-1234567.80"),
    ("USA", "$999,999,999,999,999,999.00", "999999999999999999"),
    ("USA", "$9,000,000,000,000,000,000.00", "9000000000000000000"),
    ("DEU", "1.234,50\u00a0€", "1234.50"),
    ("CHE", "CHF\u00a01’234.50", "1234.50"),
    ("JPN", "￥1,200", "1200"),
    ("IND", "₹12,34,567.00", "1234567.00"),
    ("EGY", "\u200f٢٤٩٫٩٩\u00a0ج.م.\u200f", "249.99"),
    ("DEU", "49,99 €", ("not-as-written", 5)),
    ("DEU", "49.99\u00a0€", ("not-as-written", 1)),
    ("DEU", "€49,99", ("not-as-written", 0)),
    ("DEU", "49,99\u00a0", ("not-as-written", 6)),
    ("DEU", "49,99\u00a0€ ", ("not-as-written", 7)),
    ("USA", "$1234.50", ("not-as-written", 2)),
    ("USA", "€4.99", ("not-as-written", 0)),
    ("USA", "Free", ("not-a-price", 0)),
    ("USA", "", ("not-a-price", 0)),
    ("USA", "$99,999,999,999,999,999,999.00", ("amount-out-of-range", 1)),
]

# The same for texts that only lenient reading accepts.
LENIENT = [
    ("DEU", "49,99 €", "49.99"),
    ("DEU", "49,99€", "49.99"),
    ("DEU", " 49,99\u202f€\u200f\n", "49.99"),
    ("DEU", "49,99 EUR", "49.99"),
    ("DEU", "\u221249,99\u00a0€", "-49.99"),
    ("CHE", "CHF 1'234.50", "1234.50"),
    ("JPN", "JPY 1,200", "1200"),
    ("EGY", "249٫99 ج.م.", "249.99"),
    ("EGY", "2٤9٫99 ج.م.", ("not-as-written", 0)),
    ("DEU", "49.99 €", ("not-as-written", 1)),
    ("DEU", "€ 49,99", ("not-as-written", 0)),
    ("DEU", "49,99 $", ("not-as-written", 6)),
    ("DEU", "1 234,50 €", ("not-as-written", 1)),
]


def result(storefront, text, *lenient):
    """Returns the amount as text, or the code and the position of the error."""
    try:
        amount = pt.Formatter(storefront=storefront).read(text, *lenient)
        assert type(amount) is Decimal
        return str(amount)
    except pt.PriceError as error:
        return error.code, error.position


@pytest.mark.parametrize("storefront, text, expected", STRICT, ids=ascii)
def test_strict(storefront, text, expected):
    assert result(storefront, text) == expected
    if isinstance(expected, str):
        assert result(storefront, text, True) == expected
        assert pt.format(Decimal(expected), storefront=storefront) == text


@pytest.mark.parametrize("storefront, text, expected", LENIENT, ids=ascii)
def test_lenient(storefront, text, expected):
    assert result(storefront, text, True) == expected
    assert result(storefront, text)[0] in ("not-as-written", "not-a-price")


def test_errors():
    germany = pt.Formatter(storefront="DEU")
    with pytest.raises(pt.PriceError) as caught:
        germany.read("49,99 €")
    error = caught.value
    assert str(error) == (
        "'49,99 €', position 5: the text is not what the formatter writes for any amount; "
        "correct the text at this position, or pass lenient=True"
    )
    assert pickle.loads(pickle.dumps(error)).position == 5
    with pytest.raises(pt.PriceError) as caught:
        germany.read("49.99 €", lenient=True)
    assert caught.value.fix == "correct the text at this position"
    with pytest.raises(pt.PriceError) as caught:
        germany("49.999")
    assert caught.value.position is None
    for arguments, keywords in [
        ((), {}),
        ((b"49,99",), {}),
        ((49,), {}),
        ((None,), {}),
        (("49,99\u00a0€", True, 1), {}),
        (("49,99\u00a0€",), {"mode": "lenient"}),
    ]:
        with pytest.raises(TypeError):
            germany.read(*arguments, **keywords)


def test_styles():
    assert pt.Formatter(storefront="USA", width="iso").read("USD\u00a04.99") == Decimal("4.99")
    assert pt.Formatter(storefront="USA", width="name").read("1.00 US dollars") == 1
    assert pt.Formatter(storefront="USA", width="hidden").read("4.99") == Decimal("4.99")
    assert pt.Formatter(locale="de-AT", currency="EUR").read("€\u00a01.234,50") == Decimal("1234.5")
    assert str(pt.Formatter(storefront="BGR", date="2025-12-31").read("BGN\u00a05.00")) == "5.00"


def test_table_of_the_kernel(root):
    """What the kernel's table writes is read as an amount that is written in the same way."""
    kernel = root / "Tests/Kernel"
    pack = pt.Pack(runpy.run_path(str(kernel / "make_pack.py"))["pack"]())
    rows = 0
    for line in (kernel / "prices.tsv").read_text(encoding="utf-8").splitlines():
        locale, currency, _, _, text = line.split("\t") if "\t" in line else [""] * 5
        if line.startswith("#") or not any(character.isdecimal() for character in text):
            continue
        if sum(character.isdecimal() for character in text) > 18:
            continue
        formatter = pt.Formatter(locale=locale, currency=currency, pack=pack)
        assert formatter(formatter.read(text)) == text, line
        rows += 1
    assert rows > 20


@pytest.mark.parametrize("width", ["standard", "narrow", "iso", "name", "hidden"])
def test_round_trip(width):
    """Every storefront reads what it writes, and leniently what has other spaces."""
    generator = random.Random(width)
    count = 0
    for storefront in pt.Pack.storefronts().storefront_codes:
        formatter = pt.Formatter(storefront=storefront, width=width, date="2026-06-30")
        for digits in (1, 3, 5, 9, 15, 18):
            units = generator.randrange(-(10**digits), 10**digits)
            amount = Decimal(units).scaleb(-formatter.digits)
            text = formatter(amount)
            assert str(formatter.read(text)) == f"{amount:f}", (storefront, amount)
            assert formatter.read(text.replace("\u00a0", " "), lenient=True) == amount
            count += 1
    assert count > 1000


HOSTILE = [
    "\0",
    "$4.99\0",
    "\0$4.99",
    "\ud800",
    "$4.99\udcff",
    "\U0010ffff" * 100,
    "1" * 65,
    "$" + "1" * 5000,
    "٣" * 2049,
    "\u200f" * 5000,
    "$4.99" + " " * 4091,
    "$4.99" + " " * 4092,
    "1" * 10_000_000,
    "\u0301" * 10,
    "4\u030299",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:8]) + str(len(text)))
def test_hostile_text(text):
    for storefront in ("USA", "EGY", "DEU"):
        for lenient in (False, True):
            try:
                assert pt.Formatter(storefront=storefront).read(text, lenient) == Decimal("4.99")
                assert lenient and len(text) == 4096
            except pt.PriceError as error:
                assert 0 <= error.position <= len(text)
                assert len(str(error)) < 1200
                too_long = len(text.encode("utf-8", "surrogatepass")) > 4096
                assert (error.code == "text-too-long") == too_long


def test_random_text():
    """Reads of random text give an amount that is written as the text, or an error."""
    generator = random.Random(47)
    for storefront in ("USA", "DEU", "CHE", "EGY", "IND", "JPN"):
        formatter = pt.Formatter(storefront=storefront)
        pieces = list(formatter("1234567.5" if formatter.digits else "1234567")) + list(
            "0 .,'-\u00a0\u200f\ud800\0€$+()"
        )
        for _ in range(5000):
            text = "".join(generator.choices(pieces, k=generator.randrange(12)))
            try:
                assert formatter(formatter.read(text)) == text
            except pt.PriceError as error:
                assert 0 <= error.position <= len(text)
            try:
                formatter.read(text, lenient=True)
            except pt.PriceError as error:
                assert 0 <= error.position <= len(text)


def test_hostile_arguments():
    class Text(str):
        def __str__(self):
            return "$5.00"

        def encode(self, *_):
            raise RuntimeError

    class Falsehood:
        def __bool__(self):
            raise RuntimeError("no truth")

    formatter = pt.Formatter(storefront="USA")
    assert formatter.read(Text("$4.99")) == Decimal("4.99")
    with pytest.raises(RuntimeError, match="no truth"):
        formatter.read("$4.99", lenient=Falsehood())


def test_threads():
    formatter, errors = pt.Formatter(storefront="DEU"), []

    def read(number):
        try:
            for units in range(number, 3000, 7):
                amount = Decimal(units).scaleb(-2)
                assert formatter.read(formatter(amount)) == amount
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=read, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def test_memory():
    """Reading and its errors keep no reference."""
    formatter = pt.Formatter(storefront="USA")
    text = "$4.99 " + str(random.random())
    before = sys.getrefcount(text)
    for _ in range(100):
        with pytest.raises(pt.PriceError):
            formatter.read(text)
    assert sys.getrefcount(text) == before
