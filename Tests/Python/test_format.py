"""Tests `format`, `Formatter` and `Pack` with single prices."""

import copy
import datetime
import decimal
import enum
import pickle
import subprocess
import sys
import threading
from decimal import Decimal
from pathlib import Path

import pytest

import pricetag_formatter as pt

USA = pt.Formatter(storefront="USA")


def code_of(function, *arguments, **options):
    """Returns the code of the PriceError that a call raises."""
    with pytest.raises(pt.PriceError) as caught:
        function(*arguments, **options)
    error = caught.value
    assert error.args == (error.code, error.message, error.fix)
    assert str(error) == f"{error.message}; {error.fix}"
    assert error.message and error.fix and not str(error).endswith(".")
    return error.code


# ---- Prices


@pytest.mark.parametrize(
    "amount, options, expected",
    [
        ("1200", {"storefront": "JPN"}, "￥1,200"),
        ("1200", {"storefront": "jp"}, "￥1,200"),
        ("4.99", {"storefront": "USA", "currency": "usd"}, "$4.99"),
        (Decimal("1234.50"), {"locale": "de-CH", "currency": "CHF"}, "CHF\xa01’234.50"),
        ("1234.5", {"locale": "DE_de", "currency": "eur"}, "1.234,50\xa0€"),
        ("4.99", {"storefront": "USA", "width": "iso"}, "USD\xa04.99"),
        ("4.99", {"storefront": "USA", "width": "hidden"}, "4.99"),
        ("1", {"storefront": "USA", "width": "name"}, "1.00 US dollars"),
        ("4.999", {"storefront": "USA", "rounding": "half-even"}, "$5.00"),
        ("-4.999", {"storefront": "USA", "rounding": "floor"}, "-$5.00"),
        (499, {"storefront": "USA", "unit": "minor"}, "$4.99"),
        (1200, {"storefront": "JPN", "unit": "minor"}, "￥1,200"),
        (4990000, {"storefront": "USA", "unit": "micros"}, "$4.99"),
        ("5", {"storefront": "BGR", "date": "2025-12-31"}, "BGN\xa05.00"),
        ("5", {"storefront": "BGR", "date": datetime.date(2026, 1, 1)}, "€5.00"),
        ("5", {"storefront": "BGR", "date": "2026-01-01"}, "€5.00"),
        (
            "5",
            {"storefront": "USA", "width": None, "date": None, "pack": None, "unit": None},
            "$5.00",
        ),
    ],
)
def test_prices(amount, options, expected):
    assert pt.format(amount, **options) == expected
    # The second call finds the formatter of the first one.
    assert pt.format(amount, **options) == expected
    unit = options.pop("unit", "major")
    assert pt.Formatter(**options)(amount, unit=unit) == expected


def test_properties():
    egypt = pt.Formatter(storefront="EGY", width="name")
    assert (egypt.digits, egypt.currency, egypt.locale) == (2, "EGP", "ar-EG")
    assert egypt.direction("249.99") == "rtl" and USA.direction("1") == "ltr"
    assert egypt.spoken("249.99") == egypt("249.99")
    assert USA.spoken(1, unit="minor") == "0.01 US dollars"
    swiss = pt.Formatter(locale="DE_ch", currency="chf")
    assert (swiss.locale, swiss.currency) == ("de-CH", "CHF")
    assert pt.Formatter(locale="ZH-hant-tw", currency="TWD").locale == "zh-Hant-TW"
    assert repr(pt.Formatter(storefront="JPN", date="2026-01-31", width="iso")) == (
        "Formatter(storefront='JPN', date='2026-01-31', width='iso')"
    )
    with pytest.raises(AttributeError):
        USA.currency = "EUR"


def test_parts_are_the_price():
    assert USA.parts("1234.5") == [
        ("symbol", "$"),
        ("integer", "1"),
        ("group", ","),
        ("integer", "234"),
        ("decimal", "."),
        ("fraction", "50"),
    ]
    for storefront in ("EGY", "CHE", "IND", "JPN", "ISR"):
        formatter = pt.Formatter(storefront=storefront)
        for amount in ("0", "-1", "1234567"):
            assert "".join(part.text for part in formatter.parts(amount)) == formatter(amount)


# ---- Amounts


class Number(enum.IntEnum):
    FIVE = 5


class Text(str):
    pass


class Index:
    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


@pytest.mark.parametrize(
    "amount, expected",
    [
        ("+4.99", "$4.99"),
        (Text("4.99"), "$4.99"),
        (5, "$5.00"),
        (Number.FIVE, "$5.00"),
        (Index(5), "$5.00"),
        (9223372036854775807, "$9,223,372,036,854,775,807.00"),
        (-9223372036854775808, "-$9,223,372,036,854,775,808.00"),
        (Decimal("4.99"), "$4.99"),
        (Decimal("-0.00"), "$0.00"),
        (Decimal("1E+3"), "$1,000.00"),
        (Decimal("1.50E1"), "$15.00"),
        (Decimal("1.500000000000000000000000000000"), "$1.50"),
        (Decimal("150000000000000000000000000000E-29"), "$1.50"),
        (Decimal("1e-2"), "$0.01"),
        (Decimal("0E+999999"), "$0.00"),
        (Decimal("0E-999999"), "$0.00"),
        (Decimal("92233720368547758.07"), "$92,233,720,368,547,758.07"),
        (Decimal("-9223372036854775808"), "-$9,223,372,036,854,775,808.00"),
    ],
)
def test_amounts(amount, expected):
    assert USA(amount) == expected
    assert pt.format(amount, storefront="USA") == expected


@pytest.mark.parametrize(
    "amount, code",
    [
        ("", "malformed-amount"),
        ("1,200", "malformed-amount"),
        ("1e3", "malformed-amount"),
        (" 1", "malformed-amount"),
        ("１", "malformed-amount"),
        ("1\0", "malformed-amount"),
        ("\ud800", "malformed-amount"),
        ("1" * 65, "amount-out-of-range"),
        ("1" * 100_000, "amount-out-of-range"),
        ("x" * 100_000, "malformed-amount"),
        ("1" * 64 + "x", "malformed-amount"),
        ("1" * 20, "amount-out-of-range"),
        ("0." + "1" * 20, "amount-out-of-range"),
        ("0.001", "needs-rounding"),
        (2**63, "amount-out-of-range"),
        (-(2**63) - 1, "amount-out-of-range"),
        (10**10_000, "amount-out-of-range"),
        (Decimal("NaN"), "malformed-amount"),
        (Decimal("sNaN"), "malformed-amount"),
        (Decimal("-NaN123"), "malformed-amount"),
        (Decimal("Infinity"), "malformed-amount"),
        (Decimal("-Infinity"), "malformed-amount"),
        (Decimal("1E+999999"), "amount-out-of-range"),
        (Decimal("1E-999999"), "amount-out-of-range"),
        (Decimal("1E+999999999999999999"), "amount-out-of-range"),
        (Decimal("9223372036854775808"), "amount-out-of-range"),
        (Decimal("1" * 100_000), "amount-out-of-range"),
        (Decimal("4.999"), "needs-rounding"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_bad_amounts(amount, code):
    for function in (USA, USA.spoken, USA.parts, USA.direction):
        if code != "needs-rounding" or function is not USA.direction:
            assert code_of(function, amount) == code
    assert code_of(pt.format, amount, storefront="USA") == code


@pytest.mark.parametrize(
    "amount", [0.1, float("nan"), 1.0, True, False, None, b"4.99", [], 1j, object()]
)
def test_types_that_are_no_amounts(amount):
    with pytest.raises(TypeError, match="amount: "):
        USA(amount)
    with pytest.raises(TypeError, match="amount: "):
        pt.format(amount, storefront="USA")


def test_float_says_why():
    with pytest.raises(
        TypeError,
        match=r"0\.1 is a float, which cannot hold most decimals, such as 0\.1, exactly; pass text",
    ):
        USA(0.1)


def test_units_take_integers():
    for unit in ("minor", "micros"):
        for amount in ("4", Decimal(4), 4.0, True):
            with pytest.raises(TypeError, match="pass an int"):
                USA(amount, unit=unit)
    assert USA(Index(499), "minor") == "$4.99"
    assert code_of(USA, 2**63, unit="minor") == "amount-out-of-range"
    assert code_of(USA, 1, unit="cents") == "invalid-option"
    assert code_of(USA, 1234567, unit="micros") == "needs-rounding"


def test_index_that_fails():
    class Failing:
        def __index__(self):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        USA(Failing())


def test_numpy_integers():
    numpy = pytest.importorskip("numpy")
    assert USA(numpy.int64(5)) == "$5.00" and USA(numpy.uint8(5), unit="minor") == "$0.05"
    assert code_of(USA, numpy.uint64(2**63)) == "amount-out-of-range"
    for amount in (numpy.float64(5), numpy.float32(5), numpy.bool_(True)):
        with pytest.raises(TypeError):
            USA(amount)


def test_decimal_context_has_no_effect():
    with decimal.localcontext() as context:
        context.prec = 1
        context.capitals = 0
        assert USA(Decimal("1234.56")) == "$1,234.56"
        assert USA(Decimal("1E+3")) == "$1,000.00"


# ---- Arguments


@pytest.mark.parametrize(
    "options, code",
    [
        ({}, "missing-storefront"),
        ({"locale": "de-CH"}, "missing-storefront"),
        ({"currency": "CHF"}, "missing-storefront"),
        ({"storefront": "USA", "locale": "en-US"}, "invalid-option"),
        ({"storefront": "XXX"}, "unknown-storefront"),
        ({"storefront": ""}, "unknown-storefront"),
        ({"storefront": "U\0A"}, "unknown-storefront"),
        ({"storefront": "日本"}, "unknown-storefront"),
        ({"storefront": "U" * 10_000}, "unknown-storefront"),
        ({"storefront": "JPN", "currency": "USD"}, "currency-mismatch"),
        ({"storefront": "JPN", "currency": "ZZZ"}, "unknown-currency"),
        ({"locale": "xx-XX", "currency": "CHF"}, "unknown-locale"),
        ({"locale": "de-CH", "currency": "ZZZ"}, "unknown-currency"),
        ({"storefront": "USA", "width": "wide"}, "invalid-option"),
        ({"storefront": "USA", "digits": "19"}, "invalid-option"),
        ({"storefront": "USA", "digits": "3-2"}, "invalid-option"),
        ({"storefront": "USA", "digits": 10**30}, "invalid-option"),
        ({"storefront": "USA", "digits": -1}, "invalid-option"),
        ({"storefront": "USA", "digits": 5}, "missing-style"),
        ({"storefront": "USA", "numbering": "deva"}, "missing-style"),
        ({"storefront": "USA", "numbering": ""}, "invalid-option"),
        ({"storefront": "USA", "per": "100 fl oz"}, "missing-style"),
        ({"storefront": "USA", "per": "kg"}, "missing-style"),
        ({"storefront": "USA", "rounding": "up-down"}, "invalid-option"),
        ({"storefront": "USA", "date": "2026-02-29"}, "malformed-date"),
        ({"storefront": "USA", "date": "2026-2-9"}, "malformed-date"),
        ({"storefront": "USA", "date": "0000-01-01"}, "malformed-date"),
    ],
)
def test_bad_options(options, code):
    assert code_of(pt.Formatter, **options) == code
    assert code_of(pt.format, "1", **options) == code


@pytest.mark.parametrize(
    "options",
    [
        {"storefront": 5},
        {"storefront": b"USA"},
        {"storefront": "USA", "style": "iso"},
        {"storefront": "USA", "pack": "store.pack"},
        {"storefront": "USA", "width": 2},
        {"storefront": "USA", "digits": True},
        {"storefront": "USA", "digits": 2.0},
        {"storefront": "USA", "date": 20260101},
        {"storefront": "USA", "date": datetime.datetime(2026, 1, 1)},
    ],
)
def test_wrong_types(options):
    with pytest.raises(TypeError):
        pt.Formatter(**options)
    with pytest.raises(TypeError):
        pt.format("1", **options)


def test_wrong_calls():
    for call in (
        lambda: pt.format(),
        lambda: pt.format("1", "USA"),
        lambda: pt.format("1", amount="1", storefront="USA"),
        lambda: pt.Formatter("USA"),
        lambda: USA(),
        lambda: USA("1", "major", "x"),
        lambda: USA("1", width="iso"),
        lambda: pt.Pack(),
        lambda: pt.Pack(5),
        lambda: pt.Pack(path="x"),
    ):
        with pytest.raises(TypeError):
            call()


def test_missing_style_names_the_command():
    with pytest.raises(pt.PriceError) as caught:
        pt.Formatter(storefront="USA", zeros="trim", digits=2)
    assert "pricetag pack --zeros trim --digits 2 -o FILE" in caught.value.fix
    assert 'pass pack=Pack("FILE")' in caught.value.fix
    with pytest.raises(pt.PriceError) as caught:
        pt.Formatter(storefront="USA", per="100 mL")
    assert "pricetag pack --per '100 mL' -o FILE" in caught.value.fix


def test_references(command, tmp_path):
    """`per` has the spellings of the command."""
    path = tmp_path / "references.pack"
    packed = ("--per", "kg,100 mL,100 cm3,100 floz", "--storefronts", "USA")
    subprocess.run([command, "pack", *packed, "-o", path], check=True, capture_output=True)
    pack = pt.Pack(path)
    for spellings, expected in (
        (("kg", "1kg", "1 kg", "01 kg"), "$5.00/kg"),
        (("100 mL", "100mL", "100ml", "0100  ml", "100\u00a0mL"), "$5.00/100 mL"),
        (("100 cm³", "100cm³", "100cm3"), "$5.00/100 cm³"),
        (("100 fl oz", "100floz", "100 fl. oz."), "$5.00/100 fl oz"),
    ):
        for per in spellings:
            assert pt.format("5", storefront="USA", per=per, pack=pack) == expected, per
    for per in ("", "100", "5 mL", "banana", "KG", "kg\0", "\ud800", "x" * 1000, "1" * 100000):
        with pytest.raises(pt.PriceError, match="per .* is unknown") as caught:
            pt.Formatter(storefront="USA", per=per)
        assert caught.value.code == "invalid-option"


def test_needs_rounding_has_amount_and_digits():
    with pytest.raises(
        pt.PriceError,
        match=r"1200\.50: the amount has more decimals than JPY displays \(0\); pass a mode",
    ):
        pt.format("1200.50", storefront="JPN")


def test_cache_distinguishes_arguments():
    # More calls than entries of the cache, in two rounds with other objects of the same text.
    widths = ("standard", "narrow", "iso", "name", "hidden", "formal")
    storefronts = (
        "USA",
        "JPN",
        "DEU",
        "EGY",
        "IND",
        "CHE",
        "GBR",
        "FRA",
        "ESP",
        "ITA",
        "BRA",
        "MEX",
        "KOR",
        "CHN",
        "TWN",
    )
    modes = ("exact", "half-up", "down", "floor")
    expected = {}
    for _ in range(2):
        for storefront in storefronts:
            for width in widths:
                for rounding in modes:
                    key = ("".join(storefront), "".join(width), "".join(rounding))
                    price = pt.format("1200", storefront=key[0], width=key[1], rounding=key[2])
                    assert expected.setdefault(key, price) == price
                    assert (
                        pt.Formatter(storefront=storefront, width=width, rounding=rounding)("1200")
                        == price
                    )
    assert len(set(expected.values())) > 40
    other = pt.Pack(bytes(pt.Pack.storefronts()))
    assert (
        pt.format("1", storefront="USA", pack=other) == pt.format("1", storefront="USA") == "$1.00"
    )


def test_cache_does_not_keep_packs_of_errors():
    for _ in range(3):
        assert code_of(pt.format, "1", storefront="XXX") == "unknown-storefront"


# ---- Packs


def test_embedded_packs():
    for pack in (pt.Pack.storefronts(), pt.Pack.locales()):
        assert pack.versions["pricetag"] == pt.__version__
        assert pack.versions["license"] == "Unicode-3.0"
        assert int(pack.versions["icu"].split(".")[0]) >= 72
        assert len(pack.checksum) == 16
    assert pt.Pack.storefronts() is pt.Pack.storefronts()
    assert pt.Pack.locales() is pt.Pack.locales()
    assert repr(pt.Pack.storefronts()) == "Pack.storefronts()"


def test_names_in_packs():
    storefronts, currencies = (
        pt.Pack.storefronts().storefront_codes,
        pt.Pack.storefronts().currency_codes,
    )
    assert len(storefronts) == 175 and {"USA", "JPN", "BGR"} <= set(storefronts)
    assert {"USD", "JPY", "BGN", "EUR"} <= set(currencies)
    for names in (storefronts, currencies):
        assert names == sorted(set(names))
    for storefront in storefronts:
        assert pt.Formatter(storefront=storefront, date="2026-01-31").currency in currencies


def test_currencies_of_the_locale_pack():
    """All current codes of ISO 4217, also those of funds, metals and units of account."""
    codes = pt.Pack.locales().currency_codes
    special = "BOV CHE CHW CLF COU MXV USN UYI UYW XAG XAU XDR XPD XPT XSU XUA".split()
    assert set(special) <= set(codes) and "DEM" not in codes and len(codes) > 170
    assert pt.format("1.5", locale="de-CH", currency="XAU", rounding="half-even").startswith("XAU")
    assert pt.Pack.locales().storefront_codes == []


def test_version_is_the_repository_s(root):
    assert f'release = "{pt.__version__}"' in (root / "Sources/PriceTag/Versions.swift").read_text(
        encoding="utf-8"
    )


def test_packs_of_bytes_and_files(tmp_path):
    data = bytes(pt.Pack.storefronts())
    path = tmp_path / "pack ä"
    path.write_bytes(data)
    changing = bytearray(data)
    sources = [data, changing, memoryview(changing), str(path), path]
    packs = [pt.Pack(source) for source in sources]
    for index in range(len(changing)):
        changing[index] = 0
    path.write_bytes(b"another file")
    for pack in packs:
        assert bytes(pack) == data and pack.checksum == pt.Pack.storefronts().checksum
        assert pt.format("1200", storefront="JPN", pack=pack) == "￥1,200"
        formatter = pt.Formatter(storefront="JPN", pack=pack)
        del pack
        assert formatter("1200") == "￥1,200"
    assert repr(packs[3]) == f"Pack({str(path)!r})"


def test_damaged_packs(tmp_path):
    data = bytes(pt.Pack.storefronts())
    cases = {
        b"": "not-a-pack",
        b"PriceTag": "not-a-pack",
        data[:-1]: "truncated-pack",
        data + b"\0": "truncated-pack",
        data[:200] + b"\xff" + data[201:]: "damaged-pack",
        b"x" * 1000: "not-a-pack",
    }
    path = tmp_path / "damaged.pack"
    for source, code in cases.items():
        assert code_of(pt.Pack, source) in (code, "truncated-pack")
        path.write_bytes(source)
        assert code_of(pt.Pack, path) in (code, "truncated-pack")
    assert code_of(pt.Pack, tmp_path / "missing.pack") == "unreadable-file"
    assert code_of(pt.Pack, tmp_path) == "unreadable-file"
    with pytest.raises(
        pt.PriceError, match="missing.pack'?: No such file or directory; check the path"
    ):
        pt.Pack(tmp_path / "missing.pack")
    with pytest.raises(ValueError):
        pt.Pack("a\0b")


# ---- Copies


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(protocol):
    own = pt.Pack(bytes(pt.Pack.storefronts()))
    for pack in (pt.Pack.storefronts(), own):
        restored = pickle.loads(pickle.dumps(pack, protocol))
        assert restored.checksum == pack.checksum
        assert (restored is pack) == (pack is not own)
    formatter = pt.Formatter(
        storefront="BGR", date="2025-12-31", width="iso", rounding="up", pack=own
    )
    for restored in (
        pickle.loads(pickle.dumps(formatter, protocol)),
        copy.copy(formatter),
        copy.deepcopy(formatter),
    ):
        assert restored("4.991") == formatter("4.991") == "BGN\xa05.00"
        assert (restored.currency, restored.locale) == ("BGN", formatter.locale)
    error = pickle.loads(pickle.dumps(pt.PriceError("a", "b", "c"), protocol))
    assert (error.code, error.message, error.fix, str(error)) == ("a", "b", "c", "b; c")
    part = pickle.loads(pickle.dumps(USA.parts("1")[0], protocol))
    assert type(part) is pt.Part and part == ("symbol", "$")


def test_named_packs(tmp_path, monkeypatch):
    old, new = pt.Pack("cldr-42"), pt.Pack("cldr-48")
    assert bytes(old) == bytes(pt.Pack.storefronts())
    assert (old.versions["cldr"], new.versions["cldr"]) == ("42.0", "48.0")
    texts = [pt.format("1234", storefront="HUN", pack=pack) for pack in (old, new)]
    assert texts == ["1\xa0234,00\xa0Ft", "1234\xa0Ft"]
    assert repr(new) == "Pack('cldr-48')"
    data = pickle.dumps(new)
    assert len(data) < 1000 and bytes(pickle.loads(data)) == bytes(new)
    formatter = pt.Formatter(storefront="HUN", digits="minor-units", pack=new)
    assert formatter("1234.5") == pickle.loads(pickle.dumps(formatter))("1234.5") == "1234,50\xa0Ft"
    with pytest.raises(pt.PriceError) as error:
        pt.Pack("cldr-47")
    assert error.value.code == "invalid-pack"
    assert "use cldr-42 or cldr-48" in str(error.value)
    monkeypatch.chdir(tmp_path)
    for path in ("./cldr-48", Path("cldr-48"), "cldr-4x", "cldr-"):
        assert code_of(pt.Pack, path) == "unreadable-file"


def test_pickle_of_another_embedded_pack():
    data = pickle.dumps(pt.Pack.storefronts(), 0)
    other = data.replace(pt.Pack.storefronts().checksum.encode(), b"0" * 16)
    assert other != data
    assert code_of(pickle.loads, other) == "pack-mismatch"


def test_pickle_has_the_date_of_the_formatter():
    dated = pt.Formatter(storefront="USA", date="2026-01-31")
    assert b"date" in pickle.dumps(dated) and repr(dated) == repr(pickle.loads(pickle.dumps(dated)))
    assert b"date" not in pickle.dumps(USA) and repr(USA) == repr(pickle.loads(pickle.dumps(USA)))


# ---- The extension


def test_threads():
    expected = {name: pt.format("1234", storefront=name) for name in ("USA", "JPN", "EGY", "DEU")}
    problems = []

    def work():
        for index in range(3000):
            name = ("USA", "JPN", "EGY", "DEU")[index % 4]
            if pt.format("1234", storefront=name) != expected[name]:
                problems.append(name)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems


def test_memory_does_not_grow():
    resource = pytest.importorskip("resource")

    def work(count):
        for _ in range(count):
            formatter = pt.Formatter(
                storefront="USA", width="iso", pack=pt.Pack(bytes(pt.Pack.storefronts()))
            )
            repr(formatter), formatter.parts("1"), pickle.loads(pickle.dumps(formatter)), formatter(
                Decimal("1.5")
            )
            pt.format(
                "1", storefront="USA", pack=formatter and pt.Pack(bytes(pt.Pack.storefronts()))
            )
            for amount in ("x", 2**70, 0.5, Decimal("NaN")):
                try:
                    formatter(amount)
                except (TypeError, pt.PriceError):
                    pass

    # The cache of `format` has at most 256 packs of this test.
    work(600)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(1500)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 8000


def test_import_is_light():
    code = (
        "import sys; before = set(sys.modules); import pricetag_formatter as pt;"
        "pt.format('1', storefront='USA'); new = set(sys.modules) - before;"
        "print(sorted(new & {'lzma', 'pyarrow', 'pyspark', 'duckdb', 'numpy'}))"
    )
    output = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout
    assert output.strip() == "[]"


def test_types_are_final():
    for base in (pt.Pack, pt.Formatter):
        with pytest.raises(TypeError):
            type("Sub", (base,), {})
