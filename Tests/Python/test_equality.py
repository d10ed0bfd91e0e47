"""Compares prices with those of the kernel's table and of the command."""

import json
import random
import runpy
import subprocess

import pytest

import pricetag_formatter as pt

ROUNDINGS = ["exact", "half-even", "half-up", "half-down", "up", "down", "ceiling", "floor"]


def price(amount, **options):
    """Returns a price, or the code of its error."""
    try:
        return pt.format(amount, **options)
    except pt.PriceError as error:
        return error.code


def test_table_of_the_kernel(root):
    kernel = root / "Tests/Kernel"
    pack = pt.Pack(runpy.run_path(str(kernel / "make_pack.py"))["pack"]())
    rows = 0
    for line in (kernel / "prices.tsv").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        locale, currency, amount, rounding, expected = line.split("\t")
        if int(rounding) >= len(ROUNDINGS):
            assert expected == "invalid-argument"
            continue
        rows += 1
        found = price(
            amount, locale=locale, currency=currency, rounding=ROUNDINGS[int(rounding)], pack=pack
        )
        assert found == expected, line
    assert rows > 30


STYLES = [{}, {"width": "iso"}, {"width": "name"}, {"width": "narrow"}]


def compare(command, tmp_path, rows, options, style, date):
    """Compares rows with what `pricetag batch` writes."""
    source, output, rejects = (
        tmp_path / name for name in ("rows.jsonl", "output.jsonl", "rejects.jsonl")
    )
    source.write_text(
        "".join(json.dumps({"number": number, **row}) + "\n" for number, row in enumerate(rows)),
        encoding="utf-8",
    )
    arguments = [f"--{name}={value}" for name, value in style.items()]
    done = subprocess.run(
        [
            command,
            "batch",
            source,
            "-o",
            output,
            "--rejects",
            rejects,
            "--quiet",
            "--at",
            date,
            *arguments,
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 3), done.stderr
    expected = {}
    for line in output.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        expected[row["number"]] = row["display"]
    for line in rejects.read_text(encoding="utf-8").splitlines():
        reject = json.loads(line)
        expected[json.loads(reject["row"])["number"]] = reject["code"]
    assert len(expected) == len(rows)
    for number, row in enumerate(rows):
        amount, arguments = options(row)
        found = price(amount, date=date, **arguments, **style)
        assert found == expected[number], row


def amount_of(generator):
    """Returns a random amount: most are prices, some are not."""
    kind = generator.random()
    if kind < 0.05:
        return generator.choice(
            [
                "",
                "x",
                "1e3",
                "1,5",
                "--1",
                "1.",
                ".5",
                "+0",
                "-0.00",
                "9" * 19,
                "0.1234567890123456789",
            ]
        )
    digits = generator.choice([0, 0, 1, 2, 2, 2, 3])
    number = str(generator.randrange(10 ** generator.randrange(1, 12)))
    fraction = (
        "." + "".join(generator.choice("0123456789") for _ in range(digits)) if digits else ""
    )
    return ("-" if generator.random() < 0.1 else "") + number + fraction


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_storefronts(command, tmp_path, style):
    generator = random.Random(str(style))
    listed = json.loads(
        subprocess.run([command, "storefronts", "--json"], check=True, capture_output=True).stdout
    )
    storefronts = [row["id"] for row in listed]
    assert len(storefronts) >= 175
    rows = [
        {"storefront": generator.choice(storefronts), "amount": amount_of(generator)}
        for _ in range(5000)
    ]
    rows += [{"storefront": storefront, "amount": "1234567.5"} for storefront in storefronts]
    compare(
        command,
        tmp_path,
        rows,
        lambda row: (row["amount"], {"storefront": row["storefront"]}),
        style,
        "2026-06-30",
    )


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_locales(command, tmp_path, style):
    generator = random.Random(str(style))
    locales = "en-US de-DE de-AT de-CH fr-FR es-ES es-MX pl-PL ar-EG hi-IN ja-JP pt-BR".split()
    locales += "he-IL fa-IR zh-Hant-TW ee-GH".split()
    currencies = "USD EUR JPY CHF GBP EGP INR KWD BRL ILS IRR TWD CLP XCG".split()
    rows = [
        {
            "locale": generator.choice(locales),
            "currency": generator.choice(currencies),
            "amount": amount_of(generator),
        }
        for _ in range(5000)
    ]
    # A row names its price locale with another key.
    named = [
        {"priceLocale": row["locale"], "currency": row["currency"], "amount": row["amount"]}
        for row in rows
    ]
    compare(
        command,
        tmp_path,
        named,
        lambda row: (row["amount"], {"locale": row["priceLocale"], "currency": row["currency"]}),
        style,
        "2026-06-30",
    )


def test_parts_direction_and_spoken(command):
    for storefront in ("USA", "EGY", "ISR", "CHE", "JPN", "IND", "THA", "BRA"):
        formatter = pt.Formatter(storefront=storefront)
        for amount in ("0", "-12345", "7"):
            arguments = [command, "format", "--storefront", storefront, "--json", "--", amount]
            expected = json.loads(subprocess.run(arguments, check=True, capture_output=True).stdout)
            assert [
                {"type": part.kind, "value": part.text} for part in formatter.parts(amount)
            ] == expected["parts"]
            assert formatter.direction(amount) == expected["direction"]
            assert formatter.spoken(amount) == expected["spoken"]
            assert (formatter.currency, formatter.locale) == (
                expected["currency"],
                expected["priceLocale"],
            )
