"""The functions in Python workers that differ from the driver. These tests start no Spark: they
unpickle a function, as a worker does, and call it."""

import shutil
import subprocess
import zipfile

import pytest

from conftest import COMMAND, DATE, WHEEL

WORKER = """
import pickle, sys
import pyarrow as pa
from pyspark import SparkFiles
SparkFiles._root_directory = sys.argv[1]
SparkFiles._is_running_on_worker = True
function = pickle.load(open(sys.argv[2], "rb"))
print(function(pa.array(["USA", "USA"]), pa.array(["4.99", None])).to_pylist())
"""


@pytest.fixture(scope="module")
def call(worker_python, tmp_path_factory):
    """Returns a function that runs price_format in a worker whose job has an archive (or none)."""

    def call(archive, **options):
        from pyspark import cloudpickle

        from pricetag_formatter.spark import _job, _row_function

        work = tmp_path_factory.mktemp("worker")
        (work / "files").mkdir()
        if archive is not None:
            shutil.copytree(archive, work / "files/pricetag")
        job = _job(None, options.pop("pack", None), DATE, "major", "exact", options)
        function = _row_function(job, "price_format", ("display",), ("storefront", "amount"))
        (work / "function").write_bytes(cloudpickle.dumps(function))
        arguments = [worker_python, "-c", WORKER, work / "files", work / "function"]
        return subprocess.run(arguments, capture_output=True, text=True, cwd=work)

    return call


@pytest.fixture
def package(tmp_path):
    """The unpacked wheel, which a test may change."""
    zipfile.ZipFile(WHEEL).extractall(tmp_path / "package")
    return tmp_path / "package"


def test_the_archive_is_found(call, package):
    result = call(package)
    assert result.stdout == "['$4.99', None]\n", result.stderr


def test_no_package(call):
    result = call(None)
    assert result.returncode != 0
    assert (
        "does not have the package pricetag_formatter; install the wheel on every node"
        in result.stderr
    )


def test_another_version(call, package):
    (package / "pricetag_formatter/__init__.py").write_text("__version__ = '0.0.1'\n")
    (package / "pricetag_formatter/spark.py").write_text("")
    result = call(package)
    assert result.returncode != 0
    assert (
        "the Python worker " in result.stderr
        and " has 0.0.1; install the same wheel on both" in result.stderr
    )


def test_other_packs_of_the_same_version(call, package):
    with open(package / "pricetag_formatter/spark.py", "a") as module:
        module.write("\n\ndef _checksum(pack):\n    return 'another'\n")
    result = call(package)
    assert result.returncode != 0
    assert "different packs of storefronts" in result.stderr


def test_a_pack_that_changed_on_the_way(call, package, tmp_path, monkeypatch):
    import pricetag_formatter.spark

    compress = pricetag_formatter.spark.zlib.compress
    data = tmp_path / "a.pack"
    subprocess.run(
        [COMMAND, "pack", "--storefronts", "USA", "--at", DATE, "-o", data],
        check=True,
        capture_output=True,
    )
    assert call(package, pack=data).stdout == "['$4.99', None]\n"
    monkeypatch.setattr(
        pricetag_formatter.spark.zlib, "compress", lambda data: compress(data[:-1] + b"?")
    )
    result = call(package, pack=data)
    assert result.returncode != 0
    assert "the pack in this Python worker differs from the driver's" in result.stderr


def test_functions_are_small(driver_package):
    """The embedded packs, of megabytes, are not part of a function."""
    from pyspark import cloudpickle

    from pricetag_formatter.spark import _job, _row_function

    job = _job(None, None, DATE, "major", "exact", {})
    function = _row_function(job, "price_format", ("display",), ("storefront", "amount"))
    assert len(cloudpickle.dumps(function)) < 8192
