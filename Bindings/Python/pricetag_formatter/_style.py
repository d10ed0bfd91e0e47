"""The names of the options of a style, for functions that pass them on."""

from __future__ import annotations

from typing import Iterable, Tuple

STYLE_OPTIONS: Tuple[str, ...] = (
    # Generated from Bindings/tables.json (options); do not edit.
    "width", "zeros", "sign", "digits", "grouping", "numbering", "notation", "qualifier", "per",
    # End of the generated lines.
)
"""The options of a style. Their values are those of the command."""


def check_style(function: str, style: Iterable[str], own: Tuple[str, ...]) -> None:
    """Raises a TypeError for a keyword that is no option of a style.

        check_style("register", {"width": "iso"}, own=("pack", "at"))

    The function that formats columns has more arguments, such as `string_view`, which would
    otherwise reach it.
    """
    for name in style:
        if name not in STYLE_OPTIONS:
            known = ", ".join((*own, *STYLE_OPTIONS))
            raise TypeError(f"{function}() has no argument {name!r}; use {known}")
