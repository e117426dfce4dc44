"""The suite's options: each is a field, with its help and with the function that reads it.

The command line goes before pytest's configuration file, and that before the project's own table
(`settings`). Every pytest run of an environment loads this module, so it imports nothing heavy.
"""

from __future__ import annotations

import random
import shlex
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest

from rsp_conformance.model.errors import BadInput, did_you_mean, read_settings, reading
from rsp_conformance.plugin import settings

if TYPE_CHECKING:
    from rsp_conformance.diagnosis.known import KnownCause
    from rsp_conformance.model.profiles import Profile
    from rsp_conformance.run.xfails import Mark
    from rsp_conformance.test_suite.manifest import CaseSuite

PREFIX = "rsp::"
"""The node ids of the suite begin with this."""

Read: TypeAlias = Callable[[str, Any], Any]
"""Makes a value of the text that was written at a place; raises BadInput for bad input."""


@dataclass(frozen=True, slots=True)
class Option:
    """The description of an option.

    Attributes:
        kind: the kind of value in a configuration file, one of `settings.KINDS`.
        metavar: stands for the value in the help.
        help: the help.
        read: makes a value of the text.
        default: the default, as it would be written.
    """

    kind: str
    metavar: str
    help: str
    read: Read = lambda _, value: value
    default: str | None = None


def _option(*what: Any, **more: Any) -> Any:
    return field(metadata={"option": Option(*what, **more)})


def help_of(option: Option) -> str:
    """What an option does, and its default, as sentences."""
    default = "" if option.default is None else f" Default: {option.default}."
    return f"{option.help}.{default}"


def flag(name: str) -> str:
    """The spelling of an option on the command line, by its field."""
    return f"--rsp-{name.replace('_', '-')}"


def _pairs(option: str, given: list[str], listed: Collection[str] = ()) -> dict[str, str]:
    return read_settings(
        given, lambda text: BadInput(f"{option} {shlex.quote(text)}: expected NAME=VALUE"), listed
    )


def _engine_options(option: str, given: list[str]) -> dict[str, str]:
    from rsp_conformance.protocol.registry import LISTED

    return _pairs(option, given, LISTED)


def _dials(option: str, given: list[str]) -> dict[str, Any]:
    from rsp_conformance.model.dials import parse_dial

    pairs = _pairs(option, given)
    with reading(option):
        return {dial: parse_dial(dial, value) for dial, value in pairs.items()}


def _profile(option: str, name: str) -> Profile:
    import rsp_conformance as rsp

    try:
        return rsp.profile(name)
    except BadInput as error:
        raise BadInput(f"{option}: {error}") from error


def _at_least_one(option: str, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise BadInput(f"{option} {shlex.quote(text)}: expected a whole number, at least 1")
    return int(text)


def _mode(option: str, text: str) -> str:
    from rsp_conformance.run.modes import MODES

    if text not in MODES:
        hint = did_you_mean(text, MODES) or f" (there are {', '.join(MODES)})"
        raise BadInput(f"{option}: unknown mode {shlex.quote(text)}{hint}")
    return text


def _seconds(option: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 86_400:
        raise BadInput(f"{option} {shlex.quote(text)}: expected a number of seconds above 0")
    return seconds


def _spark(option: str, text: str) -> str:
    from rsp_conformance.spark.masters import check_master

    with reading(option):
        return check_master(text, "off")


def _marks(option: str, text: str) -> tuple[Mark, ...]:
    from rsp_conformance.run.xfails import read_marks

    with reading(option):
        return read_marks(Path(text))


def _known(option: str, text: str) -> tuple[KnownCause, ...]:
    from rsp_conformance.diagnosis.known_file import read_known

    with reading(option):
        return read_known(Path(text)) if text else ()


def _suite(option: str, text: str) -> CaseSuite | None:
    from rsp_conformance.test_suite.manifest import read_suite

    with reading(option):
        return read_suite(Path(text)) if text else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options of a run.

    Attributes:
        folder: the folder from which a driver's command line is run.
        notes: notes for the head of the output.
        selected: the node ids of the suite that the command line names.
        joins: whether the suite joins the tests that stand here; it does not if these alone were
            named.
        alone: whether the suite runs alone.
    """

    engine: str = _option(
        "text",
        "NAME",
        "Test this engine: a name that `rsp-conformance engines` lists, or stdio:COMMAND for a "
        "driver of your own. --engine is short for it, unless another plugin or a conftest has "
        "an --engine",
    )
    engine_option: dict[str, str] = _option(
        "list",
        "K=V",
        "Set an option of the engine, as `rsp-conformance engines` lists it. Repeatable; "
        "--engine-option is short for it",
        _engine_options,
    )
    against: str | None = _option(
        "text",
        "NAME",
        "Send each case to this engine too, and compare the answers of both, instead of testing "
        "properties (docs/compare.md). --against is short for it",
    )
    against_option: dict[str, str] = _option(
        "list", "K=V", "Set an option of that other engine. Repeatable", _engine_options
    )
    suite: CaseSuite | None = _option(
        "file",
        "DIR",
        "Run the tests of this case suite (docs/compare.md) instead of the properties",
        _suite,
    )
    only: bool = _option("flag", "", "Run only the conformance tests, not those of your repository")
    profile: Profile | None = _option(
        "name or file",
        "NAME",
        "Check the engine against this engine profile (a bundled name or a JSON file) instead of "
        "the one that it declares",
        _profile,
    )
    dial: dict[str, Any] = _option(
        "list",
        "DIAL=VALUE",
        "Turn one dial of the profile, such as 'bounds=[o,c)'. Repeatable",
        _dials,
    )
    examples: int | None = _option(
        "number",
        "N",
        "Cases per property; without it those of the mode, or Hypothesis' max_examples (100). "
        "With fewer than 40, laws are often not tested, because too few of their cases have rows",
        _at_least_one,
    )
    mode: str = _option(
        "text",
        "MODE",
        "How much a run does: quick (40 cases per property, little reducing of failures), normal, "
        "or thorough (1000 cases, and --rsp-deep)",
        _mode,
        default="normal",
    )
    stop_after: int | None = _option(
        "number",
        "N",
        "Stop when N causes have been found",
        _at_least_one,
    )
    seed: str = _option(
        "number or text",
        "N|random",
        "Generate the cases of the run that printed this seed. random: new cases in each run, "
        "also in CI, where they are fixed otherwise",
    )
    spark: str = _option(
        "text",
        "MASTER",
        "Where Spark judges: a master URL, sc://HOST:PORT, or off: then the reference model and "
        "the engine `reference` judge, and you need no Java",
        _spark,
        default="local[*]",
    )
    max_time: float | None = _option(
        "seconds",
        "SECONDS",
        "Time for drawing cases, asking the engine and reducing failures, shared by all "
        "properties, whose cases come first; without it, as long as it takes (60 s for each "
        "failure that is reduced)",
        _seconds,
    )
    time_limit: float = _option(
        "seconds", "SECONDS", "Time limit of one case", _seconds, default="30"
    )
    judging_limit: float = _option(
        "seconds",
        "SECONDS",
        "Processor time that the kit itself may take to judge one case",
        _seconds,
        default="60",
    )
    burnin: int = _option(
        "number",
        "N",
        "Elements of the burn-in's stream; the burn-in runs only with -m burnin",
        _at_least_one,
        default="100000",
    )
    xfails: tuple[Mark, ...] = _option(
        "file",
        "FILE",
        "A file of expected failures, one per line: PROPERTY[:KIND[:DIAL]] REASON (docs/known.md)",
        _marks,
    )
    xfails_strict: bool = _option(
        "flag",
        "",
        "Fail the run if an expected failure did not come, or a known cause is gone",
    )
    known: tuple[KnownCause, ...] = _option(
        "file",
        "FILE",
        "A file of known causes (TOML, docs/known.md): failures that they explain do not fail the "
        "run, and it looks for other bugs",
        _known,
    )
    deep: bool = _option(
        "flag",
        "",
        "Keep looking for bugs behind those that were found: reduce more failures, search longer "
        "for causes, and ask all cases even if nearly all fail",
    )
    known_write: Path | None = _option(
        "file",
        "FILE",
        "Add the causes that the run finds, and those of --rsp-known, to this file",
        lambda _, text: Path(text),
    )
    json: Path | None = _option(
        "file",
        "FILE",
        "Write the result of the run as JSON (docs/results.md)",
        lambda _, text: Path(text),
    )
    report: Path | None = _option(
        "file",
        "DIR",
        "Write the result as HTML that opens offline, with a badge (docs/results.md)",
        lambda _, text: Path(text),
    )
    earl: Path | None = _option(
        "file",
        "FILE",
        "Write the outcome of each property, or of each case of a suite, as EARL (Turtle)",
        lambda _, text: Path(text),
    )
    resume: bool = _option(
        "flag",
        "",
        "Go on with the last run in the folder of --rsp-dir, which was stopped or killed",
    )
    trace: str | None = _option("file", "FILE", "Log all messages between kit and driver")
    dir: Path = _option(
        "text", "DIR", "Folder of crash files and of the run; without it .rsp in the root directory"
    )
    folder: Path
    notes: tuple[str, ...] = ()
    selected: tuple[str, ...]
    joins: bool
    alone: bool


OPTIONS: Mapping[str, Option] = {
    one.name: one.metadata["option"] for one in fields(Options) if one.metadata
}
"""Every option by its field."""

GROUPS: Mapping[str, tuple[str, ...]] = {
    "the engine": ("engine", "engine_option", "profile", "dial", "against", "against_option"),
    "tests and cases": ("only", "mode", "examples", "seed", "stop_after", "suite", "burnin"),
    "judges and time": ("spark", "max_time", "time_limit", "judging_limit", "resume"),
    "known failures": ("known", "known_write", "xfails", "xfails_strict", "deep"),
    "output": ("json", "report", "earl", "trace", "dir"),
}
"""The options of each group, in the order of the help; each option is in one."""


def add_options(parser: pytest.Parser) -> None:
    """Declare every option, on the command line and in pytest's configuration file.

    The default is None in both, to tell whether one is written.
    """
    for title, name in ((title, name) for title, own in GROUPS.items() for name in own):
        group = parser.getgroup(f"rsp {title}", f"RSP conformance: {title}")
        option = OPTIONS[name]
        how: dict[str, Any] = {"metavar": option.metavar}
        if option.kind == "flag":
            how = {"action": "store_true"}
        elif option.kind == "list":
            how["action"] = "append"
        help = help_of(option).replace("%", "%%")
        group.addoption(flag(name), dest=f"rsp_{name}", default=None, help=help, **how)
        type, _, _ = settings.KINDS[option.kind]
        parser.addini(f"rsp_{name}", f"{flag(name)} of every run", type=type, default=None)


def written(config: pytest.Config, name: str) -> Any:
    """The value that was written for an option anywhere, or its default."""
    return _found(config, name)[1]


def place(config: pytest.Config, name: str) -> str:
    """The place where an option is written, as messages name it."""
    return _found(config, name)[0]


def _found(config: pytest.Config, name: str) -> tuple[str, Any]:
    """The place of an option and its value; a setting that is left empty counts as not written."""
    option, value = OPTIONS[name], config.getoption(f"rsp_{name}", None)
    if value is not None:
        if value == "" and option.kind == "file" and name != "known":
            raise BadInput(f"{flag(name)}= expects the name of a file behind it")
        return flag(name), value
    where, value = settings.find(config, name, option.kind) or (flag(name), None)
    return where, option.default if value is None or (value == "" and name != "known") else value


def suite_id(argument: object) -> str:
    """The id of the suite's test that an argument of pytest's names; empty if it names none.

    From another folder than the root pytest shows ids as ``../rsp::test_windows``.
    """
    id = str(argument).lstrip("./")
    return id if id.startswith(PREFIX) else ""


def suite_ids(config: pytest.Config) -> tuple[str, ...]:
    """The ids of the suite's tests that the command line names."""
    return tuple(filter(None, map(suite_id, config.args)))


def worker_input(config: pytest.Config) -> Mapping[str, Any]:
    """The values that xdist's controller gave this worker; empty elsewhere."""
    return getattr(config, "workerinput", {})


def is_controller(config: pytest.Config) -> bool:
    """Whether this process hands its tests to workers of xdist."""
    return not worker_input(config) and config.pluginmanager.hasplugin("dsession")


def read(config: pytest.Config) -> Options:
    """Read the options of this run.

    Raises:
        BadInput: an option makes no sense.
    """
    if sys.platform == "win32":
        raise BadInput("rsp-conformance does not run on native Windows; use WSL")
    from rsp_conformance.protocol.registry import known_of
    from rsp_conformance.run.modes import MODES

    values: dict[str, Any] = {}
    for name, option in OPTIONS.items():
        where, value = _found(config, name)
        if value is None and option.kind == "list":
            value = []
        values[name] = None if value is None else option.read(where, value)
    if values["against_option"] and values["against"] is None:
        raise BadInput("--rsp-against-option: needs --rsp-against=NAME, the other engine")
    if values["against"] is not None and (values["deep"] or values["known"]):
        raise BadInput("--rsp-against: known causes and deep runs are of one engine alone")
    if values["suite"] is not None:
        others = ("against", "deep", "xfails", "known_write", "json", "report")
        if given := next((name for name in others if values[name]), None):
            raise BadInput(f"{flag(given)}: means nothing with --rsp-suite")
    named = suite_ids(config)
    paths = config.args_source is pytest.Config.ArgsSource.ARGS and len(named) < len(config.args)
    alone = bool(values["only"]) or (bool(named) and not paths)
    folder = config.rootpath / (values["dir"] or ".rsp")
    seed, why = _seed(config, *_found(config, "seed"))
    if values["resume"] and written(config, "seed") is None:
        seed = _seed_before(folder) or seed
    known = values["known"]
    if known is None:
        own = known_of(values["engine"])
        known = _known(f"the engine {values['engine']}", str(own or ""))
    at_hand = config.getoption("rsp_engine", None) is not None
    mode = MODES[values["mode"]]
    values |= {
        "deep": bool(values["deep"]) or (mode.deep and values["against"] is None),
        "examples": values["examples"] or mode.examples,
        "seed": seed,
        "notes": (why,) if why else (),
        "dir": folder,
        "folder": config.invocation_params.dir if at_hand else settings.home(config),
        "xfails": values["xfails"] or (),
        "known": known,
    }
    return Options(**values, selected=named, joins=alone or bool(named) or not paths, alone=alone)


def _seed_before(folder: Path) -> str:
    """The seed of the last run in a folder; empty if there is none."""
    from rsp_conformance.run.ledger_file import NAME, is_begun, read_header

    path = folder / NAME
    return read_header(path).seed if is_begun(path) else ""


def _seed(config: pytest.Config, where: str, given: str | None) -> tuple[str, str]:
    """The run's seed, and a note on it: shared by the controller of xdist, given, or new.

    A profile of Hypothesis that is derandomized (as in CI) gets the same seed every time.
    """
    if given is not None and given != "random" and not given.isdecimal():
        raise BadInput(f"{where} {shlex.quote(given)}: expected a whole number, or random")
    shared: str | None = worker_input(config).get("rsp_seed")
    seed = shared or given or config.getoption("--hypothesis-seed", None)
    if seed is not None and seed != "random":
        return str(seed), ""
    from hypothesis import settings

    if seed is None and settings().derandomize:
        profile = settings.get_current_profile_name()
        return (
            "0",
            f'seed: fixed by Hypothesis\' profile "{profile}"; --rsp-seed=random for campaigns',
        )
    return str(random.SystemRandom().getrandbits(32)), ""
