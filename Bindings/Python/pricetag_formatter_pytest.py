"""The pytest plugin of pricetag_formatter, which is imported when a test first uses it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Optional

import pytest

if TYPE_CHECKING:
    from pricetag_formatter.testing import Expectations


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option and the setting for a file of expectations."""
    text = "the file of `pricetag expect` with which the fixture assert_price compares"
    parser.getgroup("pricetag").addoption("--price-expectations", metavar="FILE", help=text)
    parser.addini("price_expectations", text)


@pytest.fixture(scope="session")
def price_expectations(pytestconfig: pytest.Config) -> Optional[Expectations]:
    """Returns the expectations of the option or the setting `price_expectations`."""
    from pricetag_formatter.testing import Expectations

    config = pytestconfig
    folder, name = config.invocation_params.dir, config.getoption("--price-expectations")
    if not name and config.getini("price_expectations"):
        folder, name = config.rootpath, config.getini("price_expectations")
    return Expectations(folder / name) if name else None


@pytest.fixture
def assert_price(price_expectations: Optional[Expectations]) -> Callable[..., None]:
    """Returns the assertion of a displayed price: by the file of expectations, if there is one."""
    from pricetag_formatter.testing import assert_price

    return price_expectations.assert_price if price_expectations else assert_price
