"""The batch job in Python, with orjson and Babel's format_currency. Reuses one locale per storefront. (Babel always writes
Latin digits.)

    python3 batch_babel.py STORES ROWS
"""

import sys
from decimal import Decimal

import orjson
from babel import Locale
from babel.numbers import format_currency


def main(stores_path, rows_path):
    with open(stores_path, encoding="utf-8") as stores:
        locales = dict(line.split("\t")[:2] for line in stores)
    reused = {}
    write = sys.stdout.buffer.write
    with open(rows_path, "rb") as rows:
        for line in rows:
            row = orjson.loads(line)
            storefront = row["storefront"]
            locale = reused.get(storefront)
            if locale is None:
                locale = reused[storefront] = Locale.parse(locales[storefront], sep="-")
            row["display"] = format_currency(Decimal(row["amount"]), row["currency"], locale=locale)
            write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))


main(*sys.argv[1:])
