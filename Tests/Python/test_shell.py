"""Tests `python -m pricetag_formatter`."""

import json
import os
import subprocess
import sys

import pytest

import pricetag_formatter as pt


def run(*arguments, source=b""):
    """Returns the exit code, the output and the errors."""
    done = subprocess.run(
        [sys.executable, "-m", "pricetag_formatter", *arguments], input=source, capture_output=True
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_amounts():
    assert run("1200", "--storefront", "JPN") == (0, "￥1,200\n", "")
    assert run("--storefront", "USA", "-5", "4.99", "--sign", "auto") == (0, "-$5.00\n$4.99\n", "")
    assert run("--locale", "de-CH", "--currency", "CHF", "1234.50") == (0, "CHF\xa01’234.50\n", "")
    assert run("--storefront", "BGR", "--date", "2025-12-31", "--width", "iso", "5") == (
        0,
        "BGN\xa05.00\n",
        "",
    )
    assert run("--storefront", "USA", "--rounding", "half-up", "0.005") == (0, "$0.01\n", "")
    assert run("--storefront", "USA", "--spoken", "49.99") == (0, "49.99 US dollars\n", "")


def test_parts():
    code, output, _ = run("--storefront", "EGY", "--parts", "4.99")
    parts = json.loads(output)
    assert code == 0 and "".join(part["value"] for part in parts) == pt.format(
        "4.99", storefront="EGY"
    )
    assert parts[0]["type"] in ("literal", "integer")


def test_input():
    assert run("--storefront", "USA", source=b"1\r\n\n4.99\n0.50") == (
        0,
        "$1.00\n\n$4.99\n$0.50\n",
        "",
    )
    assert run("--storefront", "USA", source=b"") == (0, "", "")


def test_rejects():
    code, output, errors = run(
        "--storefront", "USA", source=b"1\nx\n" + b"9" * 100_000 + b"\n\xff\n2\n"
    )
    assert (code, output) == (3, "$1.00\n\n\n\n$2.00\n")
    lines = errors.splitlines()
    assert [line.split(":")[0] for line in lines] == ["line 2", "line 3", "line 4"]
    assert lines[0] == (
        "line 2: 'x' is not a decimal amount; write ASCII digits with an optional sign and "
        'fraction, such as "1234.50"'
    )
    assert all(len(line) < 300 for line in lines)
    code, output, errors = run("--storefront", "JPN", "1.5", "x")
    assert (
        (code, output) == (1, "\n\n")
        and errors.startswith("amount 1: 1.5: ")
        and "\namount 2: " in errors
    )


@pytest.mark.parametrize(
    "arguments, expected",
    [
        (["--storefront", "XXX", "1"], 1),
        (["--pack", "/nonexistent/store.pack", "--storefront", "USA", "1"], 1),
        (["1"], 2),
        (["--storefront", "USA", "--locale", "en-US", "1"], 2),
        (["--storefront", "USA", "--width", "wide", "1"], 2),
        (["--storefront", "USA", "--digits", "19", "1"], 2),
        (["--storefront", "USA", "--date", "tomorrow", "1"], 2),
        (["--unknown"], 2),
        (["--storefront", "USA", "--zeros", "trim", "--digits", "7", "1"], 1),
    ],
)
def test_exit_codes(arguments, expected):
    code, output, errors = run(*arguments)
    assert (code, output) == (expected, "")
    assert errors and "Traceback" not in errors
    if not errors.startswith("usage: "):
        assert errors.count("\n") == 1 and ": " in errors and "; " in errors


def test_pack_and_versions(tmp_path):
    path = tmp_path / "store.pack"
    path.write_bytes(bytes(pt.Pack.storefronts()))
    assert run("--pack", str(path), "--storefront", "USA", "1") == (0, "$1.00\n", "")
    code, output, _ = run("--pack", str(path), "--versions")
    assert code == 0
    assert dict(line.split(": ") for line in output.splitlines()) == pt.Pack.storefronts().versions
    assert run("--version") == (0, pt.__version__ + "\n", "")


def test_ascii_terminal():
    command = [
        sys.executable,
        "-m",
        "pricetag_formatter",
        "--storefront",
        "JPN",
        "1200",
        "\N{YEN SIGN}",
    ]
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, env=environment)
    assert (done.returncode, done.stdout.decode()) == (3, "￥1,200\n\n")
    assert "¥" in done.stderr.decode()


def test_closed_pipe():
    code = f"{sys.executable} -m pricetag_formatter --storefront USA | head -n 1"
    source = b"4.99\n" * 200_000
    done = subprocess.run(["bash", "-c", code], input=source, capture_output=True)
    assert done.stdout == b"$4.99\n" and done.stderr == b""
