"""The pytest plugin's door: options and a fixture, until ``--engine`` asks for more.

An installed plugin is loaded by every pytest run of its environment, so this module imports
neither Hypothesis nor Spark nor rdflib; ``install`` does.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from rsp_conformance.model.errors import BadInput, KitError
from rsp_conformance.plugin.options import NAMES, add_options, written

if TYPE_CHECKING:
    from rsp_conformance.judge.engine_under_test import EngineUnderTest

HELP_ENDS_HERE = ("help", "version", "markers", "showfixtures", "show_fixtures_per_test")

NEED_ENGINE = ("only", "engine_option", "dial", "xfails", "trace")
"""Options that nobody gives without meaning the suite."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the suite."""
    add_options(parser.getgroup("rsp", "RSP conformance"))


def pytest_configure(config: pytest.Config) -> None:
    """Say what the marker means, whether or not the suite runs."""
    config.addinivalue_line("markers", "rsp: a property of the RSP conformance suite")
    config.addinivalue_line("markers", "laws: a law or a relation between an engine's answers")
    config.addinivalue_line("markers", "burnin: takes minutes; runs only where -m asks for it")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Bring in the suite where ``--engine`` asks for it; 2 for input that makes no sense."""
    if any(config.getoption(name, None) for name in HELP_ENDS_HERE):
        return None
    try:
        if config.getoption("engine"):
            from rsp_conformance.plugin.install import install

            install(config)
        else:
            _refuse_options(config)
    except KitError as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        # pytest reports an interrupted session, and this one has not begun.
        return pytest.ExitCode.INTERRUPTED
    return None


def _refuse_options(config: pytest.Config) -> None:
    """Refuse the suite's options where no engine is named; change nothing otherwise."""
    for name in NEED_ENGINE:
        if written(config, name):
            raise BadInput(f"{NAMES[name][0]} needs --engine=NAME, the engine to test")


@pytest.fixture(scope="session")
def rsp_engine(request: pytest.FixtureRequest) -> EngineUnderTest:
    """The engine that ``--engine`` names, to be asked in tests of one's own.

    A ``rsp_conformance.judge.engine_under_test.EngineUnderTest``. Without ``--engine`` the test is
    skipped.
    """
    plugin = request.config.pluginmanager.get_plugin("rsp-suite")
    if plugin is None:
        pytest.skip("needs --engine=NAME, the engine to test")
    subject: EngineUnderTest = plugin.subject
    return subject
