"""Candidates: generated cases over all focuses and dials, laws' cases, and mutants' own."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import NoSuchExample, Unsatisfiable

from rsp_conformance.adapters.reference.mutant import Mutant
from rsp_conformance.files.profiles import bundled_profile
from rsp_conformance.laws.law import Law
from rsp_conformance.laws.table import LAWS, law_named
from rsp_conformance.limits import LimitExceeded
from rsp_conformance.model.background import Background
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.terms import XSD
from rsp_conformance.strategies import (
    FOCUSES,
    GENERATED,
    applicable,
    applicable_law,
    cases,
    law_cases,
    some_cases,
)
from rsp_conformance.test_suite.dependence import ALTERNATIVES, suite_dials
from rsp_conformance.test_suite.entry import REPORTING
from rsp_conformance.test_suite.forms import forms
from tools.curation.candidate import Candidate, candidate
from tools.curation.coverage import OF_ENGINES
from tools.curation.kills import kills
from tools.curation.mutant_examples import EXAMPLES, XYZ, Example, V, W

MOST_ELEMENTS: Final = 6
PLAIN: Final = Dials(unit=1000)
"""Plain RSP-QL, an instant a second: queries have durations that a person would write."""

WITH: Final[Mapping[str, tuple[Mapping[str, str], tuple[str, ...]]]] = {
    "bounds": ({}, ("windows",)),
    "window": ({}, ("windows",)),
    "t0": ({}, ("windows", "gaps", "silence")),
    "report": ({}, ("windows", "report", "silence")),
    "report_windows": ({}, ("multi-window", "same-stream-windows")),
    "content_change": ({"report": "CC"}, ("windows", "silence")),
    "tick": ({"report": "NC"}, ("contemporaneous", "duplicates")),
    "stream_operators": ({}, ("rstream", "istream", "dstream")),
    "r2s": ({}, ("istream", "dstream", "rstream", "duplicates", "r2s")),
    "window_content": ({}, ("duplicates",)),
    "windows_in": ({}, ("windows", "static", "multi-window")),
    "empty_answers": ({}, ("windows",)),
    "literals": ({}, ("terms", "values-literals", "functions", "distinct", "join")),
    "blank_nodes": ({}, ("blank-nodes",)),
    "empty_group": ({}, ("aggregates",)),
    "count_slide": ({}, ("count-windows",)),
    "n0": ({"count_slide": "width"}, ("count-windows",)),
    "now": ({"report": "CC"}, ("now-window",)),
    "ties": ({}, ("count-windows",)),
    "unit": ({}, ("windows", "named-elements")),
    "graph_variable": ({}, ("named-graphs", "time-varying")),
    "advances": ({"t0": "first-element-close", "report": "P(1)"}, ("multi-window", "windows")),
}
"""Where each dial matters: other dials beside it, and focuses."""


@dataclass(frozen=True, slots=True)
class Amount:
    """How many cases are drawn: of a focus, of a setting's focus, of a law; and tries a search."""

    plain: int
    setting: int
    profile: int
    law: int
    search: int

    @classmethod
    def about(cls, draws: int) -> Amount:
        """An amount with so many DRAWS of a focus."""
        return cls(draws, max(1, draws // 2), max(1, draws // 5), max(1, draws // 3), 30 * draws)


def drawn(amount: Amount, seed: str) -> Iterator[Candidate]:
    """Candidates of all kinds; an equal SEED gives the same ones."""
    for focus in FOCUSES:
        yield from _of_focus(PLAIN, focus, amount.plain, seed)
        if focus in ("aggregates", "functions", "errors", "uncertainty"):
            valued = PLAIN.with_dial("numbers", "value")
            yield from _of_focus(valued, focus, amount.plain, seed)
    for dial, values in ALTERNATIVES.items():
        beside, focuses = WITH[dial]
        for value in values:
            dials = PLAIN.with_dials({**beside, dial: value})
            for focus in focuses:
                yield from _of_focus(dials, focus, amount.setting, seed)
    for policy in ("WC[w1] & NC[w1]", "CC | P(2)", "WC & !NC"):
        dials = PLAIN.with_dial("report", policy)
        yield from _of_focus(dials, "multi-window", amount.setting, seed)
    for name in OF_ENGINES:
        yield from drawn_under(name, amount.profile, seed)
    for law in LAWS:
        yield from of_law(law, amount.law, seed)


def drawn_for(missing: Collection[str], number: int, seed: str) -> Iterator[Candidate]:
    """Candidates for points that are MISSING, NUMBER of each aspect that may have them."""
    yield from made(_MERGED.case(), PLAIN.with_dial("windows_in", "default"), "merged")
    for group in _OPERATORS:
        query = f"SELECT * {W} WHERE {{ WINDOW :w {{ {group} }} }}"
        numbers = (f'{x} v "{n}"^^<{XSD}integer>' for x, n in (("a", 4), ("b", 1)))
        elements = ("s 1: a p b", f"s 2: b p c; {'; '.join(numbers)}")
        case = Example(query, elements).case()
        yield from made(case, PLAIN.with_dial("numbers", "value"), "operators")
    for dial, values in ALTERNATIVES.items():
        beside, focuses = WITH[dial]
        for value in values:
            if any(point.startswith(f"dial:{dial}={value}, ") for point in missing):
                for focus in focuses:
                    dials = PLAIN.with_dials({**beside, dial: value})
                    yield from _of_focus(dials, focus, number, seed)
    for law in LAWS:
        if f"law:{law.name}" in missing:
            yield from of_law(law, number, seed)
    if any(point.startswith(("operator:", "feature:")) for point in missing):
        for focus in ("paths", "functions", "aggregates", "filter", "blank-nodes", "errors", "any"):
            yield from _of_focus(PLAIN.with_dial("numbers", "value"), focus, number, seed)


def _profile_dials(dials: Dials) -> Dials:
    """DIALS as a suite's case has them, numbers as terms and a second an instant."""
    return suite_dials(dials).with_dials({"numbers": "term", "unit": "1000", "advances": "clock"})


def _of_focus(dials: Dials, focus: str, number: int, seed: str) -> Iterator[Candidate]:
    if applicable(focus, GENERATED, dials) is not True:
        return
    found = some_cases(GENERATED, dials, focus, number, seed=seed, max_elements=MOST_ELEMENTS)
    for case in found:
        yield from made(case, dials, focus)


def made(case: Case, dials: Dials, about: str, laws: tuple[str, ...] = ()) -> Iterator[Candidate]:
    """CASE as a candidate, if it is one."""
    found = (
        candidate(case, dials, about, laws=laws) if len(case.elements) <= MOST_ELEMENTS else None
    )
    if found is not None:
        yield found


def of_law(law: Law, number: int, seed: str) -> Iterator[Candidate]:
    """Cases to which LAW applies: its left side and, of some, its right one."""
    if applicable_law(law, GENERATED, PLAIN) is not True:
        return
    found: list[Any] = []

    @settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @seeded(seed)
    @given(law_cases(law, GENERATED, PLAIN, max_elements=MOST_ELEMENTS))
    def draw(drawn: Any) -> None:
        found.append(drawn)

    with suppress(Unsatisfiable, LimitExceeded):
        draw()
    for one in found:
        yield from made(one.left, PLAIN, "law", (law.name,))
        yield from made(one.right, PLAIN, "law", (law.name,))


# --- cases that kill a mutant -------------------------------------------------------------------


_LONG = "a-name-as-long-as-those-of-many-an-ontology-"
_PATTERN = "WINDOW :w { ?x :p ?y }"
_PAST = "FROM NAMED WINDOW :w ON STREAM :s [FROM NOW-104 TO NOW-102]"
_WIDE = f"SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE %s STEP %s] WHERE {{ {_PATTERN} }}"
OF_RELATIONS: Final = {
    "error-negated": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER(!(?y > 1)) }} }}", ('s 3: a p "b"',)
    ),
    "names-cut": Example(XYZ, (f"s 1: {_LONG}a p b", f"s 2: {_LONG}b p b")),
    "short-clock": Example(XYZ, ("s 3: a p b",)),
    "falling-run-cut": Example(XYZ, ("s 3: c p b", "s 3: b p b", "s 3: a p b")),
    "twin-branches": Example(
        f"SELECT * {W} {V} WHERE {{ {{ {_PATTERN} }} UNION {{ WINDOW :v {{ ?x :p ?y }} }} }}",
        ("s 1: a p b", "r 1: c p d"),
    ),
    "wide-tumbling": Example(_WIDE % (6, 6), ("s 1: a p b", "s 6: c p d", "s 7: e p f"), until=13),
    "istream-counts-to-two": Example(
        f"REGISTER ISTREAM :o AS SELECT ?y {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}",
        ("s 3: a p b; c p b; d p b",),
    ),
    "last-instant-waits": Example(XYZ, ("s 2: a p b", "s 4: c p d"), until=4),
    "widest-short": Example(_WIDE % (12, 12), ("s 1: a p b", "s 12: e p f"), until=25),
    "short-memory": Example(f"SELECT * {_PAST} WHERE {{ {_PATTERN} }}", ("s 1: a p b",), until=106),
    "misaligned-after-pause": Example(XYZ, ("s 1: a p b", "s 8: c p d"), until=14),
}
"""Examples of mutants that have none of their own."""


_OPERATORS: Final = (
    "?x (^:p)+ ?y",
    "?x !:v ?y",
    "?x :v ?n FILTER(-?n < -1 && +?n > 1 && ?n NOT IN (5)) BIND(?n / 2 AS ?half)",
)
"""Groups with operators that hardly any generated query has."""
_MERGED: Final = Example(f"SELECT * {W} WHERE {{ ?x :p ?y }}", ("s 1: a p b", "s 3: c p d"))
"""Under `windows_in = default` named windows are merged, too; no such query is generated."""


def by_example(mutant: Mutant, profile: str | None = None) -> Iterator[Candidate]:
    """The example of MUTANT's own test, under dials under which it kills: PROFILE's, or any.

    Of the forms that an example has for a profile, the first that kills is taken.
    """
    example = EXAMPLES.get(mutant.name) or OF_RELATIONS.get(mutant.name)
    if example is not None:
        case = _CHANGES.get(mutant.name, _unchanged)(example.case())
        own = (
            [] if profile is None else [_profile_dials(bundled_profile(profile).dials(case.query))]
        )
        for dials in own or _settings_of(mutant):
            for form in _under_profiles(case) if own else (case,):
                one = candidate(form, dials, f"mutant-{mutant.name}")
                if one is not None and kills(one.entry, mutant):
                    yield one
                    break


def drawn_under(profile: str, number: int, seed: str) -> Iterator[Candidate]:
    """NUMBER candidates of each focus for engines with PROFILE."""
    for dials in dict.fromkeys(map(_profile_dials, bundled_profile(profile).settings())):
        for focus in FOCUSES:
            yield from _of_focus(dials, focus, number, seed)


def killing(mutant: Mutant, amount: Amount, seed: str) -> Candidate | None:
    """A small case that kills MUTANT: the example of its own test, or one that Hypothesis finds."""
    if (example := next(by_example(mutant), None)) is not None:
        return example
    for place, dials in enumerate(_settings_of(mutant)):
        for strategy in islice(_strategies_of(mutant, dials), None if place == 0 else 2):
            found = _found(strategy, dials, mutant, amount.search, seed)
            if found is not None:
                return found
    return None


def _settings_of(mutant: Mutant) -> Iterator[Dials]:
    own = {n: value for n, value in mutant.dials.items() if n not in REPORTING or n == "numbers"}
    yield PLAIN.with_dials(own)
    if "numbers" in own:
        return
    if "t0" not in own:
        yield PLAIN.with_dials({**own, "t0": "registration"})
    for turned in ({"report": "WC & NC"}, {"report": "NC"}, {"report": "CC", "tick": "tuple"}):
        if "report" not in own:
            yield PLAIN.with_dials({**own, **turned})
    yield PLAIN.with_dials({**own, "numbers": "value"})


def _strategies_of(mutant: Mutant, dials: Dials) -> Iterator[Any]:
    if mutant.relation.startswith("law["):
        law = law_named(mutant.relation[4:-1])
        if applicable_law(law, GENERATED, dials) is True:
            found = law_cases(law, GENERATED, dials, max_elements=MOST_ELEMENTS)
            yield found.map(lambda one: one.left)
            yield found.map(lambda one: one.right)
    near = [f for f in FOCUSES if f in mutant.features or FOCUSES[f].needs & mutant.features]
    for focus in dict.fromkeys((*near[:2], *_NEAR.get(mutant.name, ()), "windows", "terms", "any")):
        if applicable(focus, GENERATED, dials) is True:
            yield cases(GENERATED, dials, focus=focus, max_elements=MOST_ELEMENTS)


_NEAR: Final[Mapping[str, tuple[str, ...]]] = {
    "duplicates-collapsed": ("duplicates",),
    "equal-timestamps-overwrite": ("duplicates", "contemporaneous"),
    "falling-run-cut": ("contemporaneous",),
    "istream-counts-to-two": ("duplicates",),
}


def _found(strategy: Any, dials: Dials, mutant: Mutant, tries: int, seed: str) -> Candidate | None:
    change = _CHANGES.get(mutant.name, _unchanged)

    def one(case: Case) -> Candidate | None:
        return next(made(change(case), dials, f"mutant-{mutant.name}"), None)

    def killed(case: Case) -> bool:
        found = one(case)
        return found is not None and kills(found.entry, mutant)

    how = settings(
        max_examples=tries, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    try:
        return one(find(strategy, killed, settings=how, random=random.Random(seed)))
    except (NoSuchExample, Unsatisfiable, LimitExceeded):
        return None


def _unchanged(case: Case) -> Case:
    return case


def _late(case: Case) -> Case:
    """CASE a thousand instants later."""
    entries = (
        replace(
            e,
            **{
                end: at + 1_000 for end in ("since", "until") if (at := getattr(e, end)) is not None
            },
        )
        for e in case.background
    )
    return replace(
        case,
        elements=tuple(replace(e, t=e.t + 1_000) for e in case.elements),
        background=Background(tuple(entries)),
        registered=case.registered + 1_000,
        until=case.until + 1_000,
    )


def _under_profiles(case: Case) -> Iterator[Case]:
    """CASE as it is and, for engines without names of windows, in the other forms of its query.

    Under some profiles the first elements only start the windows, so that nothing is due. So each
    comes with all its elements twice, too.
    """
    for query in forms(case.query):
        form = replace(case, query=query)
        yield from (form, _twice(form))


def _twice(case: Case) -> Case:
    """CASE with all its elements once more after its end."""
    later = case.until - case.registered
    return replace(
        case,
        elements=(*case.elements, *(replace(e, t=e.t + later) for e in case.elements)),
        until=case.until + later,
    )


_CHANGES: Final[Mapping[str, Callable[[Case], Case]]] = {
    "short-clock": _late,
}
"""What has to be done to generated cases for mutants that show beyond what is generated."""
