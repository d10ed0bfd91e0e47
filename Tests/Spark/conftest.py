"""One Spark session for all tests of a run, by --mode: local, cluster or connect.

The Python workers run in a virtual environment that has PySpark and PyArrow, but not
pricetag_formatter. They have the package from an archive of the job only, and the archive is the
wheel. On the cluster, they also find unusable ICU libraries.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("PRICETAG_COMMAND", str(ROOT / ".build/release/pricetag"))
DATE = "2026-01-31"
JAR = os.environ.get("PRICETAG_SPARK_JAR")


def pytest_addoption(parser):
    parser.addoption("--mode", choices=["local", "cluster", "connect"], default="local")


def find_wheel():
    if "PRICETAG_WHEEL" in os.environ:
        return Path(os.environ["PRICETAG_WHEEL"]).resolve()
    wheels = sorted(
        (ROOT / ".build-python/wheel").glob("pricetag_formatter-*.whl"),
        key=lambda path: path.stat().st_mtime,
    )
    if not wheels:
        pytest.exit(
            "Tests/Spark: .build-python/wheel has no wheel; run Scripts/build/wheel", returncode=2
        )
    return wheels[-1]


WHEEL = find_wheel()


@pytest.fixture(scope="session")
def mode(request):
    return request.config.getoption("--mode")


@pytest.fixture(scope="session", autouse=True)
def folder(tmp_path_factory):
    """The working folder. Spark writes its own folders there."""
    path = tmp_path_factory.mktemp("spark")
    os.chdir(path)
    return path


@pytest.fixture(scope="session", autouse=True)
def driver_package(folder):
    """The wheel on the driver's path, which the workers do not share."""
    package = folder / "driver"
    zipfile.ZipFile(WHEEL).extractall(package)
    sys.path.insert(0, str(package))
    import pricetag_formatter

    assert Path(pricetag_formatter.__file__).is_relative_to(package)
    return package


@pytest.fixture(scope="session")
def archive(folder):
    """The wheel, with a name by which Spark knows that it is an archive."""
    path = folder / "pricetag.zip"
    shutil.copyfile(WHEEL, path)
    return path


@pytest.fixture(scope="session")
def worker_python(folder):
    """The Python of a virtual environment with everything that the driver has, except for the
    package.
    """
    import pyspark

    environment = folder / "worker"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    packages = environment / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages"
    for entry in Path(pyspark.__file__).parents[1].iterdir():
        if entry.suffix != ".pth" and "pricetag" not in entry.name.lower():
            (packages / entry.name).symlink_to(entry)
    python = environment / "bin/python"
    result = subprocess.run(
        [python, "-c", "import pyarrow, pyspark, pricetag_formatter"],
        capture_output=True,
        text=True,
    )
    assert "No module named 'pricetag_formatter'" in result.stderr
    return str(python)


@pytest.fixture(scope="session")
def broken_icu(folder):
    """A folder whose ICU libraries, of all versions, cannot be loaded."""
    libraries = folder / "icu"
    libraries.mkdir()
    for name in ("data", "i18n", "io", "uc"):
        (libraries / f"libicu{name}.so").write_text("not a library")
        for version in range(50, 100):
            (libraries / f"libicu{name}.so.{version}").write_text("not a library")
    return libraries


@pytest.fixture(scope="session")
def spark(mode, folder, archive, worker_python, broken_icu):
    import pyspark
    from pyspark.sql import SparkSession

    # The cluster writes the files of its executors to the folder "work" of SPARK_HOME.
    home = folder / "home"
    home.mkdir()
    for entry in Path(pyspark.__file__).parent.iterdir():
        (home / entry.name).symlink_to(entry)
    os.environ.update(
        SPARK_HOME=str(home),
        SPARK_LOCAL_IP="127.0.0.1",
        SPARK_LOCAL_DIRS=str(folder / "scratch"),
        PYSPARK_PYTHON=worker_python,
        PYSPARK_DRIVER_PYTHON=sys.executable,
    )
    settings = {
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    }
    builder = SparkSession.builder
    if mode == "connect":
        builder = builder.remote("local[2]")
    else:
        builder = builder.master({"local": "local[2]", "cluster": "local-cluster[2,1,1024]"}[mode])
        settings["spark.archives"] = f"{archive}#pricetag"
    if mode == "cluster":
        settings["spark.executorEnv.LD_LIBRARY_PATH"] = str(broken_icu)
        settings["spark.executorEnv.ICU_DATA"] = "/nonexistent"
    if JAR is not None:
        settings["spark.jars"] = JAR
        settings["spark.sql.extensions"] = "pricetag.spark.PriceExtensions"
        settings["spark.pricetag.at"] = DATE
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    if mode == "connect":
        session.addArtifacts(f"{archive}#pricetag", archive=True)
    yield session
    session.stop()


# The rows of the tests. `pricetag batch` says what each of them displays, or with which code it is
# rejected.

STOREFRONTS = [
    "USA",
    "DEU",
    "JPN",
    "EGY",
    "IND",
    "BGR",
    "CHE",
    "FRA",
    "BRA",
    "KOR",
    "SAU",
    "GBR",
    "us",
    "KWT",
    "ESP",
    "CHL",
]
AMOUNTS = [
    "0",
    "0.99",
    "4.99",
    "12.5",
    "100",
    "999.00",
    "1234.50",
    "-4.99",
    "1234567.89",
    "12345678901.23",
    "+7",
    "0.5",
]
BAD = [
    ("XXX", "4.99"), ("", "4.99"), (None, "4.99"), ("USA", "4,99"), ("USA", ""), ("USA", "abc"),
    ("USA", "NaN"), ("USA", "1e3"), ("USA", "4.999"), ("JPN", "4.99"), ("USA", " 4.99"),
    ("DEU", "12345678901234567890123"), ("USA\u00e9", "1"),
]  # fmt: skip


def batch(rows, folder, *options):
    """Returns (display, code) for each row, by the command."""
    source, rejects = folder / "rows.jsonl", folder / "rejects.jsonl"
    source.write_text(
        "".join(json.dumps({"id": index, **row}) + "\n" for index, row in enumerate(rows))
    )
    result = subprocess.run(
        [COMMAND, "batch", source, "--at", DATE, "--rejects", rejects, "--quiet", *options],
        capture_output=True,
        text=True,
    )
    assert result.returncode in (0, 3), result.stderr
    answers = [(None, None)] * len(rows)
    for line in result.stdout.splitlines():
        row = json.loads(line)
        answers[row["id"]] = (row["display"], None)
    for line in rejects.read_text().splitlines() if rejects.exists() else []:
        reject = json.loads(line)
        answers[json.loads(reject["row"])["id"]] = (None, reject["code"])
    return answers


@pytest.fixture(scope="session")
def rows():
    good = [(storefront, amount) for storefront in STOREFRONTS for amount in AMOUNTS]
    return (good * 6 + BAD) * 3


@pytest.fixture(scope="session")
def expected(rows, tmp_path_factory):
    objects = [{"storefront": storefront, "amount": amount} for storefront, amount in rows]
    return batch(objects, tmp_path_factory.mktemp("batch"))
