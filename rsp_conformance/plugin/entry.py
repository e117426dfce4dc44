"""The pytest plugin's door: options and a fixture, until ``--engine`` asks for more.

An installed plugin is loaded by every pytest run of its environment, so this module imports
neither Hypothesis nor Spark nor rdflib; ``install`` does.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rsp_conformance.judge.engine_under_test import EngineUnderTest

HELP_ENDS_HERE = ("help", "version", "markers", "showfixtures", "show_fixtures_per_test")


def _value(metavar: str, help: str, default: str | None = None) -> dict[str, Any]:
    return {"metavar": metavar, "help": help, "default": default}


def _values(metavar: str, help: str) -> dict[str, Any]:
    return {"metavar": metavar, "help": help, "default": [], "action": "append"}


def _flag(help: str) -> dict[str, Any]:
    return {"help": help, "action": "store_true"}


OPTIONS: dict[str, dict[str, Any]] = {
    "--engine-option": _values("K=V", "an option of the engine; may be repeated"),
    "--rsp-only": _flag("run the suite alone, without the tests that stand here"),
    "--rsp-profile": _value(
        "NAME", "hold the engine to this profile (a bundled name or a JSON file), not to its own"
    ),
    "--rsp-dial": _values("DIAL=VALUE", "turn one dial of the profile; may be repeated"),
    "--rsp-examples": _value("N", "cases a property (default: Hypothesis' max_examples, 100)"),
    "--rsp-seed": _value("SEED", "generate the cases of the run that printed this seed"),
    "--rsp-spark": _value(
        "MASTER",
        "where Spark judges: a master URL, an sc:// remote, or off "
        "(the specification and `reference` judge alone); default: local[*]",
        "local[*]",
    ),
    "--rsp-max-time": _value(
        "SECONDS",
        "time for asking the engine, spread over the properties; default: as long as it "
        "takes (shrinking has 60 s a finding of its own)",
    ),
    "--rsp-time-limit": _value("SECONDS", "time limit of one case; default: 30", "30"),
    "--rsp-burnin": _value(
        "N",
        "the elements of the burn-in's stream, which runs with -m burnin alone; default: 100000",
        "100000",
    ),
    "--rsp-xfails": _value(
        "FILE", "failures that are expected: lines of property[:kind[:dial]] and a reason"
    ),
    "--rsp-xfails-strict": _flag("fail the run where an expected failure did not come"),
    "--rsp-trace": _value("FILE", "write what goes between the kit and the driver"),
    "--rsp-dir": _value("DIR", "where crash files go; default: .rsp in the root directory", ".rsp"),
}
"""The suite's options beside ``--engine``, as pytest takes them."""

NEED_ENGINE = ("--rsp-only", "--engine-option", "--rsp-dial", "--rsp-xfails", "--rsp-trace")
"""Options that nobody gives without meaning the suite."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the suite."""
    group = parser.getgroup("rsp", "RSP conformance")
    group.addoption(
        "--engine",
        "--rsp-engine",
        dest="engine",
        metavar="NAME",
        help="run the RSP conformance suite against this engine: a name that "
        "`rsp-conformance engines` lists, or stdio:COMMAND for a driver of your own",
    )
    for name, settings in OPTIONS.items():
        group.addoption(name, **settings)


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
    if not config.getoption("engine"):
        return _without_engine(config)
    from rsp_conformance.model.errors import BadInput
    from rsp_conformance.plugin.install import install

    try:
        install(config)
    except BadInput as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        # pytest reports an interrupted session, and this one has not begun.
        return pytest.ExitCode.INTERRUPTED
    return None


def _without_engine(config: pytest.Config) -> int | None:
    """Refuse the suite's options where no engine is named; change nothing otherwise."""
    given = [option for option in NEED_ENGINE if config.getoption(option)]
    if given:
        print(f"ERROR: {given[0]} needs --engine=NAME, the engine to test", file=sys.stderr)
        return 2
    return None


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
