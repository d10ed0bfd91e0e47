"""Matches the texts of FOLDER/texts.tsv with the regular expressions of FOLDER/prices.json: check.py FOLDER"""

import json
import re
import sys
import time

folder = sys.argv[1]
with open(f"{folder}/prices.json", encoding="utf-8") as file:
    entries = json.load(file)["storefronts"]
expressions = {id: [re.compile(entry[mode]) for mode in ("strict", "lenient")] for id, entry in entries.items()}
with open(f"{folder}/hostile.json", encoding="utf-8") as file:
    hostile = json.load(file)
unescape = {"\\n": "\n", "\\r": "\r", "\\t": "\t", "\\\\": "\\"}
texts = failures = 0
with open(f"{folder}/texts.tsv", encoding="utf-8", newline="\n") as file:
    for line in file:
        id, strict, lenient, text = line[:-1].split("\t")
        text = re.sub(r"\\.", lambda match: unescape[match[0]], text)
        texts += 1
        for mode, expected in enumerate((strict, lenient)):
            if (expressions[id][mode].fullmatch(text) is not None) != (expected == "1"):
                failures += 1
                if failures <= 20:
                    print(f"{id} {('strict', 'lenient')[mode]} expected {expected}: {ascii(text)}")
slowest = 0.0
for id, pair in expressions.items():
    for pattern in pair:
        if pattern.groups != len(entries[id]["groups"]):
            failures += 1
        for text in hostile:
            times = []
            # Processor time and the best of three, because other programs run too.
            for _ in range(3):
                start = time.process_time()
                failures += pattern.fullmatch(text) is not None
                times.append(time.process_time() - start)
            slowest = max(slowest, min(times))
print(f"Python {sys.version.split()[0]}: {texts} texts, {failures} failures; slowest hostile text {slowest * 1000:.2f} ms")
sys.exit(failures > 0 or slowest > 0.01)
