"""What the benchmarks of the engines share: amounts, times taken in turn, and tables.

BENCH_ROWS and BENCH_ROUNDS are the numbers of rows and of rounds (1,000,000 and 7). BENCH_BUSY=1 is
for a machine with other load: the figures are minima instead of medians, and of processor time
where the work is done in this process.
"""

from __future__ import annotations

import os
import platform
import statistics
import time
from typing import Callable, Dict, Iterable, List, NamedTuple, Sequence, Tuple

ROWS = int(os.environ.get("BENCH_ROWS", "1000000"))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "7"))
BUSY = os.environ.get("BENCH_BUSY", "") not in ("", "0")
STATISTIC = "minima" if BUSY else "medians"


# Storefronts with one currency each, whose displayed decimals are those of ISO 4217: Latin and
# native digits, three groupings, with and without decimals.
STOREFRONTS = (
    *("USA", "DEU", "FRA", "JPN", "EGY", "IND", "GBR", "BRA", "KOR", "CHE"),
    *("POL", "SAU", "MEX", "AUS", "CAN", "CHN", "TUR", "SWE", "THA", "ZAF"),
)


class Store(NamedTuple):
    """A storefront as the peers need it."""

    storefront: str
    locale: str
    currency: str
    digits: int


def store(storefront: str) -> Store:
    """Returns the locale, the currency and the decimals of a storefront."""
    from pricetag_formatter import Formatter

    formatter = Formatter(storefront=storefront)
    return Store(storefront, formatter.locale, formatter.currency, formatter.digits)


def units(count: int) -> List[int]:
    """Returns amounts in minor units, those of the kernel's benchmarks: 1 to 1,999,999."""
    state = 7
    result = []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFF_FFFF_FFFF_FFFF
        result.append((state >> 33) % 1999999 + 1)
    return result


def decimal_text(amount: int, digits: int) -> str:
    """Returns minor units as decimal text: 499 with 2 digits is 4.99."""
    return f"{amount // 10**digits}.{amount % 10**digits:0{digits}}" if digits else str(amount)


def seconds(function: Callable[[], object], in_process: bool = True) -> float:
    """Returns the time of a call, which does its work in this process or in others."""
    clock = time.process_time if BUSY and in_process else time.perf_counter
    start = clock()
    function()
    return clock() - start


def times_in_turn(
    contenders: Dict[str, Callable[[], object]], rounds: int = ROUNDS, in_process: bool = True
) -> Dict[str, float]:
    """Returns the median time of each contender in seconds.

    They take turns, so that their ratios are valid even if the speed of the machine changes. A
    first round is not counted.
    """
    times: Dict[str, List[float]] = {name: [] for name in contenders}
    for index in range(rounds + 1):
        for name, function in contenders.items():
            taken = seconds(function, in_process)
            if index > 0:
                times[name].append(taken)
    return {name: statistic(values) for name, values in times.items()}


def statistic(values: Sequence[float]) -> float:
    """Returns the median, or the minimum with BENCH_BUSY."""
    return min(values) if BUSY else statistics.median(values)


def title(text: str) -> None:
    """Prints a paragraph before a table."""
    print(f"\n{text}\n", flush=True)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Prints a table in Markdown. All columns but the first one are aligned to the right."""
    print("| " + " | ".join(header) + " |")
    print("|---|" + "--:|" * (len(header) - 1))
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)


def ratio(peer: float, own: float) -> str:
    """Returns how many times longer the peer takes."""
    return f"{peer / own:.1f}×" if peer / own < 99.5 else f"{peer / own:.0f}×"


def millions(rows: float, taken: float) -> str:
    """Returns millions of rows per second."""
    rate = rows / taken / 1e6
    return f"{rate:.1f}" if rate >= 0.995 else f"{rate:.3f}"


def use_one_core() -> None:
    """Keeps this process on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def python_version() -> str:
    """Returns the name of the Python that runs."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def check(own: Sequence[str], peer: Sequence[str]) -> Tuple[int, int]:
    """Returns how many texts are equal, and of how many."""
    if len(own) != len(peer):
        raise ValueError(f"{len(own)} and {len(peer)} texts")
    return sum(first == second for first, second in zip(own, peer)), len(own)
