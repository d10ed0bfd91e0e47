#!/usr/bin/env python3
"""Writes the code of a guide as programs that can be compiled and run.

    guide_code.py PAGE FOLDER

The first block of each language is a complete program. Every other block becomes a program of its own: it is the contents of a
function with the variables of the guide's first program, `pack` and `formatter`. The expected output of a program is in the
comments behind its lines that print. It is written to a file with the same name and the ending `.expected`.
"""

import pathlib
import re
import sys

C = """#include <errno.h>
#include <pricetag.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int example(const pricetag_pack *pack, const pricetag_formatter *formatter) {
  (void)pack, (void)formatter;
%s  return 0;
}

int main(void) {
  const pricetag_pack *pack;
  const pricetag_formatter *formatter;
  if (pricetag_pack_open_file("store.pack", &pack) != PRICETAG_OK) return 1;
  if (pricetag_formatter_for_storefront(pack, "USA", 0, NULL, &formatter) != PRICETAG_OK) return 1;
  return example(pack, formatter);
}
"""

CPP = """#include <pricetag.hpp>

#include <iostream>

static void example(const pricetag::pack &pack, const pricetag::formatter &formatter) {
  (void)pack, (void)formatter;
%s}

int main() {
  pricetag::pack pack("store.pack");
  example(pack, pack.storefront("USA"));
}
"""


def main(page: str, folder: str) -> None:
    output = pathlib.Path(folder)
    output.mkdir(parents=True)
    text = pathlib.Path(page).read_text(encoding="utf-8")
    counts = {"c": 0, "cpp": 0}
    for language, code in re.findall(r"^```(c|cpp)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        counts[language] += 1
        lines = code.splitlines(keepends=True)
        printing = [line for line in lines if " printf(" in " " + line or "std::cout" in line]
        expected = [re.sub(r".*  // ", "", line) if "  // " in line else "" for line in printing]
        if not all(expected):
            sys.exit(f"{page}: a line prints without a comment that states its output:\n{code}")
        if "int main(" not in code:
            code = (C if language == "c" else CPP) % "".join("  " + line if line.strip() else line for line in lines)
        name = f"block-{counts[language]}.{language}"
        (output / name).write_text(code, encoding="utf-8")
        (output / f"{name}.expected").write_text("".join(expected), encoding="utf-8")
    if counts["c"] < 5 or counts["cpp"] < 1:
        sys.exit(f"{page}: only {counts} blocks of code")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
