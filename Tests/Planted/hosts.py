#!/usr/bin/env python3
"""Checks one file of rows with 50 planted faults in every host: each must find the same rows and codes.

    hosts.py PRICETAG KERNEL     the command, and the folder of Scripts/build/kernel; the wheel's package is on the path

The regular expressions of `pricetag expect` do not know the amount: `strict` finds every other fault, and `lenient` those texts that
cannot be read.
"""
import csv
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from pricetag_formatter.testing import Expectations, PriceMismatch, assert_price

DAY = "2026-11-28"
FOLDER = pathlib.Path(__file__).parent


def run(*arguments, statuses=(0,)):
    done = subprocess.run([str(one) for one in arguments], capture_output=True, text=True)
    if done.returncode not in statuses:
        sys.exit(f"{arguments[0]} exits with {done.returncode}: {done.stderr}")
    return done.stdout


def checked_codes(report):
    """The code of each line in a report of `check --displayed`."""
    if isinstance(report, dict):
        if "code" in report and "line" in report:
            yield report["line"], report["code"]
        report = list(report.values())
    if isinstance(report, list):
        for member in report:
            yield from checked_codes(member)


def asserted_codes(rows, assertion, **options):
    for row in rows:
        try:
            assertion(row["text"], storefront=row["storefront"], amount=row["amount"], **options)
            yield ""
        except PriceMismatch as mismatch:
            yield mismatch.code


def main(pricetag, kernel):
    failed = False

    def compare(host, found, expected):
        nonlocal failed
        wrong = [(row, one, other) for row, one, other in zip(rows, found, expected) if one != other]
        print(f"{host}: {sum(map(bool, found))} faults of {sum(map(bool, expected))}, {len(wrong)} differ")
        for row, one, other in wrong[:5]:
            print(f"  {row['storefront']} {row['amount']} {ascii(row['text'])}: {one!r}, expected {other!r}")
        failed = failed or len(found) != len(expected) or bool(wrong)

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        text = run(sys.executable, FOLDER / "planted.py", "rows", pricetag)
        rows = list(csv.DictReader(io.StringIO(text)))
        (folder / "rows.csv").write_text(text, encoding="utf-8")
        (folder / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
        run(pricetag, "pack", "--at", DAY, "-o", folder / "store.pack")
        run(pricetag, "expect", folder / "rows.csv", "--at", DAY, "-o", folder / "prices.json")
        expected = [row["expected"] for row in rows]
        report = run(pricetag, "check", "--displayed", folder / "rows.csv", "--at", DAY, "--format", "json", statuses=(3,))
        codes = dict(checked_codes(json.loads(report)))
        compare("pricetag check --displayed", [codes.get(line, "") for line in range(2, len(rows) + 2)], expected)
        compare("pytest, pack of the wheel", list(asserted_codes(rows, assert_price, date=DAY)), expected)
        file = Expectations(folder / "prices.json").assert_price
        compare("pytest, file of expectations", list(asserted_codes(rows, file)), expected)
        node = json.loads(run("node", FOLDER / "matchers.mjs", kernel, folder, DAY))
        compare("toDisplayPrice, pack", node["pack"], expected)
        # Without the kernel, a number with too many digits is a text that is not written.
        unread = ["not-as-written" if code == "amount-out-of-range" else code for code in expected]
        compare("toDisplayPrice, file of expectations", node["expectations"], unread)
        expressions = json.loads((folder / "prices.json").read_text(encoding="utf-8"))["storefronts"]
        for name, accepted in [("strict", ["", "amount"]), ("lenient", ["", "amount", "written-differently"])]:
            found = [not re.fullmatch(expressions[row["storefront"]][name], row["text"]) for row in rows]
            # A row with another amount may also be written differently.
            known = [code not in accepted for code in expected]
            certain = [one or other if code == "amount" else other for one, other, code in zip(found, known, expected)]
            compare(f"the expression {name}", found, certain)
    sys.exit(failed)


main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
