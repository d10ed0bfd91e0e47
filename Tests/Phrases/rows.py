#!/usr/bin/env python3
"""Writes a pack with phrases, one without them, and rows of phrases, with the text that the command gives for each.

    rows.py COMMAND FOLDER [RANDOM]     RANDOM is the number of random messages of a shop

FOLDER/vectors.tsv has a row for each message, language and plural sample of CLDR: the requested tag, 1 without isolates, the expected
text, the key, and the arguments in order. An argument is a name, a kind and its value: P a storefront and an amount, N a number, K a
keyword, M a key, the number of its arguments, and these.
"""

import json
import random
import re
import subprocess
import sys
from pathlib import Path

STOREFRONTS = {"USA": "1234.50", "DEU": "9.99", "JPN": "1200", "EGY": "249.99", "IND": "123456.00", "FRA": "0.99"}
# They contain the samples of all plural rules of CLDR 42 to 48.
COUNTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 31, 36, 40, 42, 61, 80, 81]
COUNTS += [100, 101, 102, 103, 104, 105, 106, 111, 112, 113, 200, 300, 1000, 1001, 10000, 100000, 1000000, 2000000, 10000000, -1]
COUNTS += ["0.0", "0.1", "0.2", "0.5", "0.9", "1.0", "1.1", "1.2", "1.3", "1.5", "1.6", "2.0", "2.1", "3.5", "9.9", "10.0", "10.1", "1000.5", "0.00001", "1.99999", "1234567.891"]
PERCENTS = [0, 1, 16, 100, 1234, "12.5", "0.123456", -3]
PHRASES = {"then": "price_per_month", "offer": "price_per_week", "trial": "days", "duration": "months", "tax": "tax_included_vat"}
LANGUAGES = ["ar", "de", "en-US", "fr-FR", "hi", "ja", "pl", "ru", "sl", "he"]


def price(number):
    storefront = list(STOREFRONTS)[number % len(STOREFRONTS)]
    return ("P", storefront, STOREFRONTS[storefront])


class Random:
    """Random messages of a shop, in the syntax of ICU."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def message(self):
        self.names = {}
        return self.block(0, False), self.names

    def block(self, depth, in_plural):
        return "".join(self.node(depth, in_plural) for _ in range(self.random.randint(1, 3)))

    def node(self, depth, in_plural):
        choice = self.random.randrange(9 if depth < 3 else 5)
        if choice == 0:
            return self.random.choice(["a ", "é", "価格", " − ", "'{'", "''", "للشراء ", "<&>", "\u00a0"]) + ("'#'" if in_plural else "")
        if choice == 1:
            return "{" + self.name("p", "price") + "}"
        if choice == 2:
            return "#" if in_plural else "x"
        if choice == 3:
            return "{" + self.name("n", "count") + ", number" + self.random.choice(["", ", integer"]) + "}"
        if choice == 4:
            return "{" + self.name("r", "rate") + ", number, percent}"
        if choice == 5:
            keywords = self.random.sample(["a", "b", "été", "other1"], self.random.randint(0, 3))
            branches = [f"{k} {{{self.block(depth + 1, False)}}}" for k in keywords + ["other"]]
            return "{" + self.name("k", "keyword") + ", select, " + " ".join(branches) + "}"
        kind = self.random.choice(["plural", "plural", "selectordinal"])
        offset = self.random.choice(["", "", "offset:1 "])
        exact = [f"={n} " for n in self.random.sample([0, 1, 2, 3], self.random.randint(0, 2))]
        categories = self.random.sample(["zero", "one", "two", "few", "many"], self.random.randint(0, 5)) + ["other"]
        branches = [f"{s} {{{self.block(depth + 1, True)}}}" for s in exact + categories]
        return "{" + self.name("n", "count") + f", {kind}, {offset}" + " ".join(branches) + "}"

    def name(self, letter, kind):
        name = letter + str(self.random.randrange(2))
        self.names[name] = kind
        return name


def main():
    command, folder = sys.argv[1], Path(sys.argv[2])
    random_count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    strings = folder / "strings"
    strings.mkdir(parents=True, exist_ok=True)
    source, own, kinds = Random(20260101), {}, {}
    while len(own) < random_count:
        text, names = source.message()
        if names and len(text) < 1500:
            key = f"own-{len(own)}"
            own[key], kinds[key] = text, names
    (strings / "en-US.json").write_text(json.dumps(own, ensure_ascii=False))
    for language in LANGUAGES:
        (strings / f"{language}.json").write_text(json.dumps(own, ensure_ascii=False))
    pack = folder / "phrases.pack"
    prices = [command, "pack", "--storefronts", ",".join(STOREFRONTS)]
    subprocess.run([*prices, "-o", str(folder / "prices.pack")], check=True)
    subprocess.run([*prices, "--phrases", "all", "--strings", str(strings), "-o", str(pack)], check=True)
    shown = subprocess.run([command, "pack", "--show", str(pack)], check=True, capture_output=True, text=True).stdout
    listed = {line.split(" (")[0]: line.split(": ")[1].split() for line in shown.splitlines() if ": " in line and " (" in line}
    keys, languages = listed["phrases"], listed["languages"]
    texts = json.loads((Path(__file__).parent / "../../LocaleData/strings/en-US.json").read_text())

    rows = []
    for language in languages:
        for key in keys:
            if key in own:
                rows += own_rows(source.random, language, key, kinds[key], own) if language in LANGUAGES else []
            else:
                rows += store_rows(language, key, texts[key]["defaultMessage"])
    write(command, folder, rows)


def arguments_of(text):
    return list(dict.fromkeys(re.findall(r"\{(\w+)[,}]", text)))


def store_rows(language, key, text):
    names = [n for n in arguments_of(text) if n not in ("one", "other")]
    samples = COUNTS if "count" in names or "page" in names else PERCENTS if "percent" in names else range(len(STOREFRONTS))
    for place, sample in enumerate(samples):
        arguments = {}
        for number, name in enumerate(names):
            if name in ("count", "percent", "page", "pages"):
                arguments[name] = ("N", str(sample))
            elif name in PHRASES:
                inner = PHRASES[name]
                own = {} if inner.startswith("tax") else {"count": ("N", str(2 + place))} if inner in ("days", "months") else {"price": price(place + number)}
                arguments[name] = ("M", inner, own)
            else:
                arguments[name] = price(place + number)
        yield language, place % 2, key, arguments


def own_rows(generator, language, key, kinds, own):
    for place in range(4):
        arguments = {}
        for name in arguments_of(own[key]):
            kind = kinds.get(name)
            if kind == "price":
                arguments[name] = price(generator.randrange(6))
            elif kind == "keyword":
                arguments[name] = ("K", generator.choice(["a", "b", "été", "other", "none", ""]))
            elif kind:
                arguments[name] = ("N", str(generator.choice(COUNTS)))
        yield language, place % 2, key, {name: value for name, value in arguments.items() if name in kinds}


def write(command, folder, rows):
    """Formats all messages with the command, those inside others too, and writes the rows."""
    requests, places = [], {}
    own = json.loads((folder / "strings/en-US.json").read_text())

    def request(language, isolation, key, arguments):
        args = {}
        for name, value in arguments.items():
            if value[0] == "P":
                args[name] = {"storefront": value[1], "amount": value[2], "at": "2026-06-30"}
            elif value[0] == "N":
                percent = name == "percent" or name[0] == "r" and key in own
                args[name] = {"percent": value[1]} if percent else f"<{value[1]}>"
            elif value[0] == "K":
                args[name] = value[1]
            else:
                args[name] = f"\u0001{name}\u0001"
        row = {"language": language, "args": args, "isolation": isolation}
        row.update({"message": own[key]} if key in own else {"key": key})
        # Numbers keep their zeros: 1.0 is not 1 in plural rules.
        line = re.sub(r'"<(-?[0-9.]+)>"', r"\1", json.dumps(row, ensure_ascii=False))
        return places.setdefault(line, len(places))

    for language, isolation, key, arguments in rows:
        inner = {n: request(language, isolation, v[1], v[2]) for n, v in arguments.items() if v[0] == "M"}
        requests.append((request(language, isolation, key, arguments), inner))
    texts = [None] * len(places)
    for isolation, option in ((0, "isolates"), (1, "none")):
        lines = [(line, place) for line, place in places.items() if json.loads(line)["isolation"] == isolation]
        given = "\n".join(line for line, _ in lines).encode()
        result = subprocess.run([command, "strings", "format", "--messages", "-", "--isolation", option], input=given, capture_output=True)
        answers = result.stdout.decode().split("\n")[:-1]
        if result.returncode != 0 or len(answers) != len(lines):
            errors = [answer for answer in answers if "error" in json.loads(answer)]
            sys.exit(f"{len(answers)} of {len(lines)} messages, {result.stderr.decode()[:2000]}{errors[:3]}")
        for answer, (_, place) in zip(answers, lines):
            texts[place] = json.loads(answer)["text"]
    with open(folder / "vectors.tsv", "w", encoding="utf-8", newline="") as file:
        for (language, isolation, key, arguments), (place, inner) in zip(rows, requests):
            text = texts[place]
            # A phrase in the same language is not isolated, unlike other text.
            for name, number in inner.items():
                marker = f"\u0001{name}\u0001"
                text = text.replace(f"\u2068{marker}\u2069", texts[number]).replace(marker, texts[number])
            fields = [language, str(isolation), text, key, str(len(arguments))]
            for name, value in arguments.items():
                fields += [name, value[0], value[1]]
                if value[0] == "P":
                    fields.append(value[2])
                elif value[0] == "M":
                    fields.append(str(len(value[2])))
                    for inner_name, inner_value in value[2].items():
                        fields += [inner_name, *inner_value]
            file.write("\t".join(fields) + "\n")
    print(f"{len(rows)} phrases")


main()
