"""Tests the extension with objects that misbehave: what they raise is raised, and nothing else."""

import ctypes
import datetime
import enum
import subprocess
import sys
import textwrap
import threading
import time
from decimal import Decimal

import pytest

import pricetag_formatter as pt
from pricetag_formatter import _native

USA = pt.Formatter(storefront="USA")


def code_of(function, *arguments, **options):
    with pytest.raises(pt.PriceError) as caught:
        function(*arguments, **options)
    return caught.value.code


def run(code):
    """Runs code in a process of its own."""
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, timeout=600)


# ---- Options and dates


def test_digits_of_any_size_take_no_time():
    # The text of an integer takes quadratic time in some versions of Python; others refuse it.
    # The time of the processor, so that other processes do not count.
    start = time.process_time()
    for number in (10**5000, -(10**5000), 1 << 8_000_000, 2**31, 2**63, 19, -1):
        assert code_of(pt.Formatter, storefront="USA", digits=number) == "invalid-option"
    assert time.process_time() - start < 2


def test_digits_of_an_enumeration():
    class Digits(enum.IntEnum):
        TWO = 2
        FIVE = 5

        def __str__(self):
            raise AssertionError("the number decides, not its text")

    assert code_of(pt.Formatter, storefront="USA", digits=Digits.FIVE) == "missing-style"
    with pytest.raises(pt.PriceError, match="--digits 5 -o FILE"):
        pt.Formatter(storefront="USA", digits=Digits.FIVE)


@pytest.mark.parametrize("field", ["year", "month", "day"])
def test_dates_that_raise(field):
    def fail(self):
        raise ZeroDivisionError

    kind = type("Date", (datetime.date,), {field: property(fail)})
    for call in (pt.Formatter, lambda **options: pt.format("1", **options)):
        with pytest.raises(ZeroDivisionError):
            call(storefront="BGR", date=kind(2026, 1, 31))


@pytest.mark.parametrize("value", [2**31 - 1, 2**40, -1, 0, 10_000])
@pytest.mark.parametrize("field", ["year", "month", "day"])
def test_dates_that_do_not_exist(field, value):
    kind = type("Date", (datetime.date,), {field: property(lambda self: value)})
    assert code_of(pt.Formatter, storefront="BGR", date=kind(2026, 1, 31)) == "malformed-date"


def test_dates_of_other_types():
    kind = type("Date", (datetime.date,), {"year": property(lambda self: "2026")})
    with pytest.raises(TypeError):
        pt.Formatter(storefront="BGR", date=kind(2026, 1, 31))


def test_datetime_that_lacks_a_type():
    run(
        """
        import sys, types
        import pricetag_formatter as pt
        real = sys.modules.pop("datetime")
        sys.modules["datetime"] = types.ModuleType("datetime")
        sys.modules["datetime"].date = real.date
        for _ in range(2):
            try:
                pt.Formatter(storefront="BGR", date=5)
            except AttributeError:
                pass
            else:
                raise AssertionError("no exception")
        sys.modules["datetime"] = real
        assert pt.Formatter(storefront="BGR", date=real.date(2025, 1, 1)).currency == "BGN"
        """
    )


# ---- Amounts


def test_decimal_that_is_not_there():
    # A module that is being imported by another thread has no type yet.
    run(
        """
        import sys, types
        import pricetag_formatter as pt
        real = sys.modules.pop("decimal", None)
        usa = pt.Formatter(storefront="USA")
        for module in (None, types.ModuleType("decimal")):
            sys.modules["decimal"] = module
            try:
                usa([])
            except TypeError as error:
                assert "amount: " in str(error), error
            else:
                raise AssertionError("no exception")
        del sys.modules["decimal"]
        import decimal
        assert usa(decimal.Decimal("4.99")) == "$4.99"
        """
    )


def test_decimals_that_misbehave():
    class Silent(Decimal):
        def __str__(self):
            raise AssertionError("the value decides, not this text")

    assert USA(Silent("4.99")) == "$4.99"
    assert code_of(USA, Silent("NaN")) == "malformed-amount"
    assert code_of(USA, Silent("1E+999999")) == "amount-out-of-range"

    class Pretender:
        __class__ = Decimal

    with pytest.raises(TypeError):
        USA(Pretender())


def test_integers_that_misbehave():
    class Loud(int):
        def __index__(self):
            raise AssertionError

        def __str__(self):
            raise AssertionError

        __repr__ = __str__

    assert USA(Loud(5)) == "$5.00"
    assert code_of(USA, Loud(2**70)) == "amount-out-of-range"

    class Interrupted:
        def __index__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        USA(Interrupted())


# ---- Memory


def test_failing_allocations():
    """Each allocation of a call fails once. The call raises a MemoryError, or succeeds without."""
    failing = pytest.importorskip("_testcapi")
    if not hasattr(failing, "set_nomemory"):
        pytest.skip("this Python cannot make allocations fail")
    run(
        """
        import _testcapi, datetime
        from decimal import Decimal
        import pricetag_formatter as pt
        from pricetag_formatter import _native
        usa, data = pt.Formatter(storefront="USA"), bytes(pt.Pack.storefronts())
        outputs = bytes([1, 2, 3, 4, 5])
        exact, inexact, nan = Decimal("4.99"), Decimal("4.999"), Decimal("NaN")
        def plan(storefront):
            arguments = ("1", storefront, None, None, None)
            return _native.column_plan(
                pt.Pack.storefronts(), arguments, 0, "exact", "2026-01-01", 0, outputs, {}
            )
        calls = [
            lambda: pt.format("4.99", storefront="USA", width="iso", date="2026-01-01"),
            lambda: pt.Formatter(storefront="BGR", date=datetime.date(2025, 1, 1)),
            lambda: pt.Formatter(storefront="USA", width="iso", digits=7),
            lambda: pt.Formatter(storefront="USA", width="wide"),
            lambda: pt.Formatter(storefront="USA", digits=10**30),
            lambda: pt.Formatter(storefront="JPN", currency="USD"),
            lambda: pt.Formatter(locale="de-DE", currency="EUR", pack=pt.Pack.storefronts()),
            lambda: (usa(exact), usa.parts("1234.5"), usa.spoken(1)),
            lambda: usa(inexact), lambda: usa(nan), lambda: usa(2**70),
            lambda: usa("1" * 100), lambda: usa([]), lambda: usa(0.1),
            lambda: (repr(usa), usa.__reduce__(), repr(usa.__reduce__()[1])),
            lambda: (pt.Pack(data).versions, repr(pt.Pack(data)), pt.Pack(data).checksum),
            lambda: pt.Pack(b"x"), lambda: pt.Pack("/no/such/file"),
            lambda: plan("USA").schema().__arrow_c_schema__(), lambda: plan("XXX"),
        ]
        for number, call in enumerate(calls):
            raised = 0
            for start in range(400):
                _testcapi.set_nomemory(start, start + 1)
                try:
                    call()
                except MemoryError:
                    raised = start
                except (pt.PriceError, TypeError):
                    pass
                except SystemError as error:
                    # Python itself loses exceptions whose traceback has no memory.
                    _testcapi.remove_mem_hooks()
                    assert "error return without exception set" in str(error), (number, error)
                finally:
                    _testcapi.remove_mem_hooks()
                if start > raised + 40:
                    break
        """
    )


# ---- Arrow


def test_capsules_with_another_name():
    """The owner of a capsule may change its name. Its structure is freed all the same."""
    arguments = ("1", "USA", None, None, None)
    plan = _native.column_plan(pt.Pack.storefronts(), arguments, 0, "exact", None, 0, b"\1", {})
    capsule = plan.schema().__arrow_c_schema__()
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
    name = b"used_arrow_schema"
    assert rename(capsule, name) == 0
    del capsule


def test_arrays_of_others_are_not_exported_again():
    pa = pytest.importorskip("pyarrow")
    source = _native.column_array(pa.record_batch({"amount": ["1"]}))
    stream = _native.column_stream(pa.table({"amount": ["1"]}))
    for columns in (source, stream):
        for export in ("__arrow_c_schema__", "__arrow_c_array__", "__arrow_c_stream__"):
            with pytest.raises(TypeError, match="not a result"):
                getattr(columns, export)()
        with pytest.raises(TypeError, match="not a result"):
            _native.column_results(columns, ())
    result = pt.format_arrays(pa.array(["1"]), storefront="USA")
    with pytest.raises(TypeError, match="not a result"):
        _native.column_results(result, (source,))


def test_an_array_does_not_move_while_it_is_read():
    pa = pytest.importorskip("pyarrow")
    batch = pa.record_batch({"amount": pa.array(range(1_000_000))})
    arguments = ((_native.column_array(batch["amount"]), -1), "USA", None, None, None)

    def plan():
        return _native.column_plan(pt.Pack.storefronts(), arguments, 0, "exact", None, 0, b"\1", {})

    def is_refused():
        """Moves an array while a thread formats it again and again."""
        amounts, first, second = _native.column_array(batch["amount"]), plan(), plan()
        started, ends, results = threading.Event(), threading.Event(), []

        def work():
            while not ends.is_set():
                try:
                    results[:] = [first.format((amounts, *[None] * 4), (0,) * 5, 1_000_000)]
                except TypeError:
                    return  # It has moved between two calls.
                started.set()

        thread = threading.Thread(target=work)
        thread.start()
        started.wait()
        time.sleep(0.005)
        try:
            moved = second.stream(amounts, (0, -1, -1, -1, -1))
        except ValueError as error:
            assert "used before" in str(error)
            moved = None
        ends.set()
        thread.join()
        prices = pa.record_batch(results[0])["display"]
        assert prices[999_999].as_py() == "$999,999.00"
        # Afterward it can move.
        assert moved or plan().stream(amounts, (0, -1, -1, -1, -1))
        return moved is None

    # The thread is nearly always inside of a call.
    assert any(is_refused() for _ in range(10))


def test_long_messages_of_a_source_are_cut_between_characters():
    pa = pytest.importorskip("pyarrow")
    schema = pa.schema([("store", pa.string()), ("amount", pa.string())])
    for prefix in ("", "a"):

        def batches():
            raise OSError(prefix + "é" * 400)
            yield

        source = pa.RecordBatchReader.from_batches(schema, batches())
        reader = pa.RecordBatchReader.from_stream(pt.format_column(source))
        with pytest.raises(OSError) as caught:
            reader.read_next_batch()
        assert "éééé" in str(caught.value) and "\ufffd" not in str(caught.value)


def test_extension_types_count_as_their_storage():
    pa = pytest.importorskip("pyarrow")

    class Money(pa.ExtensionType):
        def __init__(self):
            super().__init__(pa.int64(), "example.money")

        def __arrow_ext_serialize__(self):
            return b"\0\xff"

    amounts = pa.ExtensionArray.from_storage(Money(), pa.array([499, None]))
    result = pa.record_batch(pt.format_arrays(amounts, storefront="USA", unit="minor"))
    assert result["display"].to_pylist() == ["$4.99", None]


def test_constant_amounts_of_numpy():
    pa = pytest.importorskip("pyarrow")
    numpy = pytest.importorskip("numpy")
    stores = pa.array(["USA"])
    for amount in (numpy.int64(5), numpy.uint8(5)):
        result = pa.record_batch(pt.format_arrays(amount, storefront=stores))
        assert result["display"].to_pylist() == ["$5.00"]
    for amount in (numpy.float32(5), numpy.float64(5), numpy.bool_(True), numpy.arange(2), True):
        with pytest.raises(TypeError, match="amount: "):
            pt.format_arrays(amount, storefront=stores)


# ---- The garbage collector


def test_callbacks_of_the_collector_see_complete_formatters():
    # An allocation runs the collector and its callbacks. From Python 3.12 on, only code in Python
    # does, such as the initializer of an exception.
    run(
        """
        import gc
        import pricetag_formatter as pt
        def use_all(phase, details):
            for found in gc.get_objects():
                if type(found) is pt.Formatter:
                    found.currency, found.locale, repr(found)
        gc.callbacks.append(use_all)
        gc.set_threshold(1, 1, 1)
        keep = [pt.Formatter(storefront=code) for code in ("USA", "JPN", "DEU")]
        for code in ("", "XXX"):
            try:
                pt.Formatter(storefront=code)
            except pt.PriceError:
                pass
        gc.callbacks.clear()
        assert all(map(gc.is_tracked, keep))
        """
    )


@pytest.mark.parametrize("is_file", (False, True))
def test_other_threads_see_complete_packs(tmp_path, is_file):
    # A constructor opens the pack without the lock. This pack is so large that the other thread
    # runs meanwhile.
    path = tmp_path / "locales.pack"
    path.write_bytes(bytes(pt.Pack.locales()))
    run(
        f"""
        import gc, pathlib, threading
        import pricetag_formatter as pt
        path = {str(path)!r}
        source = path if {is_file} else pathlib.Path(path).read_bytes()
        is_done = False
        def use_all():
            while not is_done:
                for found in gc.get_objects():
                    if type(found) is pt.Pack:
                        found.checksum, repr(found)
        thread = threading.Thread(target=use_all, daemon=True)
        thread.start()
        for _ in range(20):
            pack = pt.Pack(source)
        is_done = True
        thread.join()
        assert gc.is_tracked(pack)
        """
    )


# ---- The end of the interpreter


def test_exit_with_live_streams():
    pytest.importorskip("pyarrow")
    run(
        """
        import pyarrow as pa
        import pricetag_formatter as pt
        table = pa.table({"store": ["JPN"], "amount": ["1200"]})
        prices = pt.format_column(table)
        capsule = prices.__arrow_c_stream__()
        reader = pa.RecordBatchReader.from_stream(pt.format_column(table))
        result = pt.format_arrays(pa.array(["1"]), storefront="USA")
        pt.keep = [capsule, reader, result, result.__arrow_c_array__(), prices]
        """
    )
