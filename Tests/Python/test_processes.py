"""Tests the package in forked, spawned and other processes."""

import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap
import threading

import pytest

import pricetag_formatter as pt

FORMATTER = pt.Formatter(locale="de-DE", currency="EUR")


def work(arguments):
    """Formats in a worker: with a formatter of its own, the parent's, and one that was pickled."""
    storefront, pickled = arguments
    own = pt.Formatter(storefront=storefront)("1200")
    return (
        own,
        FORMATTER("1234.5"),
        pickle.loads(pickled)("4.99"),
        pt.format("1200", storefront=storefront),
    )


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method):
    storefronts = ["USA", "JPN", "DEU", "EGY"] * 10
    pickled = pickle.dumps(pt.Formatter(storefront="USA", width="iso"))
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = pool.map(work, [(storefront, pickled) for storefront in storefronts])
    assert results == [work((storefront, pickled)) for storefront in storefronts]
    assert results[1] == ("￥1,200", "1.234,50\xa0€", "USD\xa04.99", "￥1,200")


# Forking a process with threads is what this test is about.
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_fork_while_threads_format():
    stop = threading.Event()

    def format_until_stop():
        while not stop.is_set():
            pt.format("1200", storefront="JPN")
            pt.Formatter(storefront="EGY").parts("4.99")

    threads = [threading.Thread(target=format_until_stop) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                prices = (
                    pt.format("1200", storefront="JPN"),
                    FORMATTER("4.99"),
                    pt.Formatter(storefront="USA").spoken("1"),
                )
                os._exit(0 if prices == ("￥1,200", "4,99\xa0€", "1.00 US dollars") else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_first_import_in_a_forked_worker():
    code = """
        import os
        child = os.fork()
        if child == 0:
            import pricetag_formatter as pt
            os._exit(0 if pt.format("4.99", locale="en-US", currency="USD") == "$4.99" else 1)
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


def test_locale_pack_is_decompressed_once_by_threads():
    code = """
        import threading
        import pricetag_formatter as pt
        packs, barrier = [], threading.Barrier(4)
        def work():
            barrier.wait()
            packs.append(pt.Pack.locales())
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert len(packs) == 4 and len(set(map(id, packs))) == 1, packs
        """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


def test_second_import_in_a_process():
    code = """
        import sys
        import pricetag_formatter as first
        formatter = first.Formatter(storefront="USA")
        for name in [name for name in sys.modules if name.startswith("pricetag_formatter")]:
            del sys.modules[name]
        import pricetag_formatter as second
        assert second.format("4.99", storefront="USA") == formatter("4.99") == "$4.99"
        """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


def test_no_lzma():
    # Some builds of Python have no lzma. Only the pack of all price locales needs it.
    code = """
        import sys
        sys.modules["lzma"] = None
        import pricetag_formatter as pt
        assert pt.format("4.99", storefront="USA") == "$4.99"
        try:
            pt.format("4.99", locale="en-US", currency="USD")
        except ImportError as error:
            assert "needs the module lzma" in str(error), error
        else:
            raise AssertionError("lzma was imported")
        """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


def test_exit_with_live_objects():
    code = """
        import pricetag_formatter as pt
        class Late:
            def __del__(self):
                pt.format("1", storefront="USA") if pt and pt.format else None
        keep = [pt.Formatter(storefront="USA"), Late(), pt.Pack.storefronts()]
        pt.format("1", storefront="USA")
        """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
