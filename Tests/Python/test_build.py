"""Tests what the build says if something is missing. `Scripts/wheel` tests the build itself."""

import os
import shutil
import subprocess
import sys

import pytest

setuptools = pytest.importorskip("setuptools")
if int(setuptools.__version__.split(".")[0]) < 77:
    pytest.skip("setuptools is older than 77", allow_module_level=True)


@pytest.fixture
def clone(root, tmp_path):
    """Returns a folder with the files of a clone that the build reads first."""
    shutil.copytree(
        root / "Bindings", tmp_path / "Bindings", ignore=shutil.ignore_patterns("build")
    )
    (tmp_path / "Sources/PriceTag/Kernel").mkdir(parents=True)
    shutil.copy(root / "Sources/PriceTag/Versions.swift", tmp_path / "Sources/PriceTag")
    return tmp_path


def build(clone, **variables):
    """Returns the output of a build that fails."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PRICETAG_")}
    environment.update(variables, SWIFT="/nonexistent/swift")
    done = subprocess.run(
        [sys.executable, "setup.py", "build_ext"],
        cwd=clone / "Bindings/Python",
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    return done.stderr


def test_no_toolchain(clone):
    errors = build(clone)
    assert "the Swift toolchain, which compiles the command that writes packs, is not" in errors
    assert "install the wheel instead" in errors
    packs = clone / "packs"
    packs.mkdir()
    for name in ("storefronts.pack", "locales.pack"):
        (packs / name).write_bytes(b"PriceTag")
    errors = build(clone, PRICETAG_PACKS=str(packs))
    assert "the Swift toolchain, which compiles libpricetag, is not installed" in errors


def test_wrong_variables(clone):
    assert "PRICETAG_PACKS: " in build(clone, PRICETAG_PACKS="/nonexistent")
    assert "PRICETAG_COMMAND: /nonexistent/x is not an executable" in build(
        clone, PRICETAG_COMMAND="/nonexistent/x"
    )
    (clone / "storefronts.pack").touch()
    (clone / "locales.pack").touch()
    errors = build(clone, PRICETAG_PACKS=str(clone), PRICETAG_LIBRARY="/nonexistent/libpricetag.a")
    assert "PRICETAG_LIBRARY: /nonexistent/libpricetag.a does not exist" in errors


def test_no_clone(clone):
    (clone / "Sources/PriceTag/Versions.swift").unlink()
    assert "build in a clone of PriceTag, or install the wheel" in build(clone)
