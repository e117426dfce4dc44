"""The pytest plugin's door: options and a fixture, and more only with ``--rsp-engine``.

An installed plugin is loaded by every pytest run of its environment, so this module imports neither
Hypothesis nor Spark nor rdflib; ``install`` does.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

from rsp_conformance.model.errors import KitError, one_line
from rsp_conformance.plugin import options
from rsp_conformance.plugin.settings import check
from rsp_conformance.plugin.short_forms import keep_values_apart, refuse_misread, write_in_full

if TYPE_CHECKING:
    from rsp_conformance.judge.engine_under_test import EngineUnderTest

HELP_ENDS_HERE = ("help", "version", "markers", "showfixtures", "show_fixtures_per_test")

NO_ENGINE = "needs --rsp-engine=NAME, the engine to test"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options of the suite."""
    options.add_options(parser)


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(
    early_config: pytest.Config, parser: pytest.Parser, args: list[str]
) -> Generator[None]:
    """Take ``--engine`` for ours if no conftest has it either."""
    keep_values_apart(early_config, args)
    yield
    write_in_full(parser, args)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Bring in the suite if an engine is named; exit status 2 for bad input."""
    if any(config.getoption(name, None) for name in HELP_ENDS_HERE):
        return None
    try:
        check(config, {name: option.kind for name, option in options.OPTIONS.items()})
        if options.written(config, "engine"):
            refuse_misread(config)
            from rsp_conformance.plugin.install import install

            install(config)
        else:
            _refuse_options(config)
    except KitError as error:
        print(f"ERROR: {one_line(str(error))}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        # pytest reports an interrupted session, and this one has not begun.
        return pytest.ExitCode.INTERRUPTED
    return None


def _refuse_options(config: pytest.Config) -> None:
    """Refuse options that make sense only with an engine, if none is named."""
    names = [name for name in options.OPTIONS if config.getoption(f"rsp_{name}") is not None]
    given = [options.flag(name) for name in names if name != "engine"]
    given += options.suite_ids(config)
    if given:
        table = "settings for every run go into [tool.rsp_conformance] of pyproject.toml"
        raise pytest.UsageError(f"{given[0]} {NO_ENGINE}; {table}")


@pytest.fixture(scope="session")
def rsp_engine(request: pytest.FixtureRequest) -> EngineUnderTest:
    """The engine that ``--rsp-engine`` names, to be asked in tests of one's own.

    A ``rsp_conformance.judge.engine_under_test.EngineUnderTest``. Where none is named the test is
    skipped.
    """
    plugin = request.config.pluginmanager.get_plugin("rsp-suite")
    if plugin is None:
        pytest.skip(NO_ENGINE)
    subject: EngineUnderTest = plugin.subject
    return subject
