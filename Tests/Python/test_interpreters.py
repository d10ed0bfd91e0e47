"""Tests the package in several interpreters of one process, as mod_wsgi and uWSGI run them."""

import subprocess
import sys
import textwrap

# Runs code in interpreters that share the lock, of which each version of Python has its own module.
HARNESS = """
    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters

    def create():
        if interpreters.__name__ == "_interpreters":
            return interpreters.create("legacy")
        try:
            return interpreters.create(isolated=False)
        except TypeError:
            return interpreters.create()

    def run(interpreter, code):
        problem = interpreters.run_string(interpreter, code)
        assert problem is None, problem
    """

# What a program does in an interpreter. Every line uses something that the extension imports or
# stores.
USE = """
import datetime, decimal, gc, pickle
import pricetag_formatter as pt

for amount, code in (("x", "malformed-amount"), ("4.999", "needs-rounding")):
    try:
        pt.format(amount, storefront="USA")
    except pt.PriceError as error:
        assert type(error) is pt.PriceError and error.code == code, error
    else:
        raise AssertionError(amount)
assert pt.format(decimal.Decimal("4.99"), storefront="USA") == "$4.99"
assert pt.format("5", storefront="BGR", date=datetime.date(2026, 1, 1)) == "\u20ac5.00"
assert pt.format("4.99", locale="en-US", currency="USD") == "$4.99"
formatter = pt.Formatter(storefront="JPN", width="iso")
assert type(formatter) is pt.Formatter and type(pt.Pack.storefronts()) is pt.Pack
assert type(formatter.parts("1200")[0]) is pt.Part
assert pickle.loads(pickle.dumps(formatter))("1200") == formatter("1200") == "JPY\\xa01,200"
assert pickle.loads(pickle.dumps(pt.Pack.storefronts())) is pt.Pack.storefronts()
gc.collect()
"""

# A table without a library of Arrow, which would have to support interpreters itself. The columns
# have one row each. The release callback has nothing to release, so any function of C will do.
TABLE = """
import ctypes
import pricetag_formatter as pt

class Schema(ctypes.Structure):
    pass

class Array(ctypes.Structure):
    pass

end = [("release", ctypes.c_void_p), ("private", ctypes.c_void_p)]
Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.c_void_p)] + end
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(Array))), ("dictionary", ctypes.c_void_p)] + end
new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype = ctypes.py_object
new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
release = ctypes.cast(ctypes.CDLL(None).getpid, ctypes.c_void_p).value
kept = []

def keep(value):
    kept.append(value)
    return value

def text(name, value):
    offsets = keep((ctypes.c_int32 * 2)(0, len(value)))
    bytes = keep(ctypes.create_string_buffer(value))
    buffers = keep((ctypes.c_void_p * 3)(None, ctypes.addressof(offsets), ctypes.addressof(bytes)))
    return (keep(Schema(b"u", name, release=release)),
            keep(Array(1, 0, 0, 3, 0, buffers, release=release)))

def pointers(type, values):
    return keep((ctypes.POINTER(type) * len(values))(*map(ctypes.pointer, values)))

class Table:
    def __arrow_c_array__(self, requested_schema=None):
        columns = [text(b"store", b"USA"), text(b"amount", b"4.99")]
        schemas = pointers(Schema, [schema for schema, _ in columns])
        arrays = pointers(Array, [array for _, array in columns])
        schema = keep(Schema(b"+s", n_children=2, children=schemas, release=release))
        no_validity = keep((ctypes.c_void_p * 1)(None))
        array = keep(Array(1, 0, 0, 1, 2, no_validity, arrays, release=release))
        return (new_capsule(ctypes.addressof(schema), b"arrow_schema", None),
                new_capsule(ctypes.addressof(array), b"arrow_array", None))

class Result:
    def __arrow_c_stream__(self, requested_schema=None):
        return pt.format_column(Table(), output="display").__arrow_c_stream__()

# Reading, and dropping a stream that has not been read.
from pricetag_formatter import _native
row = _native.column_next(_native.column_stream(Result()))
assert len(row) == 1
Result().__arrow_c_stream__()
"""


def python(code, use):
    """Runs a script in a process of its own. Modules of Python itself write warnings there.

    An interpreter that waits for ever has a time limit, which is long enough for QEMU.
    """
    script = f"USE = {use!r}\n" + textwrap.dedent(HARNESS) + textwrap.dedent(code)
    done = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, timeout=300)
    assert done.returncode == 0, done.stderr.decode()


def test_first_interpreter_ends_before_the_last_call_of_another():
    code = """
        first, second = create(), create()
        run(first, USE)
        run(second, USE)
        interpreters.destroy(first)
        run(second, USE)
        exec(USE)
        third = create()
        run(third, USE)
        interpreters.destroy(second)
        run(third, USE)
        exec(USE)
        """
    python(code, USE)


def test_streams_end_in_their_interpreter():
    code = """
        exec(USE)
        interpreter = create()
        run(interpreter, USE)
        interpreters.destroy(interpreter)
        exec(USE)
        """
    python(code, TABLE)


def test_an_interpreter_that_ends_frees_its_packs():
    # The pack of all price locales has 10 MB.
    code = """
        import resource
        def peak():
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        def use():
            interpreter = create()
            run(interpreter, USE)
            interpreters.destroy(interpreter)
        for _ in range(3):
            use()
        before = peak()
        for _ in range(10):
            use()
        assert peak() - before < 50_000, (before, peak())
        """
    python(code, USE)
