#!/usr/bin/env python3
"""Makes a DuckDB extension of a shared library, by appending the metadata that DuckDB reads.

Usage: append_metadata.py LIBRARY EXTENSION --platform linux_amd64 --extension-version 0.1.0

The metadata are the last 534 bytes: the header of a WebAssembly section, eight fields of 32 bytes
in reverse order, and room for a signature of 256 bytes, which stays empty. So DuckDB loads the
extension only if unsigned extensions are allowed.
"""

import argparse
from pathlib import Path

# The header of a custom section of WebAssembly with the name "duckdb_signature" and 512 bytes.
SECTION = bytes([0, 147, 4, 16]) + b"duckdb_signature" + bytes([128, 4])


def field(text: str) -> bytes:
    """Returns a field: ASCII text with zero bytes after it."""
    data = text.encode("ascii")
    if len(data) > 32:
        raise SystemExit(
            f"append_metadata.py: {text!r} has more than 32 bytes; pass a shorter text"
        )
    return data.ljust(32, b"\0")


def main() -> None:
    """Writes the extension."""
    parser = argparse.ArgumentParser(description="Append DuckDB's metadata to a shared library.")
    parser.add_argument("library", type=Path)
    parser.add_argument("extension", type=Path)
    parser.add_argument(
        "--platform", required=True, help="the platform, as PRAGMA platform prints it"
    )
    parser.add_argument("--extension-version", required=True)
    parser.add_argument(
        "--api-version", default="v1.2.0", help="the version of DuckDB's C API (default: v1.2.0)"
    )
    options = parser.parse_args()
    fields = [
        "4",
        options.platform,
        options.api_version,
        options.extension_version,
        "C_STRUCT",
        "",
        "",
        "",
    ]
    data = options.library.read_bytes() + SECTION
    data += b"".join(field(text) for text in reversed(fields)) + bytes(256)
    partial = options.extension.with_name(options.extension.name + ".new")
    partial.write_bytes(data)
    partial.replace(options.extension)


if __name__ == "__main__":
    main()
