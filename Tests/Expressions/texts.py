"""Writes prices, foldings and mutations of them, with what the kernel reads them as, for the checks of the regular expressions.

    texts.py FOLDER COUNT [SEED]      with FOLDER/prices.json and FOLDER/store.pack, and libpricetag.so in LD_LIBRARY_PATH

FOLDER/texts.tsv has a line for each text: the storefront, 1 or 0 for the strict and the lenient reading, and the text, with \\n, \\r,
\\t and \\\\ escaped. COUNT is the number of mutations that are not prices of the storefront, byte for byte.
"""

import ctypes
import json
import random
import sys

SPACES = "\t\n\r \u0085\u00a0\u1680\u2000\u2007\u2009\u200a\u2028\u202f\u205f\u3000"
MARKS = "\u200b\u2060\ufeff\u061c\u200e\u200f\u202a\u202c\u2066\u2069"
APOSTROPHES = "'\u2019\u2018\u02bc\u2032\uff07`\u00b4"
SIGNS = "-\u2212\ufe63\uff0d\u2010\u2013+\uff0b\ufe62"
OTHERS = "0123456789\u0660\u0665\u06f0\u06f5\u0966,.;:\uff0c\uff0e\u066b\u066c/\\()[]{}|^*?#~\u2014\u202d\u202e\u00ad$\uff04\ufe69\u20ac\u00a3\uffe1\u00a5\uffe5\u20a9\uffe6\u20b9USDEURkrz\u00e9"
FOLDINGS = [SPACES, APOSTROPHES, SIGNS[:6], SIGNS[6:], ",\uff0c", ".\uff0e", "(\uff08", ")\uff09", "$\uff04\ufe69", "\u00a5\uffe5", "\u00a3\uffe1", "\u20a9\uffe6"]
DAY = 20261128
OUT_OF_RANGE, AMBIGUOUS = 2, 23


class Style(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint8) for name in ["width", "zeros", "sign", "digits", "minimum", "maximum", "grouping", "notation", "qualifier"]]
    _fields_ += [("reserved", ctypes.c_uint8 * 3), ("numbering", ctypes.c_char * 8), ("unit", ctypes.c_char * 8)]


class Formatter:
    library = ctypes.CDLL("libpricetag.so.0")

    def __init__(self, pack, storefront, width=0):
        self.pointer = ctypes.c_void_p()
        status = self.library.pricetag_formatter_for_storefront(
            pack, storefront.encode(), DAY, ctypes.byref(Style(width=width)), ctypes.byref(self.pointer)
        )
        if status:
            raise SystemExit(f"{storefront}: status {status}")
        self.digits = self.library.pricetag_formatter_digits(self.pointer)

    def text(self, units):
        buffer, length = ctypes.create_string_buffer(1024), ctypes.c_size_t()
        status = self.library.pricetag_format_units(self.pointer, ctypes.c_int64(units), self.digits, 0, buffer, ctypes.c_size_t(1024), ctypes.byref(length))
        if status:
            raise SystemExit(f"{units}: status {status}")
        return buffer.raw[: length.value].decode()

    def status(self, text, is_lenient):
        data, units, exponent = text.encode(), ctypes.c_int64(), ctypes.c_int32()
        status = self.library.pricetag_read(
            self.pointer, data, ctypes.c_size_t(len(data)), int(is_lenient), ctypes.byref(units), ctypes.byref(exponent), None
        )
        # The expressions have up to 18 digits before the decimal separator.
        return OUT_OF_RANGE if status == 0 and abs(units.value) >= 10 ** (18 + exponent.value) else status


def units(numbers):
    return numbers.choice([-1, 1, 1, 1]) * (numbers.randrange(10 ** numbers.randint(1, 15)) if numbers.random() < 0.9 else numbers.choice([0, 1, 10, 100, 99999, 1000000, 123456789]))


def folding(text, names, numbers):
    """Changes a price in ways that folding often undoes."""
    result = ""
    for character in text:
        choices = [set for set in FOLDINGS if character in set]
        result += numbers.choice(choices[0]) if choices and numbers.random() < 0.5 else character
    if numbers.random() < 0.5:
        name = numbers.choice(names)
        found = [other for other in names if other in result]
        if found:
            result = result.replace(max(found, key=len), name, 1)
    for _ in range(numbers.randint(0, 3)):
        place = numbers.randint(0, len(result))
        result = result[:place] + numbers.choice(SPACES + MARKS) + result[place:]
    return result


def mutation(text, other, numbers):
    alphabet = numbers.choice([text, text, other, SPACES, MARKS, APOSTROPHES, SIGNS, OTHERS])
    for _ in range(numbers.choice([1, 1, 1, 2, 3])):
        place, character = numbers.randint(0, len(text)), numbers.choice(alphabet)
        match numbers.randrange(5):
            case 0:
                text = text[:place] + text[place + 1 :]
            case 1:
                text = text[:place] + character + text[place:]
            case 2:
                text = text[:place] + character + text[place + 1 :]
            case 3:
                end = numbers.randint(0, len(text))
                text = text[:place] + text[end : end + 1] + text[place + 1 : end] + text[place : place + 1] + text[end + 1 :]
            case _:
                text = text[:place] + numbers.choice([text, "\n", "00", "0", other]) + text[place:]
    return text


def main():
    folder, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 47
    numbers = random.Random(seed)
    pack = ctypes.c_void_p()
    if Formatter.library.pricetag_pack_open_file(f"{folder}/store.pack".encode(), ctypes.byref(pack)):
        raise SystemExit(f"{folder}/store.pack cannot be read")
    with open(f"{folder}/prices.json", encoding="utf-8") as file:
        storefronts = json.load(file)["storefronts"]
    stores = [(id, Formatter(pack, id), [Formatter(pack, id, width) for width in (1, 2)], entry["currency"]) for id, entry in storefronts.items()]
    written = foldings = mutations = lenient = undecided = 0
    with open(f"{folder}/texts.tsv", "w", encoding="utf-8", newline="") as file:

        def add(id, formatter, text):
            statuses = [formatter.status(text, is_lenient) for is_lenient in (False, True)]
            if {OUT_OF_RANGE, AMBIGUOUS} & set(statuses):
                return None
            escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
            results = [int(status == 0) for status in statuses]
            file.write(f"{id}\t{results[0]}\t{results[1]}\t{escaped}\n")
            return results

        rounds = max(1, count // (10 * len(stores)))
        for index in range(rounds):
            for id, formatter, others, currency in stores:
                text = formatter.text(units(numbers))
                add(id, formatter, text)
                written += 1
                names = [currency] + sorted({style.text(0).strip("0.,\u0660\u066b\u00a0 -") for style in [formatter, *others]} - {""})
                foldings += (add(id, formatter, folding(text, names, numbers)) or [0, 0])[1]
                other = numbers.choice(stores)[1].text(units(numbers))
                made = 0
                while made < (count * (index + 1) // rounds - mutations if id == stores[-1][0] else 10):
                    results = add(id, formatter, mutation(text, other, numbers))
                    if results is None:
                        undecided += 1
                    elif not results[0]:
                        made += 1
                        lenient += results[1]
                mutations += made
    length = 10_000
    parts = ["1", "0", "\u0661", " ", "\u00a0", "\n", ",", ".", "1,", "1.", "1 ", "123,", "123.", "-", "$", "\u200f", "E ", "U\n", "\u20ac"]
    hostile = [part * (length // len(part)) for part in parts]
    hostile += ["1" + " " * length + "x", "$" + " " * length + "x", " " * length + "1x", "E" + " " * length + "U", "-" + "\u200f" * length]
    with open(f"{folder}/hostile.json", "w", encoding="utf-8") as file:
        json.dump(hostile, file)
    print(
        f"{written} prices, {foldings} foldings and {mutations} mutations that no storefront writes ({lenient} of them read leniently, "
        f"{undecided} more undecided), in {len(stores)} storefronts, seed {seed}"
    )


main()
