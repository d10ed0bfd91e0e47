"""Matches the texts of FOLDER/texts.tsv with grep -P and the regular expressions of FOLDER/prices.json: check_grep.py FOLDER

Texts are separated by zero bytes, because some contain line feeds. With -z, ^ and $ match at each line, so \\A and \\z enclose
an expression. Each pattern runs once for the texts that it matches and once for all others.
"""

import json
import os
import re
import subprocess
import sys
import time

folder = sys.argv[1]
environment = os.environ | {"LC_ALL": "C.UTF-8"}
with open(f"{folder}/prices.json", encoding="utf-8") as file:
    entries = json.load(file)["storefronts"]
unescape = {"\\n": "\n", "\\r": "\r", "\\t": "\t", "\\\\": "\\"}
texts = {(id, mode, expected): [] for id in entries for mode in (0, 1) for expected in "01"}
total = 0
with open(f"{folder}/texts.tsv", encoding="utf-8", newline="\n") as file:
    for line in file:
        id, strict, lenient, text = line[:-1].split("\t")
        text = re.sub(r"\\.", lambda match: unescape[match[0]], text)
        total += 1
        for mode, expected in enumerate((strict, lenient)):
            texts[id, mode, expected].append(text)


def count(pattern, texts):
    done = subprocess.run(
        ["grep", "--count", "--null-data", "--text", "--perl-regexp", f"\\A(?:{pattern})\\z"],
        input="".join(text + "\0" for text in texts).encode(), capture_output=True, env=environment,
    )
    if done.returncode > 1 or done.stderr:
        raise SystemExit(f"grep: {done.stderr.decode()}{pattern}")
    return int(done.stdout)


failures = 0
slowest = 0.0
with open(f"{folder}/hostile.json", encoding="utf-8") as file:
    hostile = json.load(file)
for id, entry in entries.items():
    for mode, name in enumerate(("strict", "lenient")):
        for expected in "01":
            given = texts[id, mode, expected]
            found = count(entry[name], given)
            if found != (len(given) if expected == "1" else 0):
                failures += 1
                print(f"{id} {name}: {found} of {len(given)} texts match, expected {expected}")
        # All hostile texts many times in a process, whose start takes longer than they do.
        times = []
        for copies in (1, 21):
            start = time.perf_counter()
            failures += count(entry[name], hostile * copies)
            times.append(time.perf_counter() - start)
        slowest = max(slowest, (times[1] - times[0]) / 20 / len(hostile))
version = subprocess.run(["grep", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]
print(f"{version}: {total} texts, {failures} failures; hostile texts {slowest * 1000:.2f} ms on average for the slowest expression")
sys.exit(failures > 0 or slowest > 0.01)
