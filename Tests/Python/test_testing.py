"""Tests the assertions of pricetag_formatter.testing, and the pytest plugin."""

import json
import shutil
import sys
from decimal import Decimal
from pathlib import Path

import pytest

import pricetag_formatter as pt
from pricetag_formatter.testing import Expectations, PriceMismatch, assert_price

pytest_plugins = ["pytester"]

# The storefront, the amount, a displayed text, and the code of the failure.
FINDINGS = [
    ("DEU", "49.99", "49,99\u00a0€", None),
    ("DEU", "49.99", "49,99 €", "written-differently"),
    ("DEU", "49.99", "49,99€", "written-differently"),
    ("DEU", "49.99", "\u200f49,99\u00a0€", "written-differently"),
    ("CHE", "1234.50", "CHF\u00a01'234.50", "written-differently"),
    ("DEU", "49.99", "94,99\u00a0€", "amount"),
    ("DEU", "49.99", "-49,99\u00a0€", "amount"),
    ("DEU", "49.99", "4.999,00 €", "amount"),
    ("DEU", "49.99", "49.99\u00a0€", "not-as-written"),
    ("DEU", "49.99", "€49,99", "not-as-written"),
    ("DEU", "49.99", "49,99\u00a0$", "not-as-written"),
    ("DEU", "49.99", "ab 49,99\u00a0€", "not-as-written"),
    ("DEU", "49.99", "Gratis", "not-a-price"),
    ("DEU", "49.99", "", "not-a-price"),
    ("DEU", "49.99", "1" * 25 + "\u00a0€", "amount-out-of-range"),
    ("DEU", "49.99", "9" * 5000, "text-too-long"),
    ("JPN", "1200", "￥1,200", None),
    ("JPN", "1200", "￥120", "amount"),
    ("JPN", "1200", "￥1200", "not-as-written"),
    ("EGY", "249.99", "\u200f٢٤٩٫٩٩\u00a0ج.م.\u200f", None),
    ("EGY", "249.99", "٢٤٩٫٩٩ ج.م.", "written-differently"),
]


def code_of(check, text, **arguments):
    """Returns the code of a failure; None if the assertion holds."""
    try:
        check(text, **arguments)
        return None
    except PriceMismatch as failure:
        assert str(failure).splitlines()[0].endswith(f"differently: {failure.code}")
        assert failure.text == text and failure.expected != text
        return failure.code


def expectations_of(rows, **changes):
    """Returns the contents of a file of expectations."""
    storefronts = {}
    prices = []
    for number, (storefront, amount) in enumerate(sorted(set(rows))):
        formatter = pt.Formatter(storefront=storefront)
        storefronts[storefront] = {
            "currency": formatter.currency,
            "locale": formatter.locale,
            "strict": r"^-?(\d{1,3}(?:\.\d{3})*,\d\d)\u00a0€$" if storefront == "DEU" else "^(?!)$",
            "lenient": "^(?!)$",
            "groups": ["digits"],
        }
        prices.append(
            {
                "product": f"com.example.{number}",
                "storefront": storefront,
                "amount": amount,
                "currency": formatter.currency,
                "text": formatter(amount),
            }
        )
    return {
        "format": "pricetag-expectations",
        "version": 1,
        "storefronts": storefronts,
        "prices": prices,
        **changes,
    }


@pytest.fixture
def prices(tmp_path):
    """Returns the path of a file of expectations with the prices of the table."""
    path = tmp_path / "prices.json"
    contents = expectations_of([(storefront, amount) for storefront, amount, _, _ in FINDINGS])
    path.write_text(json.dumps(contents), encoding="utf-8")
    return path


@pytest.mark.parametrize("storefront, amount, text, code", FINDINGS, ids=lambda x: ascii(x)[:20])
def test_findings(prices, storefront, amount, text, code):
    for check in (assert_price, Expectations(prices).assert_price):
        arguments = {"storefront": storefront, "amount": amount}
        assert code_of(check, text, **arguments) == code
        accepted = None if code == "written-differently" else code
        assert code_of(check, text, **arguments, lenient=True) == accepted


def test_message():
    with pytest.raises(PriceMismatch) as caught:
        assert_price("CHF 1'234.50", storefront="CHE", amount=Decimal("1234.50"))
    assert str(caught.value) == "\n".join(
        [
            "CHE displays 1234.50 CHF differently: written-differently",
            '  - expected   "CHF\\u{A0}1’234.50"',
            '  + displayed  "CHF 1\'234.50"',
            "    at 4: U+0020 SPACE, expected U+00A0 NO-BREAK SPACE",
            "    at 6: U+0027 APOSTROPHE, expected U+2019 RIGHT SINGLE QUOTATION MARK",
            "  To correct it, write the expected characters, or accept these with lenient=True.",
        ]
    )
    with pytest.raises(PriceMismatch) as caught:
        assert_price("\u200f\t\ud80049,99\u00a0€\0", storefront="DEU", amount="49.99")
    assert '"\\u{200F}\\u{9}\\u{D800}49,99\\u{A0}€\\u{0}"' in str(caught.value)
    assert "at 2: unexpected U+0009\n" in str(caught.value)
    with pytest.raises(PriceMismatch) as caught:
        assert_price("94,99", storefront="DEU", amount="49.99")
    assert "at 6: missing U+00A0 NO-BREAK SPACE\n" in str(caught.value)
    with pytest.raises(PriceMismatch) as caught:
        assert_price("x" * 100_000, storefront="DEU", amount="49.99")
    assert "    … and 248 more\n" in str(caught.value)
    assert len(str(caught.value)) < 1500


def test_options():
    assert_price("USD\u00a04.99", storefront="USA", amount="4.99", width="iso")
    assert_price("BGN\u00a05.00", storefront="BGR", amount=5, date="2025-12-31", currency="BGN")
    assert_price("€\u00a01.234,50", locale="de-AT", currency="EUR", amount="1234.50")
    assert_price("$5.00", storefront="USA", amount="4.999", rounding="half-even")
    with pytest.raises(pt.PriceError, match="has more decimals"):
        assert_price("$5.00", storefront="USA", amount="4.999")
    with pytest.raises(pt.PriceError, match="does not have the storefront"):
        assert_price("$5.00", storefront="XXX", amount="5")
    for wrong in (b"$5.00", 5, None):
        with pytest.raises(TypeError, match="text must be a str or a locator"):
            assert_price(wrong, storefront="USA", amount="5")
    with pytest.raises(TypeError, match="float"):
        assert_price("$5.00", storefront="USA", amount=5.0)


def test_expectations(prices, tmp_path):
    expected = Expectations(prices)
    expected.assert_price(
        "49,99\u00a0€", storefront="DEU", amount=Decimal("49.990"), currency="EUR"
    )
    expected.assert_price("49,99\u00a0€", storefront="DEU", amount="49.99", product="com.example.1")
    for arguments in (
        {"storefront": "DEU", "amount": "5"},
        {"storefront": "XXX", "amount": "49.99"},
        {"storefront": "DEU", "amount": "49.99", "currency": "USD"},
        {"storefront": "DEU", "amount": "49.99", "product": "com.example.club"},
    ):
        with pytest.raises(pt.PriceError) as caught:
            expected.assert_price("49,99\u00a0€", **arguments)
        assert caught.value.code == "unknown-price"
    with pytest.raises(TypeError, match="float"):
        expected.assert_price("49,99\u00a0€", storefront="DEU", amount=49.99)
    other = tmp_path / "other.json"
    for contents in ({}, [], "x", {"format": "pricetag-expectations", "version": 2}):
        other.write_text(json.dumps(contents))
        with pytest.raises(pt.PriceError) as caught:
            Expectations(other)
        assert caught.value.code == "invalid-expectations"
    with pytest.raises(FileNotFoundError):
        Expectations(tmp_path / "none.json")


def test_expectations_in_another_form(tmp_path):
    """The file decides, not the pack: a shop writes prices as its own pages do."""
    contents = expectations_of([("DEU", "49.99")])
    contents["prices"] = [
        {"storefront": "DEU", "amount": "49.99", "currency": "EUR", "text": "EUR 49.99"},
        {"storefront": "DEU", "amount": "49.99", "currency": "EUR", "text": "€ 49.99"},
        {
            "storefront": "DEU",
            "amount": "5",
            "currency": "XXQ",
            "expressions": "DEU de-DE XXQ",
            "text": "XXQ 5.00",
        },
    ]
    contents["storefronts"]["DEU de-DE XXQ"] = {"locale": "de-DE", "strict": r"^XXQ (\d+\.\d\d)$"}
    contents["storefronts"]["DEU"]["strict"] = r"^(?:EUR|€) (\d+\.\d\d)$"
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(contents))
    check = Expectations(path).assert_price
    assert code_of(check, "EUR 49.99", storefront="DEU", amount="49.99") is None
    assert code_of(check, "€ 49.99", storefront="DEU", amount="49.99") is None
    assert code_of(check, "EUR 94.99", storefront="DEU", amount="49.99") == "amount"
    assert code_of(check, "EUR 49,99", storefront="DEU", amount="49.99") == "not-as-written"
    assert code_of(check, "XXQ 6.00", storefront="DEU", amount="5") == "amount"
    # Neither pack has the currency, so that no other text can be read.
    assert code_of(check, "XXQ 6", storefront="DEU", amount="5") == "not-as-written"


class Locator:
    """An object with the methods of Playwright's locators."""

    def __init__(self, text, direction):
        self.text, self.direction, self.count = text, direction, 0

    def inner_text(self):
        return self.text

    def evaluate(self, expression):
        assert "direction" in expression
        self.count += 1
        return self.direction


def test_locators():
    arab = Locator("\u200f٢٤٩٫٩٩\u00a0ج.م.\u200f", "ltr")
    assert_price(arab, storefront="EGY", amount="249.99")
    assert arab.count == 0
    with pytest.raises(PriceMismatch, match="direction is ltr in CSS, rtl in the price"):
        assert_price(arab, storefront="EGY", amount="24.99")
    with pytest.raises(PriceMismatch, match="The direction is rtl in CSS[.]"):
        assert_price(Locator("49,99", "rtl"), storefront="DEU", amount="49.99")

    class Asynchronous:
        async def inner_text(self):
            return "x"

    with pytest.raises(TypeError, match="await locator.inner_text"):
        assert_price(Asynchronous(), storefront="DEU", amount="49.99")


def test_playwright():
    """A page in Debian's Chromium. `make test-engines` installs Playwright, which has 50 MB."""
    pytest.importorskip("playwright")
    from playwright.sync_api import sync_playwright

    chromium = shutil.which("chromium")
    if not chromium:
        pytest.skip("could not import 'playwright' with a browser: there is no chromium")
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_content(
            "<p id=club>49,99&nbsp;€</p><p id=shop dir=rtl>49,99 €</p>"
            "<bdi id=egypt>\u200f٢٤٩٫٩٩&nbsp;ج.م.\u200f</bdi>"
        )
        assert_price(page.locator("#club"), storefront="DEU", amount="49.99")
        assert_price(page.locator("#egypt"), storefront="EGY", amount="249.99")
        with pytest.raises(PriceMismatch, match="is rtl in CSS[.]") as caught:
            assert_price(page.locator("#shop"), storefront="DEU", amount="49.99")
        assert caught.value.code == "written-differently"
        browser.close()


# ---- The plugin

TEST = """
    def test_club(assert_price):
        assert_price("49,99\\u00a0€", storefront="DEU", amount="49.99")

    def test_page(assert_price):
        assert_price("49,99 €", storefront="DEU", amount="49.99")
"""


def check_results(result):
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            '>*assert_price("49,99 €", storefront="DEU", amount="49.99")',
            "E * DEU displays 49.99 EUR differently: written-differently",
            'E *- expected   "49,99\\u{A0}€"',
            'E *+ displayed  "49,99 €"',
            "E *at 6: U+0020 SPACE, expected U+00A0 NO-BREAK SPACE",
        ]
    )
    # The frames of the helpers are hidden.
    result.stdout.no_fnmatch_line("*testing.py*")


def test_fixture(pytester):
    pytester.makepyfile(TEST)
    check_results(pytester.runpytest())


@pytest.mark.parametrize("way", ["option", "setting", "function", "class"])
def test_ways(pytester, prices, way):
    arguments = []
    if way == "option":
        arguments = ["--price-expectations", "prices.json"]
    elif way == "setting":
        pytester.makeini("[pytest]\nprice_expectations = prices.json\n")
    source = TEST
    if way == "function":
        source = source.replace("(assert_price)", "()")
        source = "    from pricetag_formatter.testing import assert_price\n" + source
    elif way == "class":
        source = source.replace("(assert_price)", "()").replace(
            " assert_price", " prices.assert_price"
        )
        source = (
            "    from pricetag_formatter.testing import Expectations\n"
            f"    prices = Expectations({str(prices)!r})\n" + source
        )
    pytester.makepyfile(source)
    if Path(prices).parent != pytester.path:
        shutil.copy(prices, pytester.path / "prices.json")
    check_results(pytester.runpytest(*arguments))


def test_setting_of_a_subfolder(pytester, prices):
    folder = pytester.mkdir("tests")
    shutil.copy(prices, pytester.path / "prices.json")
    pytester.makeini("[pytest]\nprice_expectations = prices.json\n")
    (folder / "test_it.py").write_text(
        'def test_it(assert_price):\n    assert_price("5", storefront="DEU", amount="5")\n',
        encoding="utf-8",
    )
    pytester.chdir()
    result = pytester.runpytest("tests")
    result.stdout.fnmatch_lines(["*prices.json has no price of 5 in DEU; correct the test*"])


def test_missing_file(pytester):
    pytester.makepyfile(TEST)
    result = pytester.runpytest("--price-expectations", "none.json")
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*No such file*none.json*"])


def test_the_plugin_is_lazy(pytester):
    pytester.makepyfile(
        """
        import sys

        def test_not_imported():
            assert "pricetag_formatter_pytest" in sys.modules
            assert "pricetag_formatter" not in sys.modules
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_pytest_is_no_dependency(pytester):
    script = pytester.makepyfile(
        """
        import sys
        import pricetag_formatter.testing
        assert "pytest" not in sys.modules
        """
    )
    assert pytester.run(sys.executable, str(script)).ret == 0
