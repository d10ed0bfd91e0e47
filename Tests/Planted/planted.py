#!/usr/bin/env python3
"""Plants 50 faults in displayed prices, for tests of every host that checks them. The same seed gives the same faults.

    planted.py rows PRICETAG [--seed 47] > planted.csv     rows of 8 storefronts: storefront, amount, text, and the expected code
    planted.py site FOLDER [--seed 47] > expected.txt      faults in the pages of a site; prints file:line:code of each

The expected code of each kind of fault follows from the rules of reading; no code of PriceTag computes it.
"""
import argparse
import csv
import html
import io
import pathlib
import random
import re
import subprocess
import sys
import unicodedata

COUNT = 50
STOREFRONTS = ["USA", "DEU", "CHE", "JPN", "EGY", "IND", "FRA", "SWE"]
AMOUNTS = ["0.49", "0.99", "1.99", "2.49", "4.99", "9.99", "12.50", "19.99", "29.99", "49.99", "79.90", "99.00", "160.00"]
AMOUNTS += ["249.00", "499.99", "999.95", "1049.99", "1234.50", "2999.00", "9876.54", "12345.00", "123456.78", "1234567.89"]
MARKS = "\u061c\u200e\u200f"


def number(text):
    """The text before the number, the number from its first to its last digit, and the text after it."""
    places = [place for place, character in enumerate(text) if character.isdigit()]
    return text[: places[0]], text[places[0] : places[-1] + 1], text[places[-1] + 1 :]


def with_number(text, change):
    before, digits, after = number(text)
    changed = change(digits)
    return changed and before + changed + after


def replaced(old, new):
    return lambda text: text.replace(old, new) if old in text else None


def other_amount(text):
    def change(digits):
        last = unicodedata.digit(digits[-1])
        return digits[:-1] + chr(ord(digits[-1]) - last + (last + 1) % 10)

    return with_number(text, change)


def ascii_digits(text):
    changed = "".join(str(unicodedata.digit(one)) if one.isdigit() else one for one in text)
    return changed if changed != text else None


def one_ascii_digit(text):
    return with_number(text, lambda digits: None if digits[0].isascii() else str(unicodedata.digit(digits[0])) + digits[1:])


def swapped_separators(text):
    swap = str.maketrans(",.", ".,")
    return with_number(text, lambda digits: digits.translate(swap) if "," in digits and "." in digits else None)


def missing_group(text):
    return with_number(
        text, lambda digits: (lambda new: new if new != digits else None)(re.sub(r"^(\d{1,3})\D(?=\d{3})", r"\1", digits))
    )


def truncated_decimals(text):
    return with_number(text, lambda digits: digits[:-1] if re.search(r"\d[.,\u066b]\d\d$", digits) else None)


def other_side(text):
    before, digits, after = number(text)
    if any(mark in text for mark in MARKS) or bool(before) == bool(after):
        return None
    return after.strip() + "\u00a0" + digits if after else digits + "\u00a0" + before.strip()


def out_of_range(text):
    return with_number(text, lambda digits: "9" * 30 if digits.replace(",", "").replace(".", "").isascii() else None)


def without_marks(text):
    changed = "".join(one for one in text if one not in MARKS)
    return changed if changed != text else None


# The kinds of faults: a change of the text, or None where it does not apply, and the code.
KINDS = [
    ("another amount", other_amount, "amount"),
    ("a space that breaks lines", replaced("\u00a0", " "), "written-differently"),
    ("a narrow space", replaced("\u00a0", "\u202f"), "written-differently"),
    ("without direction marks", without_marks, "written-differently"),
    ("ASCII digits", ascii_digits, "written-differently"),
    ("a typed apostrophe", replaced("\u2019", "'"), "written-differently"),
    ("a fullwidth comma", lambda text: with_number(text, replaced(",", "\uff0c")), "written-differently"),
    ("a code for a symbol", replaced("€", "EUR"), "written-differently"),
    ("one ASCII digit", one_ascii_digit, "not-as-written"),
    ("another currency", replaced("€", "£"), "not-as-written"),
    ("another currency", replaced("$", "₹"), "not-as-written"),
    ("swapped separators", swapped_separators, "not-as-written"),
    ("without a group separator", missing_group, "not-as-written"),
    ("the symbol on the other side", other_side, "not-as-written"),
    ("truncated decimals", truncated_decimals, "not-as-written"),
    ("an encoded entity", replaced("\u00a0", "&nbsp;"), "not-as-written"),
    ("a doubled price", lambda text: text + text, "not-as-written"),
    ("an invisible character in the number", lambda text: with_number(text, lambda d: d[:1] + "\u200b" + d[1:]), "not-as-written"),
    ("a mark after it", lambda text: text + "*", "not-as-written"),
    ("a dash", lambda text: "—", "not-a-price"),
    ("too many digits", out_of_range, "amount-out-of-range"),
    ("a long text", lambda text: text + "x" * 5000, "text-too-long"),
]
OTHER_STOREFRONT = ("the price of another storefront", None, "not-as-written")


def symbols(text):
    return {one for one in text if not one.isdigit() and one not in MARKS + "\u00a0\u202f.,’'\u066b\u066c"}


def plant(prices, seed):
    """Returns the indices of changed prices, each with its new text and code. Every kind that applies is used as often as others.

    A price is a storefront and a text."""
    numbers = random.Random(seed)
    order = list(range(len(prices)))
    numbers.shuffle(order)
    kinds = KINDS + [OTHER_STOREFRONT]
    planted = {}
    turn = 0
    while len(planted) < COUNT:
        _, change, code = kinds[turn % len(kinds)]
        turn += 1
        for index in order:
            storefront, text = prices[index]
            if index in planted or not any(one.isdigit() for one in text):
                continue
            if change:
                new = change(text)
            else:
                other = prices[numbers.choice(order)]
                # Digits of another script would be no digits for this storefront.
                is_readable = any(one in "0123456789" for one in other[1])
                new = other[1] if is_readable and other[0] != storefront and symbols(other[1]) != symbols(text) else None
            if new:
                planted[index] = (new, code)
                break
    return planted


def rows(pricetag, seed):
    source = [(storefront, amount) for storefront in STOREFRONTS for amount in AMOUNTS]
    source = [(s, a.split(".")[0] if s == "JPN" else a) for s, a in source]
    table = io.StringIO()
    csv.writer(table).writerows([("storefront", "amount"), *source])
    command = [pricetag, "batch", "-", "--quiet"]
    written = subprocess.run(command, input=table.getvalue(), capture_output=True, check=True, encoding="utf-8").stdout
    texts = [row["display"] for row in csv.DictReader(io.StringIO(written))]
    planted = plant([(storefront, text) for (storefront, _), text in zip(source, texts)], seed)
    output = csv.writer(sys.stdout, lineterminator="\n")
    output.writerow(("storefront", "amount", "text", "expected"))
    for index, ((storefront, amount), text) in enumerate(zip(source, texts)):
        text, code = planted.get(index, (text, ""))
        output.writerow((storefront, amount, text, code))


def site(folder, seed):
    marked = re.compile(r'data-amount="[^"]*">([^<]*)</span>')
    pages, prices, places = {}, [], []
    for path in sorted(pathlib.Path(folder).rglob("*.html")):
        page = path.read_text("utf-8")
        storefront = re.search(r'<html[^>]* data-storefront="(\w+)"', page)
        if not storefront:
            continue
        pages[path] = page
        # One price of a page for every line that has one.
        lines = {page.count("\n", 0, match.start()) + 1: match for match in marked.finditer(page)}
        for line, match in lines.items():
            prices.append((storefront[1], html.unescape(match[1])))
            places.append((path, line, match))
    planted = plant(prices, seed)
    for index in sorted(planted, key=lambda index: (places[index][0], -places[index][2].start())):
        path, line, match = places[index]
        text, code = planted[index]
        page = pages[path]
        pages[path] = page[: match.start(1)] + html.escape(text, quote=False) + page[match.end(1) :]
        path.write_text(pages[path], "utf-8")
        print(f"{path}:{line}:{code}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["rows", "site"])
    parser.add_argument("path", help="the command pricetag, or the folder of a site")
    parser.add_argument("--seed", type=int, default=47)
    arguments = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8")
    (rows if arguments.mode == "rows" else site)(arguments.path, arguments.seed)


main()
