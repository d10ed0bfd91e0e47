"""Tests what the build says if something is missing. `Scripts/build/wheel` tests the build itself."""

import lzma
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

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
    shutil.copytree(root / "LocaleData/packs", tmp_path / "LocaleData/packs")
    (tmp_path / "Sources/PriceTag/Kernel").mkdir(parents=True)
    shutil.copy(root / "Sources/PriceTag/Versions.swift", tmp_path / "Sources/PriceTag")
    return tmp_path


def run(clone, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PRICETAG_")}
    environment.update(variables, SWIFT="/nonexistent/swift")
    return subprocess.run(
        [sys.executable, "setup.py", "build_ext"],
        cwd=clone / "Bindings/Python",
        env=environment,
        capture_output=True,
        text=True,
    )


def build(clone, **variables):
    """Returns the output of a build that fails."""
    done = run(clone, **variables)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    return done.stderr


def test_no_toolchain(clone):
    errors = build(clone)
    assert "the Swift toolchain, which compiles the command that writes packs, is not" in errors
    assert "install the wheel instead" in errors
    pack = clone / "locales.pack"
    pack.write_bytes(b"PriceTag")
    errors = build(clone, PRICETAG_LOCALES_PACK=str(pack))
    assert "the Swift toolchain, which compiles libpricetag, is not installed" in errors


def test_wrong_variables(clone):
    assert "PRICETAG_LOCALES_PACK: " in build(clone, PRICETAG_LOCALES_PACK="/nonexistent")
    assert "PRICETAG_COMMAND: /nonexistent/x is not an executable" in build(
        clone, PRICETAG_COMMAND="/nonexistent/x"
    )
    pack = clone / "locales.pack"
    pack.touch()
    errors = build(
        clone, PRICETAG_LOCALES_PACK=str(pack), PRICETAG_LIBRARY="/nonexistent/libpricetag.a"
    )
    assert "PRICETAG_LIBRARY: /nonexistent/libpricetag.a does not exist" in errors


def test_older_packs_replace_newer_ones(clone, root):
    """The extension has the packs of its build, whatever their times are."""
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists() or not shutil.which("cc"):
        pytest.skip("there is no C compiler, or no header of Python")
    library = clone / "libpricetag.a"
    library.write_bytes(b"!<arch>\n")
    # native.c uses the packs. Compiling the other files takes most of the time.
    bindings = clone / "Bindings"
    for path in [*bindings.glob("Arrow/*.c"), bindings / "Python/src/arrow_columns.c"]:
        path.write_text("")
    for age, word in enumerate(("first", "second", "third", "fourth")):
        contents = f"{word} pack".encode()
        if age < 2:
            files = [clone / "locales.pack"]
            products = {"PRICETAG_LOCALES_PACK": str(files[0])}
            for path in files:
                path.write_bytes(contents)
        else:
            # A command that writes its pack, and shows that of the reference.
            files = [clone / "command"]
            products = {"PRICETAG_COMMAND": str(files[0])}
            files[0].write_text(
                '#!/bin/sh\ncase $* in *--show*) echo "cldr: 42.0"; exit;; esac\n'
                f'for path; do :; done\nprintf "{word} pack" >"$path"\n'
            )
            files[0].chmod(0o755)
        for path in files:
            os.utime(path, (1_000_000_000 - age, 1_000_000_000 - age))
        done = run(clone, PRICETAG_LIBRARY=str(library), **products)
        assert done.returncode == 0, done.stderr
        (extension,) = clone.glob(".build-python/build/lib*/pricetag_formatter/_native*.so")
        data = extension.read_bytes()
        assert (root / "LocaleData/packs/cldr-42.pack").read_bytes() in data
        assert (root / "LocaleData/packs/cldr-48.pack").read_bytes() in data
        assert lzma.compress(contents, preset=9 | lzma.PRESET_EXTREME) in data


def test_other_cldr_is_an_error(clone):
    """The pack of price locales has the CLDR of the reference."""
    library = clone / "libpricetag.a"
    library.write_bytes(b"!<arch>\n")
    tool = clone / "command"
    tool.write_text(
        '#!/bin/sh\ncase $* in *--show*) echo "cldr: 48.0"; exit;; esac\n'
        'for path; do :; done\necho >"$path"\n'
    )
    tool.chmod(0o755)
    errors = build(clone, PRICETAG_COMMAND=str(tool), PRICETAG_LIBRARY=str(library))
    assert "has CLDR 48.0, but the bindings contain CLDR 42 (LocaleData/packs/reference)" in errors
    assert "build the command with an ICU of CLDR 42" in errors


def test_no_clone(clone):
    (clone / "Sources/PriceTag/Versions.swift").unlink()
    assert "build in a clone of PriceTag, or install the wheel" in build(clone)
