#!/usr/bin/env python3
"""Writes the names and texts of Bindings/tables.json into the files of the bindings, between two comments.

Usage: python3 Bindings/tables.py            (writes the generated lines)
       python3 Bindings/tables.py --check    (fails if a file differs from the table)

Places that have the names in lines of their own are only compared with the table.
"""

import json
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = json.loads((ROOT / "Bindings/tables.json").read_text(encoding="utf-8"))
OPTIONS, STATUSES, PARTS = TABLE["options"], TABLE["statuses"], TABLE["parts"]["values"]
STYLE_OPTIONS = [name for name in OPTIONS if name not in ("rounding", "unit", "lenient")]
# The options of which the table has all values; those of a style are a byte of its key.
STYLES = {name: OPTIONS[name]["values"] for name in STYLE_OPTIONS if "byte" in OPTIONS[name]}
CHOICES = {**STYLES, "rounding": OPTIONS["rounding"]["values"]}


def quoted(texts, separator=", "):
    return separator.join(json.dumps(text, ensure_ascii=False) for text in texts)


def wrapped(text, indent="", width=120):
    """Returns the lines of a list whose values have no spaces."""
    return textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent + "    ", break_on_hyphens=False)


def texts(status, host):
    """Returns the code, the message and the fix of a status, in the words of a host."""
    return [status.get(host, {}).get(field, status[field]) for field in ("code", "message", "fix")]


def status_constants():
    for number, status in enumerate(STATUSES):
        comment = status.get("comment", status["message"][0].upper() + status["message"][1:] + ".")
        yield f"  /* {comment} */"
        yield f"  PRICETAG_{status['name']} = {number}{',' if number + 1 < len(STATUSES) else ''}"


def value_constants():
    for option in (*(OPTIONS[name] for name in CHOICES), TABLE["parts"]):
        names = [f"PRICETAG_{option['prefix']}{name.upper().replace('-', '_')}" for name in option["values"]]
        yield f"/* {option['comment']} */"
        constants = ", ".join(f"{name} = {number}" for number, name in enumerate(names))
        yield from wrapped(f"enum {{ {constants} }};", width=125)
        yield ""


def sql_options():
    for name, option in OPTIONS.items():
        yield from wrapped(f'[{name.upper()}] = {{"{name}", {{{quoted(option["values"]) or "NULL"}}}}},', "    ")


def fixes(host):
    for status in STATUSES:
        if host in status:
            yield f"    case PRICETAG_{status['name']}: return {quoted([status[host]['fix']])};"


def javascript():
    yield "const problems = ["
    for status in STATUSES:
        if "phrase" in status:
            continue
        # The module has no files, and its buffers are large enough.
        yield f"  [{quoted(texts(status, 'javascript'))}]," if status.get("javascript", True) else "  null,"
    yield from ("];", "", "// The place of an option in the key of a style, and its values.", "const options = {")
    yield "  __proto__: null,"
    for name, values in STYLES.items():
        yield f"  {name}: [{OPTIONS[name]['byte']}, [{quoted(values)}]],"
    yield "};"


def javascript_phrases():
    for number, status in enumerate(STATUSES):
        if "phrase" in status:
            yield f"  {number}: [{quoted(texts(status, 'javascript'))}],"


def choices():
    for name, values in CHOICES.items():
        yield from wrapped(f'"{name}": ({quoted(values)}),', "    ", 100)


GENERATED = {
    ("Bindings/C/include/pricetag.h", "statuses"): status_constants(),
    ("Bindings/C/include/pricetag.h", "values"): value_constants(),
    ("Bindings/C/pricetag_status.c", "texts"): (f"    {{{quoted(texts(status, 'c'))}}}," for status in STATUSES),
    ("Bindings/SQL/pricetag_sql.c", "fixes"): fixes("sql"),
    ("Bindings/SQL/pricetag_sql.c", "options"): sql_options(),
    ("Bindings/Python/src/native.c", "fixes"): fixes("python"),
    ("Bindings/Python/pricetag_formatter/__main__.py", "choices"): choices(),
    ("Bindings/Python/pricetag_formatter/_style.py", "options"): wrapped(f"{quoted(STYLE_OPTIONS)},", "    ", 100),
    ("Bindings/JavaScript/pricetag.js", "tables"): javascript(),
    ("Bindings/JavaScript/phrases.js", "problems"): javascript_phrases(),
}

COMPARED = {
    "Bindings/C/include/pricetag.hpp": [f"{{ {', '.join(CHOICES['rounding']).replace('-', '_')} }}"],
    "Bindings/JavaScript/pricetag.js": [f"const roundings = [{quoted(CHOICES['rounding'])}]", f"[{quoted(PARTS)}]"],
    "Bindings/JavaScript/pricetag.d.ts": [quoted(values, " | ") for values in (*CHOICES.values(), PARTS)],
    "Bindings/Python/src/native.c": [f"{{{quoted(PARTS)}}}"],
    "Bindings/Arrow/arrow_outputs.c": [f'"{"".join(PARTS)}", {len(PARTS)}, {{0,'],
    "Sources/PriceTagOpenAPI/openapi.json": [quoted(values) for values in CHOICES.values()],
    "docs/packs.md": [", ".join(f"{byte} {name}" for byte, name in enumerate(values)) for values in STYLES.values()],
}

differences = []
for (path, name), lines in GENERATED.items():
    old = (ROOT / path).read_text(encoding="utf-8").split("\n")
    start = next(place for place, line in enumerate(old) if f"Generated from Bindings/tables.json ({name})" in line) + 1
    end = next(place for place, line in enumerate(old) if place >= start and "End of the generated lines." in line)
    new = [*old[:start], *lines, *old[end:]]
    if new != old and "--check" in sys.argv:
        differences.append(f"{path}: the generated lines ({name}) differ; run python3 Bindings/tables.py")
    elif new != old:
        (ROOT / path).write_text("\n".join(new), encoding="utf-8")
for path, expected in COMPARED.items():
    text = " ".join((ROOT / path).read_text(encoding="utf-8").split())
    differences += [f"{path}: there is no {value}" for value in expected if value not in text]
sys.exit("\n".join(differences) or None)
