"""Builds the extension: libpricetag.a, the packs that it contains and the C files of src.

PRICETAG_LIBRARY       libpricetag.a; by default, Scripts/build/kernel compiles it with Swift
PRICETAG_LOCALES_PACK  the pack of all price locales; by default, the one that the command writes
PRICETAG_COMMAND       the command that writes it; by default, that of `make command`
"""

import hashlib
import lzma
import os
import re
import shutil
import subprocess
import sys
from glob import glob
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OUTPUT = ROOT / ".build-python"

NAMED_PACKS = ROOT / "LocaleData/packs"


def fail(problem):
    sys.exit(f"pricetag-formatter: {problem}")


def version():
    source = ROOT / "Sources/PriceTag/Versions.swift"
    found = source.exists() and re.search(
        r'static let release = "([^"]+)"', source.read_text(encoding="utf-8")
    )
    if not found:
        fail(f"{source} lacks the version; build in a clone of PriceTag, or install the wheel")
    return found.group(1)


def run(*command, why):
    print("pricetag-formatter:", *command, flush=True)
    try:
        subprocess.run([str(part) for part in command], cwd=ROOT, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        fail(f"{error}; {why}")


def library():
    """Returns the path of libpricetag.a."""
    given = os.environ.get("PRICETAG_LIBRARY")
    path = Path(given).resolve() if given else ROOT / ".build/kernel/libpricetag.a"
    if given:
        if not path.is_file():
            fail(f"PRICETAG_LIBRARY: {path} does not exist; run make kernel for libpricetag.a")
        return path
    sources = [
        *ROOT.glob("Sources/PriceTag/Kernel/*.swift"),
        *ROOT.glob("Bindings/C/*.*"),
        *ROOT.glob("Bindings/C/include/*.h"),
    ]
    if not path.exists() or path.stat().st_mtime < max(
        source.stat().st_mtime for source in sources
    ):
        if not shutil.which(os.environ.get("SWIFT", "swift")):
            fail(
                "the Swift toolchain, which compiles libpricetag, is not installed; install the "
                "wheel instead, or install Swift from https://www.swift.org/install, or set "
                "PRICETAG_LIBRARY and PRICETAG_LOCALES_PACK to products that exist already"
            )
        run(
            "Scripts/build/kernel",
            why="libpricetag could not be compiled; run make kernel for its messages",
        )
    return path


def command():
    """Returns the path of the command that writes packs."""
    given = os.environ.get("PRICETAG_COMMAND")
    if given:
        path = shutil.which(given)
        if not path:
            fail(f"PRICETAG_COMMAND: {given} is not an executable; run make command")
        return Path(path).resolve()
    path = ROOT / ".build/release/pricetag"
    if not path.exists():
        if not shutil.which(os.environ.get("SWIFT", "swift")):
            fail(
                "the Swift toolchain, which compiles the command that writes packs, is not "
                "installed; install the wheel instead, or set PRICETAG_COMMAND to a command, or "
                "PRICETAG_LOCALES_PACK to a pack of all price locales"
            )
        run(
            "make",
            "command",
            why="the command could not be built; run make command for its messages",
        )
    return path


def locales_pack():
    """Returns the path of the pack of all price locales."""
    given = os.environ.get("PRICETAG_LOCALES_PACK")
    if given:
        path = Path(given).resolve()
        if not path.is_file():
            fail(
                f"PRICETAG_LOCALES_PACK: {path} does not exist; write a pack of all price locales"
                " with make -f Bindings/SQL/packs.mk"
            )
        return path
    tool = command()
    state = tool.stat()
    # Another command has another folder, whatever the times of the commands are.
    key = repr((str(tool), state.st_size, state.st_mtime_ns))
    folder = OUTPUT / "packs" / hashlib.sha256(key.encode()).hexdigest()[:16]
    run(
        *("make", "--silent", "-f", "Bindings/SQL/packs.mk"),
        *(f"PRICETAG_COMMAND={tool}", f"PACKS={folder.relative_to(ROOT)}", "ROOT=."),
        why="the pack of price locales could not be written",
    )
    return folder / "locales.pack"


def compressed(path):
    """Returns the path of a compressed copy of a file."""
    contents = path.read_bytes()
    # The name depends on the contents only: another pack may be in the same place, and be older.
    copy = OUTPUT / "packs" / f"{hashlib.sha256(contents).hexdigest()[:32]}.xz"
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        part = copy.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(lzma.compress(contents, preset=9 | lzma.PRESET_EXTREME))
        part.replace(copy)
    return copy


class BuildExtension(build_ext):
    def build_extension(self, extension):
        locales = locales_pack()
        archive = library()
        # The products may be others than those of the last build, and older.
        self.force = True
        extension.extra_objects = [str(archive)]
        extension.define_macros += [
            ("PRICETAG_PACKS_FOLDER", f'"{NAMED_PACKS}"'),
            ("PRICETAG_REFERENCE", (NAMED_PACKS / "reference").read_text().strip()),
            ("PRICETAG_LOCALES_FILE", f'"{compressed(locales)}"'),
            ("PRICETAG_VERSION", f'"{version()}"'),
        ]
        # Some Pythons add their own folder to the library search path, which this extension does
        # not need.
        linker = [part for part in self.compiler.linker_so if not part.startswith("-Wl,-rpath")]
        self.compiler.set_executables(linker_so=linker)
        super().build_extension(extension)


(OUTPUT / "build").mkdir(parents=True, exist_ok=True)
setup(
    version=version(),
    ext_modules=[
        Extension(
            "pricetag_formatter._native",
            [
                "src/native.c",
                "src/arrow_columns.c",
                "src/phrases.c",
                *sorted(glob("../Arrow/*.c")),
                "../SQL/pricetag_packs.c",
                "../SQL/pricetag_sql.c",
            ],
            include_dirs=["../C/include", "../Arrow", "../SQL"],
            depends=[
                "src/native.h",
                "../C/include/pricetag.h",
                "../C/pricetag_shared.h",
                *glob("../Arrow/*.h"),
                "../SQL/pricetag_sql.h",
            ],
            define_macros=[("Py_LIMITED_API", "0x03090000")],
            py_limited_api=True,
            extra_compile_args=[
                "-std=c11",
                "-O2",
                "-Wall",
                "-Wextra",
                "-fvisibility=hidden",
                "-ffunction-sections",
            ],
            extra_link_args=[
                "-Wl,--gc-sections",
                "-Wl,--exclude-libs,ALL",
                "-Wl,-z,relro,-z,now",
                "-Wl,--strip-all",
            ],
        )
    ],
    cmdclass={"build_ext": BuildExtension},
    # Builds write outside the sources.
    options={
        "bdist_wheel": {"py_limited_api": "cp39"},
        "build": {"build_base": os.path.relpath(OUTPUT / "build", HERE)},
        "egg_info": {"egg_base": os.path.relpath(OUTPUT / "build", HERE)},
    },
)
