#!/usr/bin/env python3
"""Writes a small pack from docs/packs.md alone, for tests of the kernel without ICU.

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
                lengths = [len(text[start : start + 255]) for start in range(0, len(text), 255)]
                struct.pack_into("<HH", record, field + 4, len(record), len(lengths) | direction(text.decode()) << 14)
                for part in lengths:
                    record.extend((SYMBOL, part))
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
SANS = "".join(chr(0x1D7E2 + i) for i in range(10))
RLM, NBSP = "\u200f", "\u00a0"

# A custom currency.
CUSTOM = "RKT"

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
    ("en-US sans", "USD", pattern([("$", "", "-$", "")], digits=SANS, primary=1, secondary=1, minimum=2), None),
    ("en-US long", "USD", pattern([("<", "x" * 600 + ">", "-<", "y" * 600 + ">")], fraction_digits=18), None),
    ("en-US gap", "USD", pattern([None, ("", " dollars", "-", " dollars")], fraction_digits=0, plurals=ENGLISH), None),
    ("en-US", "RKT", pattern([("", " coins", "-", " coins")], fraction_digits=0), None),
]

# The formatters of the second style, whose width is 2 (iso).
ISO_FORMATTERS = {("en-US", "USD"): pattern([("USD" + NBSP, "", "-USD" + NBSP, "")])}

# Storefront, alpha-2 code, price locale, and its periods: currency, kind, first and last day.
STOREFRONTS = [
    ("BGR", "BG", "de-DE", [("USD", 0, 0, 20251231), ("EUR", 0, 20260101, NONE)]),
    ("DEU", "DE", "de-DE", [("EUR", 0, 0, NONE)]),
    ("JPN", "JP", "ja-JP", [("JPY", 0, 0, NONE)]),
    ("USA", "US", "en-US", [("USD", 0, 0, NONE), (CUSTOM, 1, 0, NONE)]),
]
DIGITS = {"JPY": 0, CUSTOM: 255}

# The names of currencies for lenient reading, folded: a yen sign is the byte 2, a pound sign 3. Other currencies have none.
NAMES = {
    "USD": [b"US$", b"USD", b"$"],
    "JPY": [b"JPY", b"\x02"],
    "EUR": [b"EUR", "€".encode()],
    "CHF": [b"CHF"],
    "EGP": ["ج.م.".encode(), b"EGP", b"\x03"],
    "CNY": [b"CNY", b"\x02"],
}

# Locale, currency, minimum and maximum digits, the members, and the member for zero.
FAMILIES = [("en-US except-zero", "USD", 2, 2, ["en-US always"], "en-US")]


# ---- Phrases

PRICE, COUNT, PERCENT, PHRASE, KEYWORD = 1, 2, 3, 4, 5
PLAIN, INTEGER, PERCENTAGE = 0, 1, 2


def block(*nodes: bytes) -> bytes:
    return struct.pack("<H", sum(map(len, nodes))) + b"".join(nodes)


def text(value: str) -> bytes:
    return struct.pack("<BH", 0, len(value.encode())) + value.encode()


def value(argument: int) -> bytes:
    return struct.pack("<BH", 1, argument)


def styled(argument: int, style: int) -> bytes:
    return struct.pack("<BHBH", 2, argument, style, 0)


HASH = b"\x03"


def plural(argument: int, categories: dict, exact: dict = {}, offset: int = 0, is_ordinal: bool = False) -> bytes:
    mask = sum(1 << category for category in categories)
    rest = struct.pack("<BBHBqH", is_ordinal, mask, len(exact), 0, offset, 0)
    rest += b"".join(struct.pack("<Bq", 0, number) + branch for number, branch in exact.items())
    rest += b"".join(categories[category] for category in sorted(categories))
    return struct.pack("<BHH", 4, argument, 5 + len(rest)) + rest


def select(argument: int, branches: dict) -> bytes:
    rest = struct.pack("<HH", len(branches), 0)
    rest += b"".join(struct.pack("<H", len(keyword.encode())) + keyword.encode() + branch for keyword, branch in branches.items())
    return struct.pack("<BHH", 5, argument, 5 + len(rest)) + rest


# The keys, with the names and kinds of their arguments, sorted. The messages are samples, the same in both languages but for "then".
KEYS = {
    "days": [("count", COUNT)],
    "deep": [("count", COUNT), ("plan", KEYWORD)],
    "nest": [("inner", PRICE), ("plan", KEYWORD)],
    "numbers": [("count", COUNT), ("rate", PERCENT)],
    "per_month": [("price", PRICE)],
    "place": [("count", COUNT)],
    "plan": [("plan", KEYWORD), ("price", PRICE)],
    "save": [("percent", PERCENT)],
    "tax": [],
    "then": [("trial", PHRASE), ("then", PHRASE)],
}
DEEP = block(text("!"))
for level in range(32):
    DEEP = block(plural(0, {5: DEEP}) if level % 2 else select(1, {"a": block(text("a")), "other": DEEP}))
# Needs the most stack: no branch ends its block.
NEST = block(value(0))
for level in range(32):
    NEST = block(select(1, {"other": NEST}), text("."))
MESSAGES = {
    "days": block(plural(0, {ONE: block(HASH, text(" day")), OTHER: block(HASH, text(" days"))}, {0: block(text("no days"))})),
    "deep": DEEP,
    "nest": NEST,
    "numbers": block(value(0), text("/"), styled(0, PLAIN), text("/"), styled(0, INTEGER), text("/"), value(1), text("/"), styled(1, PERCENTAGE)),
    "per_month": block(value(0), text(" per month")),
    "place": block(plural(0, {ONE: block(HASH, text("st")), OTHER: block(HASH, text("th"))}, {2: block(text("second: "), HASH)}, 1, True)),
    "plan": block(select(0, {"family": block(text("family ")), "été": block(text("été ")), "other": block()}), value(1)),
    "save": block(text("Save "), value(0)),
    "tax": block(text("incl. tax")),
    "then": block(value(0), text(" free, then "), value(1)),
}
# The tags, with their languages; None for a tag that is close to none.
TAGS = {"ar": 0, "en": 1, "en-001": None, "en-us": 1}


def phrases() -> bytes:
    languages = [
        ("ar", 1, pattern([("", "", "-", "")], digits=ARABIC, group="٬", decimal="٫", fraction_digits=3), pattern([("", "٪", "-", "٪")], digits=ARABIC, group="٬", decimal="٫", fraction_digits=3)),
        ("en-US", 0, pattern([("", "", "-", "")], fraction_digits=3), pattern([("", "%", "-", "%")], fraction_digits=3)),
    ]
    keys_at = 24
    languages_at = keys_at + 12 * len(KEYS)
    tags_at = languages_at + 36 * len(languages)
    data = bytearray(tags_at + 8 * len(TAGS))
    struct.pack_into("<6I", data, 0, len(languages), languages_at, len(TAGS), tags_at, len(KEYS), keys_at)

    def name(value: str, place: int) -> None:
        struct.pack_into("<iH", data, place, len(data) - place, len(value.encode()))
        data.extend(value.encode() + b"\0")

    def distance(contents: bytes, place: int, field: int) -> int:
        struct.pack_into("<i", data, place + field, len(data) - place)
        data.extend(contents)
        return len(data) - len(contents)

    for number, (tag, language) in enumerate(TAGS.items()):
        name(tag, tags_at + 8 * number)
        struct.pack_into("<H", data, tags_at + 8 * number + 6, 0xFFFF if language is None else language)
    for number, (key, arguments) in enumerate(KEYS.items()):
        place = keys_at + 12 * number
        name(key, place)
        struct.pack_into("<H", data, place + 6, len(arguments))
        first = distance(bytes(8 * len(arguments)), place, 8)
        for index, (argument, kind) in enumerate(arguments):
            name(argument, first + 8 * index)
            struct.pack_into("<H", data, first + 8 * index + 6, kind)
    for number, (tag, direction, decimal, percent) in enumerate(languages):
        place = languages_at + 36 * number
        name(tag, place)
        struct.pack_into("<H", data, place + 6, direction)
        for field, contents in ((8, ENGLISH), (12, ENGLISH), (16, decimal), (20, percent)):
            distance(contents, place, field)
        first = distance(bytes(12 * len(KEYS)), place, 24)
        struct.pack_into("<Ii", data, place + 28, len(KEYS), keys_at - place)
        for index, (key, code) in enumerate(MESSAGES.items()):
            message = first + 12 * index
            # The Arabic language takes a message from the other one, and lacks one.
            owner = 1 if key == "tax" else number
            struct.pack_into("<ii", data, message + 4, languages_at + 36 * owner - message, keys_at + 12 * index - message)
            if number == 1 or key != "save":
                distance(code, message, 0)
    return bytes(data) + bytes(SLACK)


def pack() -> bytes:
    names = [f[:2] for f in FORMATTERS + FAMILIES]
    styles = [bytes(28), bytes([2]) + bytes(27)]
    locales = sorted({locale for locale, _ in names}, key=str.lower)
    currencies = sorted({f[1] for f in FORMATTERS})
    # The formatters of the second style are before the families.
    records, offsets, end = [f[2] for f in FORMATTERS] + list(ISO_FORMATTERS.values()), [], 0
    for record in records:
        offsets.append(end)
        end += len(record)
    texts, places = b"", {}
    for text in locales + ["icu", "1.2", "license", "none"]:
        places[text] = (len(texts), len(text))
        texts += text.encode()
    name_places = {}
    for currency, own in NAMES.items():
        name_places[currency] = len(texts)
        texts += bytes([len(own)]) + b"".join(bytes([len(name)]) + name for name in own)
    spoken_forms = [f[3] for f in FORMATTERS] + [None] * len(ISO_FORMATTERS)
    standard = {name: i + (len(ISO_FORMATTERS) if i >= len(FORMATTERS) else 0) for i, name in enumerate(names)}
    iso = {name: i for i, name in enumerate(ISO_FORMATTERS, len(FORMATTERS))}
    index = {locale: i for (locale, currency), i in standard.items() if currency != CUSTOM}
    # A row for each locale and style. The rows without a formatter are omitted.
    rows, locale_rows = [], []
    for locale in locales:
        for formatters in (standard, iso):
            row = [formatters.get((locale, currency), NONE) for currency in currencies]
            locale_rows.append(NONE if set(row) == {NONE} else len(rows))
            if set(row) != {NONE}:
                rows.append(row)
    storefronts, periods, period_formatters = [], [], []
    for storefront, alpha2, locale, own in STOREFRONTS:
        place = (storefront.encode(), alpha2.encode(), len(periods), len(own), locales.index(locale))
        storefronts.append(struct.pack("<4s4sIHH", *place))
        for currency, kind, first, last in own:
            periods.append(struct.pack("<HHII", currencies.index(currency), kind, first, last))
            # The first currency of BGR is written as in the United States.
            name = ("en-US" if currency == "USD" else locale, currency)
            period_formatters += [standard.get(name, NONE), iso.get(name, NONE)]
    families, family_offsets = b"", []
    for number, (_, _, minimum, maximum, members, zero) in enumerate(FAMILIES, len(records)):
        family_offsets.append(len(families))
        families += struct.pack("<4B", minimum, maximum, 1, 0)
        families += b"".join(struct.pack("<i", 16 * (index[member] - number)) for member in members + [zero])
    counted = lambda elements: (b"".join(elements), len(elements))
    numbers = lambda elements: counted([struct.pack("<I", element) for element in elements])
    sections = [
        (texts, len(texts)),
        counted([struct.pack("<4I", *places["icu"], *places["1.2"]), struct.pack("<4I", *places["license"], *places["none"])]),
        counted(storefronts),
        counted(periods),
        numbers(period_formatters),
        counted([struct.pack("<IHH", *places[l], 0) for l in locales]),
        numbers(locale_rows),
        counted([struct.pack("<12s4BII", c.encode(), DIGITS.get(c, 2), 2, 2, c == CUSTOM, 1, 0) for c in currencies]),
        counted([style + struct.pack("<HH", 0xFFFF, 0) for style in styles]),
        numbers([formatter for row in rows for formatter in row]),
        (bytes(16 * (len(records) + len(FAMILIES))), len(records) + len(FAMILIES)),
        (b"".join(records) + bytes(SLACK), end + SLACK),
        (families, len(families) // 4),
    ]
    data, starts = bytearray(HEADER_SIZE), []
    for number, (contents, count) in enumerate(sections):
        starts.append(len(data))
        struct.pack_into("<II", data, 32 + 8 * number, len(data), count)
        data += contents + bytes(-len(contents) % 8)
    section = phrases()
    struct.pack_into("<II", data, 136, len(data), len(section))
    data += section
    all_names = names[: len(FORMATTERS)] + list(ISO_FORMATTERS)
    names_of = lambda currency, place: starts[0] + name_places[currency] - place if currency in NAMES else 0
    for number, spoken in enumerate(spoken_forms):
        place = starts[10] + 16 * number
        distance = (index[spoken] - number) * 16 & NONE if spoken else NONE
        own_names = names_of(all_names[number][1], place)
        struct.pack_into("<iIIi", data, place, starts[11] + offsets[number] - place, distance, 1, own_names)
    for number, offset in enumerate(family_offsets, len(records)):
        place = starts[10] + 16 * number
        own_names = names_of(FAMILIES[number - len(records)][1], place)
        struct.pack_into("<iIIi", data, place, starts[12] + offset - place, NONE, 2, own_names)
    struct.pack_into("<8sHHI", data, 0, b"PriceTag", 1, 2, len(data))
    struct.pack_into("<Q", data, 16, checksum(data))
    return bytes(data)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], "wb") as file:
        file.write(pack())
