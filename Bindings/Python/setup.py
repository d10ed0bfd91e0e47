"""Builds the extension: libpricetag.a, the embedded packs and the C files of src.

PRICETAG_LIBRARY   libpricetag.a; by default, Scripts/build/kernel compiles it with the Swift toolchain
PRICETAG_PACKS     a folder with storefronts.pack and locales.pack; by default, those of the command
PRICETAG_COMMAND   the command that writes the packs; by default, that of `make command`
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

STOREFRONT_WIDTHS = "standard,narrow,iso,name,hidden,formal,variant,unambiguous"
LOCALE_WIDTHS = "standard,narrow,iso,name"


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
        # Packs come from ICU and the embedded locale data, whatever the user's settings are.
        environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("PRICETAG_PACK", "PRICETAG_LOCALE_DATA")
        }
        subprocess.run([str(part) for part in command], cwd=ROOT, env=environment, check=True)
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
                "PRICETAG_LIBRARY and PRICETAG_PACKS to products that exist already"
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
                "PRICETAG_PACKS to a folder with storefronts.pack and locales.pack"
            )
        run(
            "make",
            "command",
            why="the command could not be built; run make command for its messages",
        )
    return path


def write_pack(name, *options):
    """Writes a pack, unless the same command wrote it with the same options before."""
    tool = command()
    state = tool.stat()
    key = repr((str(tool), state.st_size, state.st_mtime_ns, options))
    path = OUTPUT / "packs" / hashlib.sha256(key.encode()).hexdigest()[:16] / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        run(tool, "pack", *options, "-o", path, why=f"{name} could not be written")
    return path


def packs():
    """Returns the paths of the pack of all storefronts and of that of all price locales."""
    given = os.environ.get("PRICETAG_PACKS")
    if given:
        found = [Path(given).resolve() / name for name in ("storefronts.pack", "locales.pack")]
        for path in found:
            if not path.is_file():
                fail(
                    f"PRICETAG_PACKS: {path} does not exist; write it with pricetag pack -o {path}"
                )
        return found
    return [
        write_pack("storefronts.pack", "--widths", STOREFRONT_WIDTHS),
        write_pack(
            "locales.pack", "--locales", "all", "--currencies", "all", "--widths", LOCALE_WIDTHS
        ),
    ]


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
        storefronts, locales = packs()
        archive = library()
        # The products may be others than those of the last build, and older.
        self.force = True
        extension.extra_objects = [str(archive)]
        extension.define_macros += [
            ("PRICETAG_STOREFRONTS_FILE", f'"{storefronts}"'),
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
