"""The batch job in Python, as fast as it goes: orjson, and Babel's pattern reused for each storefront. (Babel
writes Latin digits, also where a store has others.)

    python3 batch_babel.py STORES ROWS
"""

import sys
from decimal import Decimal

import orjson
from babel import Locale


def main(stores_path, rows_path):
    with open(stores_path, encoding="utf-8") as stores:
        locales = dict(line.split("\t")[:2] for line in stores)
    patterns = {}
    write = sys.stdout.buffer.write
    with open(rows_path, "rb") as rows:
        for line in rows:
            row = orjson.loads(line)
            storefront = row["storefront"]
            reused = patterns.get(storefront)
            if reused is None:
                locale = Locale.parse(locales[storefront], sep="-")
                reused = patterns[storefront] = (locale, locale.currency_formats["standard"])
            locale, pattern = reused
            row["display"] = pattern.apply(Decimal(row["amount"]), locale, currency=row["currency"])
            write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))


main(*sys.argv[1:])
