"""The pytest plugin's door: options only, until ``--engine`` asks for more.

An installed plugin is loaded by every pytest run of its environment, so this module imports
neither Hypothesis nor Spark nor rdflib; ``main`` does.
"""

from __future__ import annotations

import sys

import pytest

HELP_ENDS_HERE = ("help", "version", "markers", "showfixtures", "show_fixtures_per_test")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the suite."""
    group = parser.getgroup("rsp", "RSP conformance")
    group.addoption(
        "--engine",
        metavar="NAME",
        help="run the RSP conformance suite against this engine: a name that "
        "`rsp-conformance engines` lists, or stdio:COMMAND for a driver of your own",
    )
    group.addoption(
        "--engine-option",
        metavar="K=V",
        action="append",
        default=[],
        help="an option of the engine; may be repeated",
    )
    group.addoption(
        "--rsp-only",
        action="store_true",
        help="run the suite alone, without the tests that stand here",
    )
    group.addoption(
        "--rsp-profile",
        metavar="NAME",
        help="hold the engine to this profile (a bundled name or a JSON file) instead of its own",
    )
    group.addoption(
        "--rsp-dial",
        metavar="DIAL=VALUE",
        action="append",
        default=[],
        help="turn one dial of the profile; may be repeated",
    )
    group.addoption(
        "--rsp-examples",
        metavar="N",
        help="cases a property (default: Hypothesis' max_examples, 100)",
    )
    group.addoption(
        "--rsp-seed", metavar="SEED", help="generate the cases of the run that printed this seed"
    )
    group.addoption(
        "--rsp-spark",
        metavar="MASTER",
        default="local[*]",
        help="where Spark judges: a master URL, an sc:// remote, or off "
        "(the specification and `reference` judge alone); default: local[*]",
    )
    group.addoption(
        "--rsp-time-limit",
        metavar="SECONDS",
        default="30",
        help="time limit of one case; default: 30",
    )
    group.addoption(
        "--rsp-dir",
        metavar="DIR",
        default=".rsp",
        help="where crash files go; default: .rsp in the root directory",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Say what the marker means, whether or not the suite runs."""
    config.addinivalue_line("markers", "rsp: a property of the RSP conformance suite")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """Bring in the suite where ``--engine`` asks for it; 2 for input that makes no sense."""
    if any(config.getoption(name, None) for name in HELP_ENDS_HERE):
        return None
    if not config.getoption("engine"):
        return _without_engine(config)
    from rsp_conformance.plugin import main

    try:
        main.install(config)
    except main.BadInput as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 2
    return None


def _without_engine(config: pytest.Config) -> int | None:
    """Refuse the suite's options where no engine is named; change nothing otherwise."""
    given = [name for name in ("rsp_only", "engine_option", "rsp_dial") if config.getoption(name)]
    if given:
        option = "--" + given[0].replace("_", "-")
        print(f"ERROR: {option} needs --engine=NAME, the engine to test", file=sys.stderr)
        return 2
    return None
