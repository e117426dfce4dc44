"""Every mutant under every bundled profile: it crashes nowhere, and a small case tells it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from rsp_conformance.adapters.reference.mutant import TriedMutants
from rsp_conformance.diagnosis.mutants import MUTANTS
from rsp_conformance.diagnosis.reference import ReferenceFailed, reference_answers
from rsp_conformance.files.profiles import bundled_profile, profile_names
from rsp_conformance.model.algebra import Window
from rsp_conformance.model.answers import Observed, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.walk import rewritten
from tools.curation.drawing import OF_RELATIONS
from tools.curation.mutant_examples import EXAMPLES, JOIN, XYZ, Example, V, W

OWN = {**EXAMPLES, **OF_RELATIONS}

_BUSY = ("s 1: a p b", "s 3: c p d", "s 6: e p f", "s 9: a p b", "s 12: c p d", "s 14: c p d")
_TWO = (
    *("s 1: a p b", "r 1: a q c", "r 3: a q d", "s 6: a p e", "r 6: a q f", "s 7: a p b"),
    *("r 12: a q c", "s 12: a p b", "s 12: a p c", "r 15: a q c", "s 15: a p b"),
)
_UNMATCHED = ("s 1: a q b", "s 3: a q c", "s 7: a q b", "s 12: a q c")
_PATTERN = "WINDOW :w { ?x :p ?y }"
_BOTH = f"{{ {_PATTERN} WINDOW :v {{ ?x :q ?z }} }}"
_SHORT_STEP = V.replace("RANGE 4 STEP 2", "RANGE 5 STEP 1")
_SAME_STREAM = W.replace(":w", ":v").replace("RANGE 4 STEP 2", "RANGE 6 STEP 3")
_PERIODIC = "REGISTER QUERY :o COMPUTED EVERY 1 AS"


def _of_size(size: str, query: str = V) -> str:
    return query.replace("RANGE 4 STEP 2", size)


def _sized(width: int, slide: int, query: str = XYZ) -> str:
    return query.replace("RANGE 4 STEP 2", f"RANGE {width} STEP {slide}")


WITNESSES = (
    Example(XYZ, _BUSY, until=16),
    Example(XYZ, ("s 2: a p b; c p d", "s 4: a 0 c; c p e", "s 6: a p b", "s 6: a p b"), until=16),
    Example(XYZ, ("s 0: a p b", "s 1: c p d", "s 2: e p f", "s 3: b p f", "s 30: a p b"), until=40),
    Example(f"REGISTER ISTREAM :o AS {XYZ}", _BUSY, until=16),
    Example(XYZ.replace("SELECT", "SELECT DISTINCT"), _BUSY, until=16),
    Example(XYZ, _BUSY, until=16, static=("a p g", "c p g")),
    Example(
        f"SELECT * {W} WHERE {{ {_PATTERN} ?y :q ?z }}",
        _BUSY,
        until=16,
        static=("d q e", "6..9: f q g", "..6: b q c"),
    ),
    Example(f"SELECT (COUNT(?x) AS ?n) {W} WHERE {{ {_PATTERN} }}", _UNMATCHED, until=16),
    Example(
        f"SELECT (GROUP_CONCAT(DISTINCT ?x) AS ?n) {W} WHERE {{ {_PATTERN} }}", _UNMATCHED, until=16
    ),
    Example(
        f"SELECT ?y (COUNT(?x) AS ?n) {W} WHERE {{ {_PATTERN} }} GROUP BY ?y", _UNMATCHED, until=16
    ),
    Example(f"SELECT * {W} {V} WHERE {_BOTH}", _TWO, until=16),
    Example(f"SELECT * {W} {_SHORT_STEP} WHERE {_BOTH}", _TWO, until=16),
    Example(f"SELECT * {W} {_SHORT_STEP} WHERE {{ {_PATTERN} }}", _TWO, until=16),
    Example(
        f"SELECT * {W} {_SAME_STREAM} WHERE {{ {_PATTERN} WINDOW :v {{ ?x :p ?z }} }}",
        _BUSY,
        until=16,
    ),
    Example(JOIN, ("r 1: a q c", "s 3: a p b", "s 12: a p b", "r 12: a q c"), until=16),
    Example(f"{_PERIODIC} {XYZ}", ("s 3: a p b", "s 10: c p d"), until=16),
    Example(_sized(1, 2), ("s 3: a p b", "s 4: c p d", "s 7: a p b", "s 12: c p d"), until=16),
    Example(_sized(3, 4), ("s 1: a p b", "s 2: c p d", "s 3: a p c"), until=10),
    Example(
        _sized(20, 1, f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y . ?x :q ?z }} }}"),
        ("s 1: a p b", "s 19: a q c"),
        until=24,
    ),
    Example(_sized(6, 6), ("s 1: a p b", "s 6: a p c", "s 12: a p b", "s 13: a p d"), until=24),
    Example(XYZ, ("s 2147483649: a p b",), until=2147483658, registered=2147483648),
    Example(XYZ, (*(f"s 3: a p b{number}" for number in range(14)), "s 9: a p c"), until=16),
    Example(XYZ, ("s 1: a p b", "s 8: c p d"), until=14, settled=True),
    Example(
        f"SELECT (COUNT(?x) AS ?n) {W} WHERE {{ {_PATTERN} }}",
        ("s 1: a p b", "s 8: c p d", "s 13: a p b"),
        until=16,
        settled=True,
    ),
    *(
        Example(f"SELECT * {W} {_of_size(size)} WHERE {_BOTH}", _TWO, until=16)
        for size in ("ELEMENTS 2", "ELEMENTS 9", "RANGE UNBOUNDED")
    ),
    Example(f"SELECT * {V} {_of_size('NOW', W)} WHERE {_BOTH}", _TWO, until=16),
    Example(_of_size("ELEMENTS 3", XYZ), _BUSY, until=16),
    Example(_of_size("ELEMENTS 3 STEP 1", XYZ), _BUSY, until=16),
    Example(
        _of_size("ELEMENTS 2 STEP 1", XYZ),
        ("s 1: a p b", *(f"s 2: {subject} p b" for subject in "cdef"), "s 5: e p b"),
        until=16,
    ),
    Example(_of_size("NOW", XYZ), ("s 2: a p b", "s 2: c p d"), until=6),
)
"""Cases that show a mutant where its own example does not."""


@dataclass(frozen=True)
class Excuse:
    """Why mutants may not be told under profiles with certain dials."""

    reason: str
    applies: Callable[[Dials], bool]
    mutants: str


EXCUSES = (
    Excuse(
        "an answer has the instant of an arrival",
        lambda d: d.answer_time != "evaluation",
        "first-stamp-by-the-clock late-by-slide stamps-in-seconds stamps-of-32-bits "
        "last-instant-waits",
    ),
    Excuse(
        "there is no WINDOW: windows are merged into the default graph",
        lambda d: d.windows_in == "default",
        "bind-outside-window outside-skipped-without-data repeated-window-forgotten "
        "single-pattern-without-window stale-join static-visible-in-window twin-branches "
        "window-filter-forgotten window-variable-unbound windows-share-a-store count-per-pattern",
    ),
    Excuse(
        "there is no ISTREAM",
        lambda d: "I" not in d.stream_operators,
        "istream-ignored istream-counts-to-two",
    ),
    Excuse(
        "there is no DSTREAM",
        lambda d: "D" not in d.stream_operators,
        "dstream-ignored eviction-silent",
    ),
    Excuse(
        "windows by count are undefined until they are full anyway",
        lambda d: d.window != "active",
        "full-only batch-flushed",
    ),
    Excuse(
        "elements alone make time pass, and the end brings none",
        lambda d: d.advances == "elements",
        "batch-flushed",
    ),
    Excuse(
        "ISTREAM knows no counts", lambda d: d.r2s in ("set", "membership"), "istream-counts-to-two"
    ),
    Excuse("windows hold sets anyway", lambda d: d.window_content == "set", "duplicates-collapsed"),
    Excuse(
        "literals are canonical anyway",
        lambda d: d.literals == "canonical",
        "derived-integer-widened exponent-lost",
    ),
    Excuse(
        "an empty group has no row",
        lambda d: d.empty_group == "none",
        "null-aggregate group-over-nothing distinct-concatenation-unbound "
        "join-with-aggregate-of-nothing",
    ),
    Excuse(
        "nothing is answered over empty windows anyway",
        lambda d: not d.empty_answers,
        "empty-windows-skipped",
    ),
    Excuse(
        "a window is evaluated by an arrival that it does not hold",
        lambda d: d.advances == "elements" and (d.trigger == ">" or d.bounds[-1] == ")"),
        "newest-element-missing",
    ),
    Excuse(
        "what comes at the close is lost anyway", lambda d: d.bounds[-1] == ")", "wide-tumbling"
    ),
    Excuse(
        "a window that is opened at its close is not empty",
        lambda d: d.bounds[-1] == "]",
        "opened-by-arrivals",
    ),
    Excuse(
        "the windows start before the registration anyway",
        lambda d: d.t0 in ("first-aligned-open", "first-aligned-close"),
        "open-at-start zero-is-no-start",
    ),
    Excuse("NOW holds one element anyway", lambda d: d.now != "instant", "now-one"),
    Excuse("all windows have one clock anyway", lambda d: d.clock == "any", "once-an-instant"),
    Excuse(
        "no window sets off an evaluation as it closes",
        lambda d: "WC" not in d.text("report"),
        "each-window-alone t0-drift wrong-instance",
    ),
)


def told(mutants: Iterable[str], example: Example, profile: str) -> set[str]:
    """Those of MUTANTS whose engine answers EXAMPLE, as the profile has it, not as the right one.

    None of them if no engine with the profile takes the case; one of them that does not take what
    the right engine takes is an error.
    """
    case = as_taken(example.case(), profile)
    dials = bundled_profile(profile).dials(case.query)
    pacing = "settled" if example.settled else "burst"
    trial = TriedMutants([own for name in mutants for own in MUTANTS[name].variants])
    try:
        right = compared(reference_answers(case, dials, (), trial=trial, pacing=pacing), case)
    except (Unsupported, ReferenceFailed):
        return set()

    def wrong(name: str) -> bool:
        answers = reference_answers(case, dials, (), mutants=[name], pacing=pacing)
        return compared(answers, case) != right

    return {name for name in sorted(trial.shown) if wrong(name)}


def as_taken(case: Case, profile: str) -> Case:
    """CASE for engines that merge windows, or that report periodically."""
    query, dials = case.query, bundled_profile(profile).base
    if dials.windows_in == "default":
        query = rewritten(query, lambda part: part.pattern if isinstance(part, Window) else part)
    if dials.text("report") == "COMPUTED EVERY" and query.computed_every is None:
        query = replace(query, computed_every=2)
    return replace(case, query=query)


def compared(answers: Iterable[Observed], case: Case) -> list[object]:
    """Answers without the order of rows where the query leaves it open."""
    return [
        (a.t, a.content.variables, Counter(a.content.rows))
        if isinstance(a.content, Rows) and not case.query.order_by
        else (a.t, a.content)
        for a in answers
    ]


def untold(profile: str) -> set[str]:
    """The mutants that no case tells under the profile."""
    left = {*MUTANTS}
    for name, example in OWN.items():
        if name in MUTANTS:
            settled = example.settled or name == "t0-drift"
            left -= told([name], replace(example, settled=settled), profile)
    for example in WITNESSES:
        left -= told(left, example, profile)
    return left


def test_every_mutant_is_told_under_every_profile_where_it_can_show() -> None:
    missed, needed = [], set()
    for profile in profile_names():
        for name in sorted(untold(profile)):
            dials = bundled_profile(profile).base
            if name in OWN:  # Which has the windows that the mutant is about.
                dials = bundled_profile(profile).dials(OWN[name].case().query)
            reasons = {e.reason for e in EXCUSES if name in e.mutants.split() and e.applies(dials)}
            needed |= {(reason, name) for reason in reasons}
            if not reasons:
                missed.append((profile, name))
    assert missed == []
    assert {(each.reason, name) for each in EXCUSES for name in each.mutants.split()} == needed
