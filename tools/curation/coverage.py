"""What a test covers, as points: ``feature:filter``, ``dial:bounds=(o,c], not [o,c)`` and so on."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.laws.table import LAWS
from rsp_conformance.limits import LimitExceeded, limited
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.dials import DIALS, Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.features import FEATURES
from rsp_conformance.model.policy import STRATEGIES, And, Not, Or, strategies
from rsp_conformance.model.terms import NUMERIC_DATATYPES, Literal
from rsp_conformance.model.walk import within
from rsp_conformance.spec.correctness import judge
from rsp_conformance.test_suite.answered import under_profile
from rsp_conformance.test_suite.dependence import ALTERNATIVES
from rsp_conformance.test_suite.entry import LegalEvaluation, SuiteCase
from tools.curation.candidate import Candidate
from tools.curation.definitions import DEFINITIONS, definitions_needed
from tools.curation.used import OPERATORS, operators_used

_CONNECTIVES: Final = {And: "&", Or: "|", Not: "!"}

NOT_COVERED: Final = {
    **{
        f"dial:unit={unit}": "the files write durations by it, so that it changes nothing"
        for unit in ALTERNATIVES["unit"]
    },
    "dial:stream_operators=none": "a query without an operator is the same under every value",
    "dial:advances=clock": "where it matters nothing is due; the other value differs from it",
    "dial:report=COMPUTED EVERY": "the query's own clause replaces every policy",
    "dial:ties=arrival": "where it matters the other value leaves the answer open",
    "dial:ties=open": "where it matters nothing is judged",
}
"""What no case can cover, and why."""

OF_ENGINES: Final = (
    *("c-sparql", "c-sparql-2", "cqels-1", "cqels-2", "kolibrie", "roxi", "rsp-js", "rsp-rs"),
    "yasper",
)
"""The bundled profiles of engines that can be had."""
HELD_TO: Final = ("rsp-ql", *OF_ENGINES)
"""Wrong engines are to be told under each of these profiles."""

REPORTED: Final = {
    "answer_time": ("evaluation", "arrival", "none"),
    "trigger": (">", ">="),
    "clock": ("any", "own"),
    "numbers": ("term", "value", "tolerance(0.5)"),
    "time_tolerance": ("0", "1"),
    "answers": ("evaluations", "rows"),
    "advances": ("clock", "elements"),
}
"""The values that are distinguished of the dials which say how answers are handed out."""


def is_missing(point: str, covered: Collection[str]) -> bool:
    """Whether POINT, or of a dial its value, is not COVERED and should be."""
    if not point.startswith("dial:"):
        return point not in covered and point not in NOT_COVERED
    value = point.partition(", not ")[0]
    return value not in NOT_COVERED and not any(p.startswith(f"{value}, ") for p in covered)


def all_points() -> dict[str, tuple[str, ...]]:
    """Every point that a suite should cover, by kinds."""
    return {
        "definition": tuple(f"definition:{name}" for name in DEFINITIONS),
        "dial": tuple(
            f"dial:{dial}={value}, not {other}"
            for dial, values in ALTERNATIVES.items()
            for value in values
            for other in values
            if value != other
        ),
        "reporting": tuple(
            f"reporting:{dial}: {one} or {other}"
            for dial, values in REPORTED.items()
            for place, one in enumerate(values)
            for other in values[place + 1 :]
        ),
        "strategy": tuple(
            f"strategy:{name}"
            for name in (*STRATEGIES, *_CONNECTIVES.values(), "bound to a window")
        ),
        "operator": tuple(f"operator:{name}" for name in OPERATORS),
        "feature": tuple(f"feature:{name}" for name in FEATURES),
        "law": tuple(f"law:{law.name}" for law in LAWS),
        "profile": tuple(f"profile:{name}, {feature}" for name in HELD_TO for feature in FEATURES),
    }


def points(
    candidate: Candidate, *, dials: tuple[str, ...] = DIALS, definitions: bool = True
) -> frozenset[str]:
    """The points that CANDIDATE covers, but for definitions and dials that are left out.

    What it only uses counts where all legal answers have rows: then an engine that does without
    can be told.
    """
    found: set[str] = set()
    if definitions:
        found.update(f"definition:{name}" for name in definitions_needed(candidate))
    found.update(_dial_points(candidate, dials))
    found.update(_strategy_points(candidate))
    if candidate.has_rows:
        found.update(f"operator:{name}" for name in operators_used(candidate.entry.case.query))
        found.update(f"feature:{name}" for name in candidate.entry.features)
        found.update(f"law:{name}" for name in candidate.laws)
    return frozenset(found)


def _dial_points(candidate: Candidate, dials: tuple[str, ...]) -> Iterator[str]:
    for dial in dials:
        values = ALTERNATIVES.get(dial, ())
        own = candidate.entry.dials.text(dial)
        if own in values:
            for other in values:
                if other != own and _tells(candidate, dial, other):
                    yield f"dial:{dial}={own}, not {other}"


def _tells(candidate: Candidate, dial: str, other: str) -> bool:
    """Whether other answers are legal with OTHER, or none: the profile takes the query no more."""
    if candidate.dependence.tells(dial, other):
        return True
    return dial in ("stream_operators", "windows_in") and (
        candidate.dependence.under(candidate.entry.dials.with_dial(dial, other)) is None
    )


def _strategy_points(candidate: Candidate) -> Iterator[str]:
    policy = candidate.entry.dials.report
    if not candidate.dependence.tells("report", "P(1)"):
        return
    used = list(strategies(policy))
    yield from (f"strategy:{one.kind}" for one in used)
    if any(one.window is not None for one in used):
        yield "strategy:bound to a window"
    yield from (
        f"strategy:{_CONNECTIVES[type(p)]}" for p in within(policy) if type(p) in _CONNECTIVES
    )


def under_profiles(candidate: Candidate) -> Iterator[tuple[str, SuiteCase]]:
    """CANDIDATE's case under each profile that takes it, with the profile's name."""
    for name in HELD_TO:
        if (made := under_profile(candidate.entry, bundled_profile(name))) is not None:
            yield name, made


# --- how answers are handed out -----------------------------------------------------------------


def reporting_points(candidate: Candidate) -> Iterator[str]:
    """Which values of the dials that say how answers are handed out CANDIDATE tells apart.

    It tells two values apart if some answers are right under one of them and wrong under the other.
    The answers that are tried: legal ones, by each stamp, shifted by one instant, with numbers
    written otherwise, row by row, and with one more behind them.
    """
    entry = candidate.entry
    base = entry.dials.with_dials({"answer_time": "arrival"})
    probes = [*_probes(entry.legal[0])]
    for dial, values in REPORTED.items():
        under = base if dial in ("trigger", "clock", "advances") else entry.dials
        if dial == "advances":
            under = under.with_dial("trigger", ">")
        right = {
            v: [_is_right(candidate, under.with_dial(dial, v), p) for p in probes] for v in values
        }
        for place, one in enumerate(values):
            for other in values[place + 1 :]:
                if any(
                    a is not None and b is not None and a != b
                    for a, b in zip(right[one], right[other], strict=True)
                ):
                    yield f"reporting:{dial}: {one} or {other}"


def _is_right(candidate: Candidate, dials: Dials, observed: tuple[Observed, ...]) -> bool | None:
    if candidate.entry.unmet(dials):
        return None
    try:
        with limited():
            return judge(candidate.entry.case, dials, observed).correct
    except (Unsupported, LimitExceeded, ValueError):
        return None


def _probes(legal: tuple[LegalEvaluation, ...]) -> Iterator[tuple[Observed, ...]]:
    plain = tuple(Observed(e.evaluation.t, e.evaluation.content) for e in legal)
    yield plain
    yield tuple(replace(o, t=Fraction(o.t or 0) + 1) for o in plain)
    yield tuple(replace(o, t=None) for o in plain)
    for change in (_other_lexical, _half_more):
        yield tuple(replace(o, content=_changed(o.content, change)) for o in plain)
    yield tuple(part for o in plain for part in _rows_alone(o))
    for trigger in (">", ">="):
        stamped = tuple(
            replace(o, t=e.stamps.get(trigger, 0)) for o, e in zip(plain, legal, strict=True)
        )
        yield stamped
        yield (*stamped, *(replace(o, cause="end") for o in stamped[-1:]))
        order = sorted(zip(plain, legal, strict=True), key=lambda p: p[1].own.get(trigger, (0, 0)))
        yield tuple(replace(o, t=e.own.get(trigger, (0, 0))[0]) for o, e in order)


def _rows_alone(answer: Observed) -> Iterator[Observed]:
    content = answer.content
    if not isinstance(content, Rows) or len(content) < 2:
        yield answer
        return
    for number, row in enumerate(content.rows):
        ties = None if content.ties is None else (content.ties[number],)
        yield replace(answer, content=replace(content, rows=(row,), ties=ties))


def _changed(content: Any, change: Any) -> Any:
    if not isinstance(content, Rows):
        return content
    return replace(content, rows=tuple(tuple(map(change, row)) for row in content.rows))


def _is_number(term: object) -> bool:
    return (
        isinstance(term, Literal)
        and term.datatype in NUMERIC_DATATYPES
        and (term.lexical.isdecimal())
    )


def _other_lexical(term: Any) -> Any:
    return Literal(f"0{term.lexical}", term.datatype) if _is_number(term) else term


def _half_more(term: Any) -> Any:
    if not _is_number(term):
        return term
    return Literal(f"{term.lexical}.5", "http://www.w3.org/2001/XMLSchema#decimal")
