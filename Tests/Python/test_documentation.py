"""Runs the examples of the docstrings and of the guide, and checks the stubs."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pricetag_formatter as pt
from pricetag_formatter import _native, _types, testing


class Finder(doctest.DocTestFinder):
    """Finds the examples of the extension, whose functions have no code objects."""

    def find(self, object, name=None, *arguments, **options):
        found = []
        parser = doctest.DocTestParser()
        names = dict(vars(pt))
        for place, item in [("Pack", pt.Pack), ("Formatter", pt.Formatter), ("format", pt.format)]:
            members = [(place, item)]
            if isinstance(item, type):
                members += [(f"{place}.{key}", value) for key, value in vars(item).items()]
            for member, value in members:
                text = getattr(value, "__doc__", None) or ""
                if ">>>" in text:
                    found.append(parser.get_doctest(text, dict(names), member, None, 0))
        return found


def run(tests):
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    for test in tests:
        assert runner.run(test).failed == 0, test.name
    return runner.tries


def test_docstrings_of_the_extension():
    assert run(Finder().find(_native)) >= 12


def test_docstrings_of_the_package():
    finder = doctest.DocTestFinder()
    assert run(finder.find(pt, "pricetag_formatter") + finder.find(_types, "_types")) >= 5
    assert run(finder.find(testing, "testing")) >= 4


def test_everything_public_has_a_docstring():
    for name in pt.__all__:
        if name != "__version__":
            item = getattr(pt, name)
            assert item.__doc__, name
            for key, value in vars(item).items() if isinstance(item, type) else ():
                if not key.startswith("_"):
                    assert value.__doc__, f"{name}.{key}"


def blocks(root, page):
    """Returns the Python code of a page, and the lines at which it starts."""
    text = (root / page).read_text(encoding="utf-8")
    for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, found.start()) + 2, found.group(1)


def test_guide(root, tmp_path, monkeypatch):
    """Runs the blocks in order. The comment after an expression is its result, or its error."""
    pytest.importorskip("pyarrow")
    monkeypatch.chdir(tmp_path)
    Path("store.pack").write_bytes(bytes(pt.Pack.storefronts()))
    names = {"__name__": "guide"}
    checked = 0
    for start, code in blocks(root, "docs/python.md"):
        for needed in re.findall(r"^import (polars|duckdb|pandas)", code, re.MULTILINE):
            pytest.importorskip(needed)
        lines = code.splitlines()
        statement = []
        for number, line in enumerate(lines):
            statement.append(line)
            source = "\n".join(statement)
            following = lines[number + 1] if number + 1 < len(lines) else ""
            if re.match(r"[ \t)\]}]|else|except|elif|finally", following):
                continue
            place = f"docs/python.md, line {start + number - len(statement) + 1}"
            expected = re.search(r"  # (.*)$", line)
            statement = []
            if not expected or re.match(r"(from|import|def|with|class|try|for)\b|\w+ = ", source):
                exec(compile(source, place, "exec"), names)
                continue
            checked += 1
            wanted = expected.group(1)
            error = re.match(r"(TypeError|PriceError|PriceMismatch): (.*)", wanted)
            if error:
                with pytest.raises((TypeError, pt.PriceError, AssertionError)) as caught:
                    eval(compile(source, place, "eval"), names)
                assert type(caught.value).__name__ == error.group(1), place
                text = error.group(2)
                assert str(caught.value).startswith(text[:-1] if text.endswith("…") else text), (
                    place,
                    str(caught.value),
                )
            else:
                result = (
                    repr(eval(compile(source, place, "eval"), names))
                    .replace("\\xa0", "\xa0")
                    .replace("\xa0", " ")
                )
                assert result == wanted.replace("\xa0", " "), place
    assert checked >= 20


def test_guide_has_the_versions_of_the_metadata(root):
    text = (root / "Bindings/Python/pyproject.toml").read_text(encoding="utf-8")
    assert 'requires-python = ">=3.9"' in text
    for version in re.findall(r"Python :: (3\.\d+)", text):
        assert tuple(map(int, version.split("."))) >= (3, 9)
    for name in ("LICENSE", "LICENSE-UNICODE"):
        assert (root / "Bindings/Python" / name).read_bytes() == (
            root / "Bindings/JavaScript" / name
        ).read_bytes()
    assert (root / "Bindings/Python/LICENSE").read_bytes() == (root / "LICENSE").read_bytes()


USES = """
import datetime
from decimal import Decimal
import pricetag_formatter as pt

text: str = pt.format("1", storefront="USA", date=datetime.date(2026, 1, 1), digits=2)
formatter = pt.Formatter(locale="de-CH", currency="CHF", pack=pt.Pack.locales())
parts: list[pt.Part] = formatter.parts(Decimal("1"))
price: str = formatter(1, unit="minor") + formatter.spoken("1") + parts[0].text
direction: str = formatter.direction("1")
digits: int = formatter.digits
versions: dict[str, str] = pt.Pack("store.pack").versions
try:
    formatter("x")
except pt.PriceError as error:
    code: str = error.code
"""

WRONG = """
import pricetag_formatter as pt
pt.format(0.1, storefront="USA")
pt.format("1", store="USA")
pt.Formatter(storefront=5)
"""


def mypy(*arguments, **options):
    # mypy finds installed packages, but not those of PYTHONPATH.
    folder = Path(pt.__file__).parent.parent
    environment = (
        dict(os.environ)
        if folder.name == "site-packages"
        else {**os.environ, "MYPYPATH": str(folder)}
    )
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        capture_output=True,
        text=True,
        env=environment,
        **options,
    )


def test_stubs_match_the_extension(tmp_path):
    pytest.importorskip("mypy")
    done = mypy(
        "mypy.stubtest", "pricetag_formatter._native", "--ignore-disjoint-bases", cwd=tmp_path
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_of_users(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "uses.py").write_text(USES)
    done = mypy("mypy", "--strict", "--no-incremental", "uses.py", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "wrong.py").write_text(WRONG)
    done = mypy("mypy", "--strict", "--no-incremental", "wrong.py", cwd=tmp_path)
    assert done.returncode == 1
    assert [f"wrong.py:{line}" in done.stdout for line in (3, 4, 5)] == [True] * 3, done.stdout


def test_types_of_the_package(root):
    pytest.importorskip("mypy")
    package = root / "Bindings/Python"
    done = mypy("mypy", "--cache-dir", os.devnull, "pricetag_formatter", cwd=package)
    assert done.returncode == 0, done.stdout + done.stderr
