"""The work of ``replay``: the case of a crash file is asked and judged again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import rsp_conformance as rsp
from rsp_conformance.cli.options import turned
from rsp_conformance.cli.progress import progress
from rsp_conformance.cli.tables import CORRECT, WIDTH, WRONG, say
from rsp_conformance.diagnosis.one_dial import by_dial
from rsp_conformance.explain.render.terminal import failure_report
from rsp_conformance.files.profiles import PROFILES
from rsp_conformance.judge.crash_file import CrashFile, OtherEngine, located, read
from rsp_conformance.judge.engine_under_test import EngineUnderTest
from rsp_conformance.model.errors import BadInput, excerpt, one_line, reading
from rsp_conformance.model.outcome import Outcome
from rsp_conformance.model.profiles import Profile
from rsp_conformance.protocol import registry
from rsp_conformance.protocol.requests import hello_request
from rsp_conformance.relations.pair import EnginePair
from rsp_conformance.run.reference_opinion import reading_of
from rsp_conformance.run.replay import explanation
from rsp_conformance.run.replay import replay as replayed

FIXED, FAILED, ERROR = "FIXED", "FAILED", "ERROR"
MOST_LINES = 2_000
"""The limit on the lines of a report. The report of a run leaves lines out; that of a replay shows
all of them, and this bounds only the output for a case of thousands of elements."""


@dataclass(frozen=True, slots=True)
class OtherProfile:
    """The profile that a user tries in place of the file's; shown as it is typed.

    Attributes:
        profile: the name of a profile; None for that of the file.
        dials: the dials that are turned, as they are written.
    """

    profile: str | None
    dials: tuple[str, ...]

    def __str__(self) -> str:
        named = [] if self.profile is None else [f"--profile {self.profile}"]
        return " ".join([*named, *(f"--dial {setting}" for setting in self.dials)])

    def of(self, crash: CrashFile) -> Profile:
        """Return the profile by which a crash file is judged."""
        named = crash.profile if self.profile is None else rsp.profile(self.profile)
        return turned(named, self.dials)


def ask_again(
    crash_file: Path,
    engine: str | None,
    engine_option: Sequence[str],
    other: OtherProfile,
    *,
    time_limit: float,
    times: int | None,
    trust_file: bool,
) -> int:
    """Ask an engine again what a crash file asks, and say whether the failure is still there.

    Args:
        crash_file: the crash file, or its id.
        engine: the engine, if it is not the one that the file names.
        engine_option: the options of the engine, as they are written.
        other: what the answers are judged by.
        time_limit: seconds per case.
        times: how often it is asked, up to the first failure; None for as often as is needed.
        trust_file: whether the file may name a command.

    Returns:
        The exit status.

    Raises:
        BadInput: nothing could be asked or judged. ``ERROR`` has been printed before.
    """
    try:
        with reading(""):
            crash = read(located(crash_file))
        held = other.of(crash)
        runs = times or (3 if crash.kind == "unstable" else 1)
        if crash.kind == "unstable" and runs < 2:
            raise BadInput("--times: an unstable failure takes at least two runs to see")
        spec, options = _asked(crash, engine, registry.parse_options(engine_option), trust_file)
        if spec != crash.engine:
            options = _under_profile(spec, options, held)
        where = reading(str(crash_file)) if engine is None else registry.named_by("--engine", spec)
        doing = f"running {crash.property_name} on {spec}"
        with progress(doing), ExitStack() as engines, reading(str(crash_file)):
            with where:
                connected = engines.enter_context(registry.connect(spec, options, time_limit))
                subject = EngineUnderTest.meet(connected, held)
            if crash.against is not None:
                subject = _pair(subject, crash.against, engines, time_limit, trust_file)
            found = replayed(crash, subject, runs)
    except BaseException:
        # For any error, the caller of the program reads the word, and then the line.
        print(ERROR)
        raise
    status = status_of(found.outcome)
    if status == ERROR:
        print(ERROR)
        raise BadInput(f"{crash_file}: {found.message}")
    if status == FIXED and (runs > 1 or crash.kind == "timeout"):
        spec += f" (not reproduced in {runs} run{'s' if runs > 1 else ''})"
    tried = f", tried with {other}" if str(other) else ""
    print(one_line(f"{status}: {crash.property_name} on {spec}{tried}"))
    if found.finding is not None:
        with progress("explaining the failure"):
            finding = replace(found.finding, reading=reading_of(found.finding))
            shown = failure_report(
                finding, width=WIDTH, max_lines=MOST_LINES, by_dial=by_dial, whole=True
            )
            said = explanation(crash, finding)
        print(f"\n{shown}")
        if said:
            print()
            say(said)
    return {FIXED: CORRECT, FAILED: WRONG}[status]


def status_of(outcome: Outcome) -> str:
    """The word for OUTCOME: FIXED, FAILED, or ERROR if there was nothing to judge."""
    if outcome.accuses:
        return FAILED
    return FIXED if outcome is Outcome.RIGHT else ERROR


def _pair(
    subject: EngineUnderTest,
    against: OtherEngine,
    engines: ExitStack,
    time_limit: float,
    trusted: bool,
) -> EngineUnderTest:
    """Pair an engine with the one that its answers were compared with.

    Args:
        subject: the engine of the crash file.
        against: the other engine, as the crash file names it.
        engines: closes the connection at the end.
        time_limit: seconds per case.
        trusted: whether the file may name a command.

    Raises:
        BadInput: the file names a command and is not trusted.
    """
    runs = registry.asks_to_run(against.engine, against.options)
    if runs is not None and not trusted:
        raise BadInput(f"this file asks to run {excerpt(runs)}; allow it with --trust-file")
    other = engines.enter_context(registry.connect(against.engine, against.options, time_limit))
    return EnginePair.of(subject, EngineUnderTest.meet(other, against.profile))


def _asked(
    crash: CrashFile, engine: str | None, options: Mapping[str, str], trusted: bool
) -> tuple[str, Mapping[str, str]]:
    """Choose the engine to ask, with its options.

    Args:
        crash: the crash file.
        engine: the engine of the command line, if there is one.
        options: the options of the command line; those of the file are added for the same engine.
        trusted: whether the file may name a command.

    Raises:
        BadInput: the file asks for more than an installed engine, and is not trusted.
    """
    if engine is not None and engine != crash.engine:
        return engine, options
    theirs = {name: value for name, value in crash.options.items() if name not in options}
    runs = registry.asks_to_run(crash.engine, theirs) if theirs or engine is None else None
    if runs is not None and not trusted:
        raise BadInput(
            f"this file asks to run {excerpt(runs)}; name the engine with --engine"
            f"{' and --engine-option' if theirs else ''}, or allow it with --trust-file"
        )
    return crash.engine, {**theirs, **options}


def _under_profile(spec: str, options: Mapping[str, str], held: Profile) -> Mapping[str, str]:
    """Add the profile `held` for another engine that can run under any, such as `reference`.

    The answers are checked against that profile in any case. A profile in `options` has precedence.
    """
    said = any(name == "profile" or name.startswith("dial.") for name in options)
    if said or ":" in spec:
        return options
    with registry.named_by("--engine", spec):
        takes = "profile" in registry.find(spec).options
    return {**options, "profile": json.dumps(PROFILES.write(Profile, held))} if takes else options


def show_request(path: Path) -> int:
    """Print the requests to the driver, one JSON object per line: the hello, then each case.

    Args:
        path: the crash file, or its id.

    Returns:
        The exit status.

    Raises:
        BadInput: the file can't be read, or has no request.
    """
    with reading(""):
        crash = read(located(path))
    if not crash.requests:
        raise BadInput(f"{path}: has no request; replay it without --request")
    for message in (hello_request(), *crash.requests):
        print(json.dumps(message, separators=(",", ":")))
    return CORRECT
