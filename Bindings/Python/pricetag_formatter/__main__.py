"""Formats prices from the shell: `python -m pricetag_formatter --storefront JPN 1200`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import BinaryIO, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from . import Formatter, Pack, PriceError, __version__

# Exit codes, which are those of the command `pricetag`.
DONE, FAILED, WRONG_COMMAND_LINE, REJECTED = 0, 1, 2, 3

_MAXIMUM_LINE = 4096

_CHOICES = {
    # Generated from Bindings/tables.json (choices); do not edit.
    "width": ("standard", "narrow", "iso", "name", "hidden", "formal", "variant", "unambiguous"),
    "zeros": ("keep", "trim"),
    "sign": ("auto", "accounting", "always", "never", "except-zero", "accounting-always",
        "accounting-except-zero", "negative", "accounting-negative"),
    "grouping": ("auto", "always", "min2", "never"),
    "notation": ("standard", "compact-short", "compact-long"),
    "qualifier": ("none", "approximately", "at-least"),
    "rounding": ("exact", "half-even", "half-up", "half-down", "up", "down", "ceiling", "floor"),
    # End of the generated lines.
}

_TEXTS = {
    "storefront": "the storefront, such as USA; it determines the currency and the price locale",
    "locale": "the price locale, BCP 47, instead of a storefront",
    "currency": "the currency; with --storefront, one that the storefront charges",
    "date": "the date of the price, YYYY-MM-DD, for storefronts that have changed their currency",
    "digits": "the decimals: standard (default), cash, minor-units, 0 to 18, or a range such as 0-2",
    "numbering": "a numbering system of CLDR, such as latn (default: that of the price locale)",
    "per": "the reference of unit prices, such as kg",
}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pricetag_formatter",
        description="Format prices, one per line, as their store displays them. The line of a "
        "rejected amount is empty.",
        epilog="Exit codes: 0 all amounts were formatted; 1 none was; 2 the command line is wrong; "
        "3 some amounts were rejected.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "amounts",
        nargs="*",
        metavar="amount",
        help="an amount, such as 1234.50 (default: lines of the input)",
    )
    for name, text in _TEXTS.items():
        parser.add_argument("--" + name, help=text)
    for name, choices in _CHOICES.items():
        parser.add_argument(
            "--" + name,
            choices=choices,
            help=f"default: {choices[0]}",
            metavar="{" + ",".join(choices) + "}",
        )
    parser.add_argument(
        "--pack", metavar="FILE", help="a pack, or a name: cldr-48 (default: the embedded packs)"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--spoken", action="store_true", help="print the spoken forms")
    form.add_argument(
        "--parts", action="store_true", help="print the parts of each price as a JSON array"
    )
    parser.add_argument(
        "--versions", action="store_true", help="print the versions of the pack, and format nothing"
    )
    parser.add_argument("--version", action="version", version=__version__)
    return parser


def _lines(source: BinaryIO) -> Iterator[Tuple[str, str]]:
    """Yields the place and the text of each line. Only the start of a long line is in memory."""
    number = 0
    while True:
        line = source.readline(_MAXIMUM_LINE)
        if not line:
            return
        rest = line
        while len(rest) == _MAXIMUM_LINE and not rest.endswith(b"\n"):
            rest = source.readline(_MAXIMUM_LINE)
        number += 1
        yield f"line {number}", line.rstrip(b"\r\n").decode("utf-8", "replace")


def _report(place: str, error: PriceError) -> None:
    print(f"{place}: {error}", file=sys.stderr)


def _parts(formatter: Formatter) -> Callable[[str], str]:
    def parts(amount: str) -> str:
        found = [{"type": part.kind, "value": part.text} for part in formatter.parts(amount)]
        return json.dumps(found, ensure_ascii=False)

    return parts


def _print_versions(pack: Pack) -> None:
    for name, version in pack.versions.items():
        sys.stdout.write(f"{name}: {version}\n")


def _format(
    options: Dict[str, Optional[str]], pack: Optional[Pack], form: str, amounts: Sequence[str]
) -> int:
    try:
        formatter = Formatter(pack=pack, **options)
    except PriceError as error:
        _report("pricetag_formatter", error)
        is_usage = error.code in ("invalid-option", "missing-storefront", "malformed-date")
        return WRONG_COMMAND_LINE if is_usage else FAILED
    write: Callable[[str], str] = formatter
    if form == "spoken":
        write = formatter.spoken
    elif form == "parts":
        write = _parts(formatter)
    places = (
        ((f"amount {index}", text) for index, text in enumerate(amounts, 1))
        if amounts
        else _lines(sys.stdin.buffer)
    )
    done = rejected = 0
    for place, text in places:
        # Each line of the output belongs to a line of the input.
        price = ""
        if text or amounts:
            try:
                price = write(text)
                done += 1
            except PriceError as error:
                rejected += 1
                _report(place, error)
        sys.stdout.buffer.write(price.encode() + b"\n")
    sys.stdout.buffer.flush()
    if rejected == 0:
        return DONE
    return REJECTED if done > 0 else FAILED


def main(arguments: Optional[List[str]] = None) -> int:
    """Formats the amounts of a command line, and returns the exit code."""
    parsed = vars(_parser().parse_args(arguments))
    form = "spoken" if parsed["spoken"] else "parts" if parsed["parts"] else "text"
    options = {name: parsed[name] for name in (*_TEXTS, *_CHOICES) if parsed[name] is not None}
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        pack = Pack(parsed["pack"]) if parsed["pack"] is not None else None
        if parsed["versions"]:
            _print_versions(pack or (Pack.locales() if "locale" in options else Pack.storefronts()))
            return DONE
        return _format(options, pack, form, parsed["amounts"])
    except PriceError as error:
        _report("--pack", error)
        return FAILED
    except BrokenPipeError:
        # The reader has closed the pipe. Python would report the flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
