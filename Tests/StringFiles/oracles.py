"""Compares `pricetag strings lint` and `pseudo` with the tools of each format.

    make test-strings [FILES=FOLDER]

Needs the Debian packages aapt, gnustep-base-runtime and node-i18next. FOLDER has real files to compare as well: below it,
`*.strings`, `*.stringsdict`, `*.xcstrings`, `*.arb`, `values*/strings.xml`, and JSON files whose path has a language.
"""

import ctypes
import ctypes.util
import glob
import json
import os
import plistlib
import re
import shutil
import subprocess
import sys
import tempfile

PRICETAG = os.environ["PRICETAG"]
LANGUAGES = (
    "ar be bg bn ca cs cy da de el en es et fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk ko lt lv mk ml mr ms mt nb "
    "nl pl pt ro ru sk sl sq sr sv sw ta te th tr uk ur vi zh"
).split()
failures = []
counts = {}


def check(oracle, is_equal, message):
    total, wrong = counts.get(oracle, (0, 0))
    counts[oracle] = (total + 1, wrong + (not is_equal))
    if not is_equal:
        failures.append(f"{oracle}: {message}")


def run(*arguments):
    return subprocess.run(arguments, capture_output=True, timeout=600)


def rules(*paths):
    out = run(PRICETAG, "strings", "lint", *paths, "--format", "json").stdout
    return [(finding["rule"], finding["problem"]) for finding in json.loads(out)]


def keys(path, *arguments):
    """Returns the keys of messages that the command says ICU rejects."""
    out = run(PRICETAG, "strings", "lint", path, "--format", "json", *arguments).stdout
    return {finding["key"] for finding in json.loads(out) if finding["rule"] in ("malformed-message", "refused-format") and "unknown plural category" not in finding["problem"]}


def pseudo(path):
    return run(PRICETAG, "strings", "pseudo", path).stdout


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    else:
        yield path, value


# Android: AAPT2 compiles exactly the files without findings of what it rejects.

ANDROID = [
    "plain", "it's", "it\\'s", '"it\'s"', 'say "hi"', '"say hi', "a & b", "a &amp; b", "&apos;", "&#39;", "&nbsp;", "a < b",
    "a &lt; b", "<b>x</b>", "<b>x", "x</b>", "<b>x</i>", "<![CDATA[it's]]>", "<![CDATA[it\\'s & <b>]]>", "<![CDATA[x", "\\u0041",
    "\\u00", "\\ux", "\\q", "\\", "%s %s", "%1$s %2$s", "%s", "%d %%", "50% of %d", "%1$s %s", "@string/x", "\\@x", "?attr/x",
    "'", "\\'", '""', "", "  a  b ", "a<!-- c -->b", "<!-- c", "<a href='x'>y</a>", "<a href=x>y</a>", "<a b='1' b='2'>y</a>",
    "%1$s it''s", "d\\\\'x", "d\\\\\\'x", '"a" \'b', "\n it's\n", "x > y", "x ]]> y", "%n %s", "%-10s %s", "%.2f %d",
    "a<!-- b -- c -->", "<xliff:g>x</xliff:g>", "<a b='&nbsp;'>x</a>", "<a b='1'c='2'>y</a>",
]


def rejected_by_aapt2(text, folder):
    path = os.path.join(folder, "res", "values")
    os.makedirs(path, exist_ok=True)
    file = os.path.join(path, "strings.xml")
    with open(file, "wb") as output:
        output.write(text)
    return run("aapt2", "compile", file, "-o", folder).returncode != 0, file


def is_rejected(found):
    return any(
        rule in ("malformed-entry", "unreadable-file", "duplicate-key") or "AAPT2 rejects" in problem for rule, problem in found
    )


def android(folder, files):
    for text in ANDROID:
        xml = f'<resources><string name="a">{text}</string></resources>'.encode()
        expected, file = rejected_by_aapt2(xml, folder)
        found = rules(file)
        check("aapt2", is_rejected(found) == expected, f"{text!r}: AAPT2 {'rejects' if expected else 'accepts'} it, found {found}")
    for path in files:
        with open(path, "rb") as file:
            contents = file.read()
        expected, copy = rejected_by_aapt2(contents, folder)
        found = [entry for entry in rules(copy) if is_rejected([entry])]
        check("aapt2, real files", bool(found) == expected, f"{path}: AAPT2 {'rejects' if expected else 'accepts'} it, found {found[:3]}")
        if not expected:
            written = pseudo(copy)
            again, _ = rejected_by_aapt2(written, folder)
            check("aapt2, pseudo files", not again, f"{path}: AAPT2 rejects the pseudo-localized file")


# .strings: GNUstep's parser accepts exactly the files that have no malformed entry. Unlike Apple's, it accepts a comment that
# is not closed and entries without a key or value, and rejects apostrophes as quotes; such files are not compared.

STRINGS = [
    '"a" = "b";', "a = b;", '"a" = "b"', '"a" "b";', '"a" = "b;', "/* c */ a;", '"a" = "\\U00e9";', '"a" = "x\\"y";',
    '"a" = "x "y" z";', "// c\na = b;", '"a" = "b\nc";',
]


def strings(folder, files):
    file = os.path.join(folder, "x.strings")
    for text in STRINGS:
        with open(file, "w") as output:
            output.write(text)
        expected = run("plparse", file).returncode != 0
        found = rules(file)
        check("plparse", any(rule == "malformed-entry" for rule, _ in found) == expected, f"{text!r}: {found}")
    for path in files:
        shutil.copy(path, file)
        expected = run("plparse", file).returncode != 0
        found = [rule for rule, _ in rules(file) if rule in ("malformed-entry", "unreadable-file")]
        check("plparse, real files", bool(found) == expected, f"{path}: {found}")
        if not expected:
            with open(file, "wb") as output:
                output.write(pseudo(path))
            check("plparse, pseudo files", run("plparse", file).returncode == 0, path)


# .stringsdict and JSON: the pseudo-localized file has the same structure, and only texts differ.


def same_structure(oracle, parse, path):
    with open(path, "rb") as file:
        original = file.read()
    try:
        before = dict(leaves(parse(original)))
    except Exception:
        check(oracle, bool(rules(path)), f"{path}: the parser rejects it, and there is no finding")
        return
    after = dict(leaves(parse(pseudo(path))))
    changed = [key for key in before if key in after and before[key] != after[key]]
    is_same = list(before) == list(after) and all(isinstance(after[key], str) for key in changed)
    has_texts = any(isinstance(text, str) and any(map(str.isalpha, text)) for key, text in before.items() if not key[0].startswith("@"))
    check(oracle, is_same and (bool(changed) or not has_texts), path)


# ICU: MessageFormat, by its C interface, rejects exactly the messages that lint says it does, except for plural categories: ICU
# accepts any word. Of formats that ICU accepts and PriceTag refuses, such as choice, the samples have none.

MESSAGES = [
    "a", "{", "}", "a {b}", "a {b", "a b}", "{}", "{ }", "{a b}", "{0}", "{-1}", "{00}", "{a,}", "{a, number}", "{a, number, integer}",
    "{a, number, percent}", "{a, number, ::percent}", "{a, date, short}", "{a, time}", "{a, plural}", "{a, plural, other{x}}",
    "{a, plural, one{x}}", "{a, plural, one{x} other{#}}", "{a, plural, =1{x} other{#}}", "{a, plural, =x{x} other{#}}",
    "{a, plural, offset:1 other{#}}", "{a, plural, offset:x other{#}}", "{a, plural, one{x} other{#}", "{a, plural, one x other{#}}",
    "{a, select, x{y}}", "{a, select, x{y} other{z}}", "{a, select, other{z}} }", "{a, select, =1{y} other{z}}",
    "{a, selectordinal, one{#st} other{#th}}", "{a, selectordinal, other}", "it's {a}", "it''s {a}", "'{'a'}'", "'{a", "{a'}", "it's {",
    "{a, plural, other{{b}}}", "{a, plural, other{{b}", "{a, plural, other{'{'}}", "{a, plural, other{'}}", "#", "{ a }", "{a.b}", "{a-b}",
    "{a}{b}{c", "{a, unknown}", "{a, number, #,##0.00}", "{é}", "{a, plural, other {x} }", "{a, select, a b{x} other{y}}", "{1a}",
]


def icu():
    """Returns a function that returns whether ICU accepts a message."""
    version = max(int(path.rsplit(".", 1)[1]) for path in glob.glob("/usr/lib/*/libicui18n.so.[0-9][0-9]"))
    library = ctypes.CDLL(f"libicui18n.so.{version}")
    open_message, close = library[f"umsg_open_{version}"], library[f"umsg_close_{version}"]
    open_message.restype = ctypes.c_void_p
    close.argtypes = [ctypes.c_void_p]

    def accepts(message):
        units = message.encode("utf-16-le")
        status = ctypes.c_int(0)
        opened = open_message(units, len(units) // 2, b"en", None, ctypes.byref(status))
        close(opened)
        return status.value <= 0

    return accepts


def messages(folder, files):
    accepts = icu()
    path = os.path.join(folder, "en.json")
    with open(path, "w") as output:
        json.dump({str(index): message for index, message in enumerate(MESSAGES)}, output)
    rejected = keys(path, "--as", "formatjs")
    os.remove(path)
    for index, message in enumerate(MESSAGES):
        expected = not accepts(message)
        check("ICU", (str(index) in rejected) == expected, f"{message!r}: ICU {'rejects' if expected else 'accepts'} it")
    for path in files:
        with open(path, encoding="utf-8-sig") as file:
            try:
                texts = {".".join(map(str, key)): text for key, text in leaves(json.load(file))}
            except ValueError:
                continue
        arguments = ("--as", "arb" if path.endswith(".arb") else "formatjs")
        rejected = keys(path, *arguments)
        for key, text in texts.items():
            if not isinstance(text, str) or key.startswith("@") or not ("{" in text or "}" in text):
                continue
            # Flutter's messages have no quoting.
            source = text.replace("'", "’") if path.endswith(".arb") and "'{'" not in text and "'}'" not in text else text
            expected = not accepts(source)
            check("ICU, real files", (key in rejected) == expected, f"{path}: {key}: {text!r}: ICU {'rejects' if expected else 'accepts'} it")


# i18next: the categories that i18next resolves are those that lint requires and allows.

RESOLVE = """
const i18next = require('i18next'); const languages = process.argv[1].split(',');
const categories = ['zero','one','two','few','many','other'];
const keys = Object.fromEntries(categories.filter(c => c != 'zero').concat('zero').map(c => ['n_' + c, c]));
const answer = {};
(async () => {
  for (const language of languages) {
    const found = new Set();
    const instance = i18next.createInstance();
    await instance.init({lng: language, fallbackLng: false, resources: {[language]: {translation: keys}}});
    for (let n = 1; n <= 200; n++) found.add(instance.t('n', {count: n}));
    answer[language] = [...found];
  }
  console.log(JSON.stringify(answer));
})();
"""


def i18next(folder):
    os.environ.setdefault("NODE_PATH", "/usr/share/nodejs")
    out = run("node", "-e", RESOLVE, ",".join(LANGUAGES))
    resolved = json.loads(out.stdout)
    for language, categories in resolved.items():
        for left_out in [None, *categories]:
            texts = {f"n_{category}": "{{count}} x" for category in categories if category != left_out}
            if not texts:
                continue
            path = os.path.join(folder, f"{language}.json")
            with open(path, "w") as output:
                json.dump({"t": "{{x}}", **texts}, output)
            found = {rule for rule, _ in rules(path) if rule.endswith("-plural")}
            os.remove(path)
            if left_out is None:
                # The number 0 can have a category that no other number has.
                found -= {"missing-plural"} if language in ("ar", "cy", "lv") else set()
            expected = set() if left_out is None else {"missing-plural"}
            check("i18next", found == expected, f"{language} without {left_out}: {found}, i18next resolves {categories}")


# .xcstrings: the pseudo-localized catalog has one more language, with as many texts for each key as the source language, and is
# otherwise the same.


def catalog(path):
    with open(path, "rb") as file:
        before = json.load(file)
    after = json.loads(pseudo(path))
    source, added = before["sourceLanguage"], "en-XA"
    is_same = list(before) == list(after) and list(before["strings"]) == list(after["strings"])
    for key, entry in before["strings"].items():
        localizations = dict(after["strings"].get(key, {}).get("localizations", {}))
        new = localizations.pop(added, None)
        old = entry.get("localizations", {})
        is_same &= {name: value for name, value in entry.items() if name != "localizations"} == {
            name: value for name, value in after["strings"][key].items() if name != "localizations"
        } and localizations == old
        if new is not None and source in old:
            is_same &= [place for place, _ in leaves(new) if place[-1] == "value"] == [
                place for place, _ in leaves(old[source]) if place[-1] == "value"
            ]
        # A text with letters is translated, and %lld has none.
        letters = re.sub(r"%(\d+\$)?[-+ 0#]*\d*(\.\d+)?(hh|ll|[hlqztj])?[@A-Za-z]", "", key)
        is_same &= new is not None or entry.get("shouldTranslate") is False or source in old or not any(map(str.isalpha, letters))
    check("xcstrings", is_same, path)


def main():
    data = sys.argv[1] if len(sys.argv) > 1 else None
    files = [os.path.join(root, name) for root, _, names in os.walk(data or "") for name in sorted(names)]
    with tempfile.TemporaryDirectory() as folder:
        android(folder, [path for path in files if path.endswith("/strings.xml")])
        strings(folder, [path for path in files if path.endswith(".strings")])
        i18next(folder)
        messages(folder, [path for path in files if path.endswith((".json", ".arb"))])
        for path in files:
            if path.endswith(".stringsdict"):
                same_structure("plistlib", plistlib.loads, path)
            elif path.endswith(".xcstrings"):
                catalog(path)
            elif path.endswith((".json", ".arb")):
                same_structure("json", json.loads, path)
    for failure in failures:
        print(failure)
    for oracle, (total, wrong) in sorted(counts.items()):
        print(f"{oracle}: {total} compared, {wrong} differ")
    sys.exit(1 if failures else 0)


main()
