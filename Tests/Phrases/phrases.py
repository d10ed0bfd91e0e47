"""Formats the rows of rows.py with the Python package.

python3 phrases.py FOLDER
"""

import sys
from pathlib import Path

import pricetag_formatter as pt

folder = Path(sys.argv[1])
pack = pt.Pack(folder / "phrases.pack")
formatters, phrases, differences, count = {}, {}, [], 0


def formatter(storefront):
    if storefront not in formatters:
        formatters[storefront] = pt.Formatter(storefront=storefront, date="2026-06-30", pack=pack)
    return formatters[storefront]


def phrase(tag, fields):
    key, values = next(fields), {}
    for _ in range(int(next(fields))):
        name, kind = next(fields), next(fields)
        if kind == "M":
            values[name] = phrase(tag, fields)
        else:
            value = next(fields)
            values[name] = pt.FormattedPrice(formatter(value), next(fields)) if kind == "P" else value
    return phrases[tag].format(key, **values)


for row in (folder / "vectors.tsv").read_text(encoding="utf-8").split("\n")[:-1]:
    tag, isolation, expected, *fields = row.split("\t")
    if tag not in phrases:
        phrases[tag] = pt.Phrases(pack, tag)
    found = phrase(tag, iter(fields))
    count += 1
    if (found.plain if isolation == "1" else found) != expected:
        differences.append(f"{row}\n  {found!r}")
print(f"Python: {count} phrases, {len(differences)} differences", *differences[:5], sep="\n")
sys.exit(1 if differences else 0)
