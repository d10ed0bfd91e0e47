"""Measures one row of docs/benchmarks.md with two builds of the command, in turn.

    row.py ROW [BEFORE]

Measures .build/release/pricetag, or PRICETAG_COMMAND. BEFORE is the executable of another build, such as one of an earlier
commit. Times are minima: of the processor, for the user and the system, except for `jobs`.
"""

import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, f"{os.path.dirname(__file__)}/Pages")
from sites import measure, write_shop  # noqa: E402

BATCH = os.path.dirname(__file__) + "/Batch"
ROUNDS = {"import": 2, "import-again": 2, "site": 2, "changed-price": 1}


class Bench:
    """The inputs of one build, and the command to measure."""

    def __init__(self, pricetag, folder):
        self.pricetag, self.folder = pricetag, folder
        os.mkdir(folder)

    def run(self, *arguments):
        return measure([self.pricetag, *arguments])

    def rows(self, count, form):
        """Returns a file of rows."""
        path, stores = f"{self.folder}/rows.{form}", f"{self.folder}/stores"
        found = json.loads(subprocess.run([self.pricetag, "storefronts", "--json"], capture_output=True, check=True).stdout)
        with open(stores, "w") as file:
            for store in found:
                digits = 2 if set("5٥") & set(store["example"]) else 0
                file.write(f"{store['id']}\t{store['priceLocale']}\t{store['currency']}\t{digits}\n")
        with open(path, "w") as file:
            options = ["-v", f"rows={count}", "-v", f"format={form}"]
            subprocess.run(["awk", *options, "-f", f"{BATCH}/rows.awk", stores], stdout=file, check=True)
        return path

    def batch(self, *options, form="jsonl", count=1_000_000):
        path = self.rows(count, form)
        return lambda: self.run("batch", "--quiet", "--from", form, "--to", form, "-o", "/dev/null", *options, path)

    def catalog(self, count):
        """Returns a file of products with a price in every storefront, and the path of a catalog."""
        stores = json.loads(subprocess.run([self.pricetag, "storefronts", "--json"], capture_output=True, check=True).stdout)
        prices = {store["id"]: "1000" for store in stores}
        path = f"{self.folder}/shop.jsonl"
        with open(path, "w") as file:
            for number in range(count):
                texts = {"en-US": {"name": f"Product {number}"}}
                product = {"productIdentifier": f"com.example.p{number}", "kind": "consumable", "localizations": texts}
                file.write(json.dumps(product | {"prices": prices}) + "\n")
        return path, f"{self.folder}/shop.pricetag"

    def catalog_batch(self):
        path, catalog = self.catalog(10_000)
        self.run("import", path, "--into", catalog, "--quiet")
        options = ["--storefronts", "all", "--languages", "en-US", "--jobs", "1", "-o", "/dev/null"]
        return lambda: self.run("batch", "--quiet", *options, catalog)

    def importing(self, is_again):
        path, catalog = self.catalog(20_000)
        command = ["import", path, "--into", catalog, "--quiet"]
        if is_again:
            self.run(*command)

        def run():
            if not is_again and os.path.exists(catalog):
                os.remove(catalog)
            return self.run(*command)

        return run

    def site(self, count, is_changed):
        path, catalog = f"{self.folder}/shop.jsonl", f"{self.folder}/shop.pricetag"
        write_shop(path, count)
        self.run("import", path, "--into", catalog, "--quiet")
        command = ["pages", catalog, "--storefronts", "USA,JPN,DEU", "--at", "2026-11-22", "-o"]
        number = 0

        def new():
            nonlocal number
            number += 1
            return self.run(*command, f"{self.folder}/site{number}")

        def changed():
            with open(path) as shop, open(f"{self.folder}/changed.jsonl", "w") as file:
                file.write(shop.readline().replace(".99", ".98", 1))
            self.run("import", file.name, "--into", catalog, "--quiet")
            has_option = "--changed" in self.run("pages", "--help")[2]
            return self.run(*command, f"{self.folder}/site1", *(["--changed"] if has_option else []))

        if is_changed:
            new()
        return changed if is_changed else new


ROWS = {
    "json": lambda bench: bench.batch("--jobs", "1"),
    "csv": lambda bench: bench.batch("--jobs", "1", form="csv"),
    "spoken": lambda bench: bench.batch("--jobs", "1", "--fields", "spoken"),
    "html": lambda bench: bench.batch("--jobs", "1", "--fields", "html"),
    "parts": lambda bench: bench.batch("--jobs", "1", "--fields", "parts"),
    "jobs": lambda bench: bench.batch("--jobs", "2", count=4_000_000),
    "catalog": lambda bench: bench.catalog_batch(),
    "import": lambda bench: bench.importing(is_again=False),
    "import-again": lambda bench: bench.importing(is_again=True),
    "site": lambda bench: bench.site(5_000, is_changed=False),
    "changed-price": lambda bench: bench.site(5_000, is_changed=True),
}


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in ROWS:
        sys.exit(f'row.py: unknown row "{name}"; use one of {", ".join(ROWS)}')
    builds = {"after": os.environ.get("PRICETAG_COMMAND", ".build/release/pricetag")}
    if len(sys.argv) > 2 and sys.argv[2]:
        builds = {"before": sys.argv[2]} | builds
    with tempfile.TemporaryDirectory() as folder:
        commands = {label: ROWS[name](Bench(path, f"{folder}/{label}")) for label, path in builds.items()}
        times = {label: [] for label in commands}
        memory = {}
        for _ in range(ROUNDS.get(name, 7)):
            for label, command in commands.items():
                start = time.perf_counter()
                seconds, memory[label], _ = command()
                times[label].append(time.perf_counter() - start if name == "jobs" else seconds)
    seconds = {label: min(values) for label, values in times.items()}
    text = ", ".join(f"{label} {value:.3f} s ({memory[label]:.0f} MB)" for label, value in seconds.items())
    ratio = f", ratio {seconds['after'] / seconds['before']:.2f}" if "before" in seconds else "; BEFORE=FILE measures another build in turn"
    print(f"{name}: {text}{ratio}")


main()
