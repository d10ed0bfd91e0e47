#!/usr/bin/env python3
"""Writes a small pack from docs/pack-format.md alone, for tests of the kernel without ICU.

    make_pack.py FILE
"""

import struct
import sys

HEADER_SIZE, SLACK, NONE = 160, 16, 0xFFFFFFFF
LITERAL, SYMBOL, DECIMAL = 0, 1, 4


def checksum(data: bytes) -> int:
    total = 0xCBF29CE484222325
    for start in range(0, len(data) // 8 * 8 + 1, 8):
        if start != 16:
            total ^= int.from_bytes(data[start : start + 8], "little")
            total = (total << 29 | total >> 35) & 0xFFFFFFFFFFFFFFFF
            total = total * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return total


def direction(text: str) -> int:
    for character in text:
        if character in "\u200f\u061c" or "\u0620" <= character <= "\u064a":
            return 2
        if character == "\u200e" or character.isalpha() and character < "\u0590" or "\u0966" <= character <= "\u096f":
            return 1
    return 0


def pattern(
    affixes,
    integer_affixes=(),
    digits=None,
    group=",",
    decimal=".",
    fraction_digits=2,
    primary=3,
    secondary=3,
    minimum=4,
    plurals=b"",
    step=1,
) -> bytes:
    """Affixes are a list of categories, each (prefix, suffix, negative prefix, negative suffix) or None."""
    variants = [v for v in (list(affixes), list(integer_affixes)) if v]
    record = bytearray(40 + 32 * sum(len(v) for v in variants))

    def place(text: bytes, field: int) -> None:
        struct.pack_into("<HH", record, field, len(record), len(text))
        record.extend(text)

    digit_bytes = [d.encode() for d in digits or "0123456789"]
    length = len(digit_bytes[0])
    consecutive = all(d == bytes([digit_bytes[0][0], digit_bytes[0][-1] + i]) for i, d in enumerate(digit_bytes))
    zeros = int.from_bytes(digit_bytes[0] * 4, "little") if length == 2 and consecutive else 0
    struct.pack_into("<8BQ", record, 0, 1, length, fraction_digits, primary, secondary, minimum, len(affixes), DECIMAL, zeros)
    place(group.encode(), 20)
    place(decimal.encode(), 24)
    if length > 1:
        struct.pack_into("<H", record, 28, len(record))
        record.extend(b"".join(d.ljust(4, b"\0") for d in digit_bytes))
    if plurals:
        struct.pack_into("<H", record, 32, len(record))
        record.extend(plurals)
    directions = direction(digits[0] if digits else "0") | direction(group) << 2 | direction(decimal) << 4
    struct.pack_into("<HI", record, 34, directions, step)

    field, longest = 40, 0
    for number, variant in enumerate(variants):
        if number == 1:
            struct.pack_into("<H", record, 30, field)
        for category in variant:
            if category is None:
                for missing in (field, field + 16):
                    struct.pack_into("<H", record, missing + 2, 0xFFFF)
                field += 32
                continue
            texts = [text.encode() for text in category]
            longest = max(longest, len(texts[0]) + len(texts[1]), len(texts[2]) + len(texts[3]))
            for text in texts:
                place(text, field)
                struct.pack_into("<HH", record, field + 4, len(record), (1 if text else 0) | direction(text.decode()) << 14)
                if text:
                    record.extend((SYMBOL, len(text)))
                field += 8
    capacity = longest + 37 * length + 19 * len(group.encode()) + len(decimal.encode()) + 96
    struct.pack_into("<HH", record, 16, capacity, len(record))
    return bytes(record)


def relation(operand: int, ranges, category: int, modulus: int = 0, negated: bool = False, followed: bool = False) -> bytes:
    head = struct.pack("<4BI", operand, negated | followed << 1, len(ranges), category, modulus)
    return head + b"".join(struct.pack("<II", *bounds) for bounds in ranges)


def rules(relations, categories) -> bytes:
    data = b"".join(relations)
    return struct.pack("<BBH", len(relations), sum(1 << c for c in categories), 4 + len(data)) + data


ONE, OTHER = 1, 5
ENGLISH = rules([relation(1, [(1, 1)], ONE, followed=True), relation(2, [(0, 0)], ONE)], [ONE, OTHER])
ARABIC = "".join(chr(0x660 + i) for i in range(10))
DEVANAGARI = "".join(chr(0x966 + i) for i in range(10))
RLM, NBSP = "\u200f", "\u00a0"

# Locale, currency, pattern, and the locale of the spoken form. The names are those of real locales; the patterns are samples.
FORMATTERS = [
    ("en-US", "USD", pattern([("$", "", "-$", "")]), "en-US name"),
    ("en-US name", "USD", pattern([("", " US dollar", "-", " US dollar"), ("", " US dollars", "-", " US dollars")], plurals=ENGLISH), "en-US name"),
    ("en-US trim", "USD", pattern([("$", "", "-$", "")], integer_affixes=[("$", "", "-$", "")]), None),
    ("ja-JP", "JPY", pattern([("￥", "", "-￥", "")], fraction_digits=0, decimal=""), None),
    ("de-DE", "EUR", pattern([("", NBSP + "€", "-", NBSP + "€")], group=".", decimal=","), None),
    ("es-ES", "EUR", pattern([("", NBSP + "€", "-", NBSP + "€")], group=".", decimal=",", minimum=5), None),
    ("de-CH cash", "CHF", pattern([("CHF" + NBSP, "", "CHF-", "")], group="’", step=5), None),
    ("ar-EG", "EGP", pattern([(RLM, NBSP + "ج.م." + RLM, "\u061c-" + RLM, NBSP + "ج.م." + RLM)], digits=ARABIC, group="٬", decimal="٫"), None),
    ("hi-IN deva", "INR", pattern([("₹", "", "-₹", "")], digits=DEVANAGARI, secondary=2), None),
    ("en-US always", "USD", pattern([("+$", "", "-$", "")]), None),
    ("zh-CN hanidec", "CNY", pattern([("¥", "", "-¥", "")], digits="〇一二三四五六七八九"), None),
]

# Locale, currency, minimum and maximum digits, the members, and the member for zero.
FAMILIES = [("en-US except-zero", "USD", 2, 2, ["en-US always"], "en-US")]


def pack() -> bytes:
    names = [f[:2] for f in FORMATTERS + FAMILIES]
    locales = sorted((locale for locale, _ in names), key=str.lower)
    currencies = sorted({f[1] for f in FORMATTERS})
    records, offsets, end = [f[2] for f in FORMATTERS], [], 0
    for record in records:
        offsets.append(end)
        end += len(record)
    texts, places = b"", {}
    for text in locales + ["icu", "1.2", "license", "none"]:
        places[text] = (len(texts), len(text))
        texts += text.encode()
    index = {locale: i for i, (locale, _) in enumerate(names)}
    rows = [[index[l] if names[index[l]][1] == c else NONE for c in currencies] for l in locales]
    families, family_offsets = b"", []
    for number, (_, _, minimum, maximum, members, zero) in enumerate(FAMILIES, len(FORMATTERS)):
        family_offsets.append(len(families))
        families += struct.pack("<4B", minimum, maximum, 1, 0)
        families += b"".join(struct.pack("<i", 16 * (index[member] - number)) for member in members + [zero])
    counted = lambda elements: (b"".join(elements), len(elements))
    sections = [
        (texts, len(texts)),
        counted([struct.pack("<4I", *places["icu"], *places["1.2"]), struct.pack("<4I", *places["license"], *places["none"])]),
        counted([
            struct.pack("<4s4sIHH", b"BGR", b"BG", 0, 2, locales.index("de-DE")),
            struct.pack("<4s4sIHH", b"USA", b"US", 2, 1, locales.index("en-US")),
        ]),
        counted([
            struct.pack("<HHII", currencies.index("USD"), 0, 0, 20251231),
            struct.pack("<HHII", currencies.index("EUR"), 0, 20260101, NONE),
            struct.pack("<HHII", currencies.index("USD"), 0, 0, NONE),
        ]),
        counted([struct.pack("<I", index[l]) for l in ("en-US", "de-DE", "en-US")]),
        counted([struct.pack("<IHH", *places[l], 0) for l in locales]),
        counted([struct.pack("<I", row) for row in range(len(locales))]),
        counted([struct.pack("<12s4BII", c.encode(), 2, 2, 2, 0, 1, 0) for c in currencies]),
        counted([struct.pack("<28xHH", 0xFFFF, 0)]),
        (b"".join(struct.pack("<I", formatter) for row in rows for formatter in row), len(rows) * len(currencies)),
        (bytes(16 * len(names)), len(names)),
        (b"".join(records) + bytes(SLACK), end + SLACK),
        (families, len(families) // 4),
    ]
    data, starts = bytearray(HEADER_SIZE), []
    for number, (contents, count) in enumerate(sections):
        starts.append(len(data))
        struct.pack_into("<II", data, 32 + 8 * number, len(data), count)
        data += contents + bytes(-len(contents) % 8)
    for number, (_, _, _, spoken) in enumerate(FORMATTERS):
        place = starts[10] + 16 * number
        distance = (index[spoken] - number) * 16 & NONE if spoken else NONE
        struct.pack_into("<iII", data, place, starts[11] + offsets[number] - place, distance, 1)
    for number, offset in enumerate(family_offsets, len(FORMATTERS)):
        place = starts[10] + 16 * number
        struct.pack_into("<iII", data, place, starts[12] + offset - place, NONE, 2)
    struct.pack_into("<8sHHI", data, 0, b"PriceTag", 1, 0, len(data))
    struct.pack_into("<Q", data, 16, checksum(data))
    return bytes(data)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "wb") as file:
        file.write(pack())
