"""Measures how time and memory of a Spark job grow with the rows, and estimates a large job.

    spark_growth.py         for all of BENCH_GROWTH, millions of rows ("1 10 100")
    spark_growth.py ROWS    for one number of rows; prints seconds, and peaks of memory in bytes

Each number of rows has a process and a cluster of its own. BENCH_GROWTH_MASTER is the master:
local-cluster[2,1,1024] is two executors with one core and 1024 MB each. BENCH_ESTIMATE_ROWS and
BENCH_ESTIMATE_CORES are what the estimate is for (10,000,000,000 and 100).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Dict, List, Tuple

from measuring import millions, table, title
from spark_session import check_prices, start, write_prices

MASTER = os.environ.get("BENCH_GROWTH_MASTER", "local-cluster[2,1,1024]")
SIZES = [
    round(float(size) * 1_000_000) for size in os.environ.get("BENCH_GROWTH", "1 10 100").split()
]
ESTIMATE_ROWS = int(os.environ.get("BENCH_ESTIMATE_ROWS", "10000000000"))
ESTIMATE_CORES = int(os.environ.get("BENCH_ESTIMATE_CORES", "100"))


class Sampler(threading.Thread):
    """Samples the executors and their Python workers.

    `peaks` are the largest values of the field VmHWM of /proc/PID/status, and `times` the seconds
    of processor time of each process.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peaks: Dict[str, int] = {"executor": 0, "worker": 0}
        self.times: Dict[int, float] = {}
        self.finished = threading.Event()

    def run(self) -> None:
        while not self.finished.wait(0.1):
            self.sample()

    def sample(self) -> None:
        parents: Dict[int, int] = {}
        kinds: Dict[int, str] = {}
        peaks: Dict[int, int] = {}
        times: Dict[int, float] = {}
        for folder in Path("/proc").iterdir():
            if not folder.name.isdigit():
                continue
            try:
                command = (folder / "cmdline").read_bytes()
                status = dict(
                    line.split(":", 1)
                    for line in (folder / "status").read_text().splitlines()
                    if ":" in line
                )
                # The name of the process, in parentheses, may contain spaces.
                used = (folder / "stat").read_text().rpartition(")")[2].split()[11:13]
            except OSError:
                continue
            pid = int(folder.name)
            times[pid] = sum(map(int, used)) / os.sysconf("SC_CLK_TCK")
            parents[pid] = int(status["PPid"])
            if "VmHWM" in status:
                peaks[pid] = int(status["VmHWM"].split()[0]) * 1024
            if b"CoarseGrainedExecutorBackend" in command:
                kinds[pid] = "executor"
            elif b"pyspark" in command and b"daemon" in command:
                kinds[pid] = "worker"
        for pid, kind in kinds.items():
            if self.is_descendant(pid, parents):
                self.peaks[kind] = max(self.peaks[kind], peaks.get(pid, 0))
                self.times[pid] = times[pid]

    @staticmethod
    def is_descendant(pid: int, parents: Dict[int, int]) -> bool:
        while pid > 1:
            if pid == os.getpid():
                return True
            pid = parents.get(pid, 0)
        return False


def measure(rows: int) -> None:
    """Formats a table in a new cluster, Parquet in and Parquet out, and prints the figures."""
    from pricetag_formatter.spark import register

    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_FOLDER")) as name:
        folder = Path(name)
        prices, formatted = str(folder / "prices"), str(folder / "formatted")
        # The table is written by another cluster, so that only the job counts.
        if os.fork() == 0:
            spark = start("local[2]", folder)
            write_prices(spark, rows, prices)
            spark.stop()
            os._exit(0)
        if os.wait()[1] != 0:
            raise SystemExit("the table of prices could not be written")
        spark = start(MASTER, folder)
        display = register(spark, at="2026-01-31").price_format_minor("storefront", "units")
        # Starts the executors and their Python workers.
        warm = str(folder / "warm")
        spark.read.parquet(prices).limit(10_000).write.parquet(warm)
        check_prices(spark, display, warm)
        sampler = Sampler()
        sampler.sample()
        before = sum(sampler.times.values())
        sampler.start()
        begin = time.perf_counter()
        spark.read.parquet(prices).select(
            "id", "storefront", "units", display.alias("display")
        ).write.parquet(formatted)
        seconds = time.perf_counter() - begin
        sampler.finished.set()
        sampler.join()
        sampler.sample()
        used = sum(sampler.times.values()) - before
        written = spark.read.parquet(formatted).where("display IS NOT NULL").count()
        if written != rows:
            raise SystemExit(f"{written} of {rows} rows have a display")
        print(seconds, used, sampler.peaks["executor"], sampler.peaks["worker"])
        spark.stop()


def main() -> None:
    import pyspark

    measured: List[Tuple[int, float]] = []
    rows = []
    for size in SIZES:
        command = [sys.executable, __file__, str(size)]
        output = subprocess.run(
            command, check=True, stdout=subprocess.PIPE, encoding="utf-8"
        ).stdout
        seconds, used, executor, worker = (float(value) for value in output.split()[-4:])
        measured.append((size, used))
        rows.append([f"{size:,}", f"{seconds:.1f}", millions(size, seconds), f"{used:.1f}"])
        rows[-1] += [f"{executor / 1e6:,.0f} MB", f"{worker / 1e6:,.0f} MB"]
    title(
        f"Growth: Spark {pyspark.__version__}, {MASTER}, Parquet in and Parquet out (three columns"
        " and the display), one run each in a new cluster. Core-seconds are the processor time of"
        " the executors and their Python workers; peaks are of the largest executor (Java) and of"
        " the largest Python worker."
    )
    header = ["rows", "seconds", "million rows/s", "core-seconds"]
    table([*header, "peak of an executor", "peak of a Python worker"], rows)

    (small, less), (large, more) = measured[-2:] if len(measured) > 1 else [(0, 0.0), measured[0]]
    per_row = (more - less) / (large - small)
    if per_row <= 0:
        title("No estimate: the larger run used less processor time than the smaller one.")
        return
    taken = per_row * ESTIMATE_ROWS / ESTIMATE_CORES
    title("Estimate, from the processor time of the two largest runs:")
    print(
        f"- ({more:.1f} - {less:.1f}) core-seconds / ({large:,} - {small:,}) rows ="
        f" {per_row * 1e9:,.0f} ns of a core per row"
    )
    print(
        f"- {ESTIMATE_ROWS:,} rows × {per_row * 1e9:,.0f} ns / {ESTIMATE_CORES} cores ="
        f" {taken:,.0f} s = {taken / 60:,.1f} minutes"
    )


if len(sys.argv) == 2:
    measure(int(sys.argv[1]))
else:
    main()
