"""Measures `pricetag pages` and the first pages of `pricetag serve` with large shops in three storefronts.

    sites.py PRICETAG PRODUCTS...

Prints two tables: one row for each number of products. Times of sites are those of the processor, for the user and the system.
Fails if a run of `pricetag pages` takes more memory than MAXIMUM_MEMORY, in MB.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

CATEGORIES = [
    "Coins", "Gems", "Plans", "Cars", "Tracks", "Skins", "Sounds", "Boosts", "Tools", "Maps", "Badges", "Extras",
]
DATE = "2026-11-22"
MAXIMUM_MEMORY = 60
# A page of another store, and of another language, is also the first one of its kind.
FIRST_PAGES = ["store/usa/en-us/", "store/jpn/ja/", "store/deu/de/"]


def write_shop(path, count):
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            name = CATEGORIES[number % len(CATEGORIES)]
            price = number % 97
            product = {
                "productIdentifier": f"com.example.item{number:05d}",
                "kind": "consumable",
                "category": name.lower(),
                "localizations": {
                    "en-US": {
                        "name": f"{name} pack {number}",
                        "description": f"A pack of {name.lower()} number {number} for every garage, with extras.",
                    },
                    "ja": {"name": f"{name}パック{number}", "description": f"{name}のパック{number}です。"},
                },
                "prices": {"USA": f"{price}.99", "JPN": price * 120 + 160, "DEU": f"{price + 1}.09"},
            }
            file.write(json.dumps(product, ensure_ascii=False) + "\n")


def measure(arguments):
    """Runs a command; returns its processor time in seconds, its peak memory in MB, and what it prints."""
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: exit code {process.returncode}\n{output}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, output


def change_price(pricetag, folder, catalog, count):
    """Changes the price of one product in one storefront."""
    change = {"productIdentifier": f"com.example.item{count // 2:05d}", "prices": {"USA": "1234.56"}}
    with open(f"{folder}/change.jsonl", "w", encoding="utf-8") as file:
        file.write(json.dumps(change) + "\n")
    measure([pricetag, "import", f"{folder}/change.jsonl", "--into", catalog, "--quiet"])


def first_pages(pricetag, catalog):
    """Returns the milliseconds of the first page of each store, from a service that has just started."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    service = subprocess.Popen([pricetag, "serve", catalog, "--port", str(port)], stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/"
    try:
        for _ in range(1000):
            try:
                urllib.request.urlopen(f"{address}ready").read()
                break
            except OSError:
                time.sleep(0.05)
        times = []
        for page in FIRST_PAGES:
            start = time.perf_counter()
            urllib.request.urlopen(address + page).read()
            times.append((time.perf_counter() - start) * 1000)
        return times
    finally:
        service.terminate()
        service.wait()


def main():
    pricetag, counts = sys.argv[1], [int(count) for count in sys.argv[2:]]
    sites, services = [], []
    for count in counts:
        # A new folder for each: creating files takes longer where others were removed a moment ago.
        with tempfile.TemporaryDirectory() as folder:
            shop, catalog = f"{folder}/shop.jsonl", f"{folder}/shop.pricetag"
            write_shop(shop, count)
            measure([pricetag, "import", shop, "--into", catalog, "--quiet"])
            command = [pricetag, "pages", catalog, "-o", f"{folder}/site", "--storefronts", "USA,JPN,DEU", "--at", DATE]
            new, memory, output = measure(command)
            pages = int(output.split(" pages in ")[0].split()[-1])
            again, memory_again, _ = measure(command)
            change_price(pricetag, folder, catalog, count)
            changed, memory_changed, output = measure(command + ["--changed"])
            if "complete run" in output:
                sys.exit(output)
            sites.append(
                f"| {count:,} | {pages:,} | {new:.1f} s | {new / pages * 1e6:.0f} µs | {memory:.0f} MB"
                f" | {again:.1f} s ({again / new:.0%}) | {memory_again:.0f} MB"
                f" | {changed:.1f} s ({changed / new:.1%}) | {memory_changed:.0f} MB |"
            )
            if max(memory, memory_again, memory_changed) > MAXIMUM_MEMORY:
                print("\n".join(sites))
                sys.exit(f"a run takes more than {MAXIMUM_MEMORY} MB")
            rows = [first_pages(pricetag, catalog) for _ in range(5)]
            medians = [sorted(column)[len(column) // 2] for column in zip(*rows)]
            services.append(f"| {count:,} | " + " | ".join(f"{median:.0f} ms" for median in medians) + " |")
    print(
        "| Products | Pages | New site | per page | Peak memory | Again, same inputs | Peak memory"
        " | One changed price, `--changed` | Peak memory |"
    )
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    print("\n".join(sites))
    print("\nThe first pages of `pricetag serve`, on the clock, medians of 5 processes:\n")
    print("| Products | " + " | ".join(f"`{page}`" for page in FIRST_PAGES) + " |")
    print("|--:|--:|--:|--:|")
    print("\n".join(services))


if __name__ == "__main__":
    main()
