"""What the tests of the Python package share."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

# Packages that only `make test-engines` installs, and pyarrow, with which Scripts/build/wheel runs the tests once.
OPTIONAL = ("duckdb", "nanoarrow", "numpy", "pandas", "playwright", "polars", "pyarrow")


def pytest_sessionfinish(session):
    """Makes a skipped test a failure in CI, unless it needs an optional package."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") != "true" or reporter is None:
        return
    for report in reporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if not any(f"could not import '{name}'" in reason for name in OPTIONAL):
            reporter.write_line(f"Skipped, which is a failure in CI: {report.nodeid}: {reason}")
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def root():
    """Returns the folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def command():
    """Returns the path of the command that writes the expected prices."""
    path = shutil.which(os.environ.get("PRICETAG_COMMAND", str(ROOT / ".build/release/pricetag")))
    if path is None:
        pytest.skip(
            "there is no command to compare with; run make command, or set PRICETAG_COMMAND"
        )
    return path
