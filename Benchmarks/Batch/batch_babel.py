"""The batch job in Python: orjson, and Babel's format_currency with a locale that is reused for each storefront. (Babel
writes Latin digits, also where a store has others.)

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
