#!/usr/bin/env python3
"""Reads prices by the rules of docs/reading.md, and compares with what PriceTag reads.

The program `ReadBackProof` runs this script and writes one JSON object per line to it: how a formatter writes prices, and
texts with the amounts that a strict and a lenient reader of PriceTag read, null for an error. This script shares no code
with PriceTag. It prints each difference, then a line with the number of texts, and exits with 1 if there is a difference.
"""

import json
import sys

SPACES = set(map(chr, [*range(0x9, 0xE), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F,
                       0x205F, 0x3000]))
MARKS = set(map(chr, [0x200B, 0x2060, 0xFEFF, 0x61C, 0x200E, 0x200F, 0x202A, 0x202C, 0x2066, 0x2068, 0x2069]))
APOSTROPHES = "'\u2019\u2018\u02bc\u2032\uff07`\u00b4"
IN_NUMBER = {**dict.fromkeys(SPACES, " "), **dict.fromkeys(APOSTROPHES, "'"), "\uff0c": ",", "\uff0e": "."}
OUTSIDE = {
    **dict.fromkeys(SPACES | MARKS, ""), **dict.fromkeys(APOSTROPHES, "'"),
    **dict.fromkeys("-\u2212\ufe63\uff0d\u2010\u2013", "-"), **dict.fromkeys("\uff0b\ufe62", "+"),
    "\uff08": "(", "\uff09": ")", "\uff04": "$", "\ufe69": "$", "\uffe5": "\u00a5", "\uffe1": "\u00a3",
    "\uffe6": "\u20a9",
}
IN_NUMBER, OUTSIDE = str.maketrans(IN_NUMBER), str.maketrans(OUTSIDE)
ASCII_DIGITS = "0123456789"
# The name of the currency, in folded text. No text of the proof has this noncharacter.
NAME = "\uffff"


class Formatter:
    """How a formatter writes prices, and the two readings of a text."""

    def __init__(self, facts):
        self.__dict__.update(facts)
        self.own = {digit: ascii for digit, ascii in zip(self.digits, ASCII_DIGITS)}
        self.is_ascii = self.digits == ASCII_DIGITS
        self.to_own = str.maketrans(ASCII_DIGITS, self.digits)
        self.to_ascii = str.maketrans(self.own)
        folded = {name.translate(OUTSIDE) for name in self.names}
        folded = {name for name in folded if name and not any(c in name for c in ASCII_DIGITS + "-+()")}
        self.folded_names = sorted(folded, key=lambda name: -len(name.encode()))
        self.affixes = [(False, *self.positive), (True, *self.negative)]

    def written(self, digits, negative):
        """Returns the price whose digits, ASCII and with the fraction, are given."""
        _, prefix, suffix = self.affixes[negative]
        end = len(digits) - self.fraction
        integer, fraction = digits[:end], digits[end:]
        if len(integer) >= self.minimum:
            size, groups = self.sizes[0], []
            while len(integer) > size:
                groups.insert(0, integer[-size:])
                integer, size = integer[:-size], self.sizes[1]
            integer = self.group.join([integer, *groups])
        number = integer + (self.decimal + fraction if fraction else "")
        return prefix + (number if self.is_ascii else number.translate(self.to_own)) + suffix

    def fold_outside(self, text):
        text = text.translate(OUTSIDE)
        for name in self.folded_names:
            if name in text:
                break
        else:
            return text
        folded, place = [], 0
        while place < len(text):
            name = next((name for name in self.folded_names if text.startswith(name, place)), None)
            folded.append(NAME if name else text[place])
            place += len(name) if name else 1
        return "".join(folded)

    def fold(self, text):
        places = [i for i, c in enumerate(text) if c in self.own or c in ASCII_DIGITS]
        if not places:
            return self.fold_outside(text)
        start, end = places[0], places[-1] + 1
        number = text[start:end]
        if not self.is_ascii and not any(c in ASCII_DIGITS for c in number):
            number = number.translate(self.to_ascii)
        return self.fold_outside(text[:start]) + number.translate(IN_NUMBER) + self.fold_outside(text[end:])

    def read(self, text, lenient):
        """Returns the amount as decimal text, and None for a text that is not a price of the formatter."""
        compared = self.fold(text) if lenient else text
        known = ASCII_DIGITS if lenient else self.digits
        digits = "".join(c for c in compared if c in known)
        if not lenient and not self.is_ascii:
            digits = digits.translate(self.to_ascii)
        if len(digits) <= self.fraction or len(digits) > 18:
            return None
        # A number starts with zero only if it is below one.
        if len(digits) > self.fraction + 1 and digits[0] == "0":
            return None
        for negative in (False, True):
            if negative and not digits.strip("0"):
                continue
            written = self.written(digits, negative)
            if compared == (self.fold(written) if lenient else written):
                integer = digits[:len(digits) - self.fraction]
                amount = integer + ("." + digits[-self.fraction:] if self.fraction else "")
                return "-" + amount if negative else amount
        return None


def main():
    count = accepted = differences = 0
    for line in sys.stdin:
        facts = json.loads(line)
        formatter = Formatter(facts)
        for text, strict, lenient in facts["reads"]:
            count += 1
            expected = formatter.read(text, False), formatter.read(text, True)
            accepted += expected[1] is not None
            if expected != (strict, lenient):
                differences += 1
                if differences <= 20:
                    print(f"DIFFERENCE {formatter.formatter} {text!a}: {strict}, {lenient}; the rules give {expected}")
    print(count, accepted, differences)
    sys.exit(1 if differences else 0)


main()
