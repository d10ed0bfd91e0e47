"""What the tests of the Python package share."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


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
