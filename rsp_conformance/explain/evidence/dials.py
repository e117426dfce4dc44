"""Which single dial, turned to another value, would make a wrong answer right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from rsp_conformance.explain.argument import Explanations
from rsp_conformance.model.algebra import Graph
from rsp_conformance.model.answers import Observed, is_empty
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import VALUES, Dials, floors
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.policy import Policy, is_bound, mentions, strategies
from rsp_conformance.model.query import Query
from rsp_conformance.model.variables import is_grouped
from rsp_conformance.model.verdict import Divergence, Vector
from rsp_conformance.model.walk import subpatterns, within
from rsp_conformance.sparql.canonical import canonical
from rsp_conformance.spec.alignment import compare
from rsp_conformance.spec.alignment_stamps import observed_stamp, set_off_after_the_end
from rsp_conformance.spec.blank_nodes import shares_labels
from rsp_conformance.spec.correctness import judge, right_start, rspql_queries, t_s
from rsp_conformance.spec.policies import asks_for, policy_of
from rsp_conformance.spec.start_classes import FEW, StartClasses
from rsp_conformance.spec.starts import legal_starts
from rsp_conformance.spec.trace import Expectation, Relations
from rsp_conformance.spec.walk import Walk

COMPARING = ("numbers", "time_tolerance", "empty_answers", "answer_time")
"""Dials that only compare: no window and no pattern is evaluated anew for them. They are tried
first."""
FREE = COMPARING[:-1]
"""Those that cost nothing. Without the answers' instants more starts are to be compared with, and
two windows of milliseconds leave thousands."""
BUDGET = 60_000
"""How much judging a search may cost, in test points of the report policy (about a second)."""
MOST_CHECKED = 40
"""How many observed answers are checked to bear on an explanation."""


def search(
    case: Case, dials: Dials, observed: Sequence[Observed], divergence: Divergence | None = None
) -> Explanations:
    """All settings that differ from DIALS in one dial and under which OBSERVED is correct.

    The most plausible comes first; what could not be tried within the budget is said too. A setting
    under which the answer is right only because it is not compared any more is no explanation.
    DIVERGENCE is where OBSERVED parts from the expectation, where that is known already.
    """
    found: list[tuple[str, str]] = []
    untried: list[tuple[str, str]] = []
    relations: Relations = {}
    spent = tried = 0
    if divergence is None:
        divergence = judge(case, dials, observed).divergence
    if divergence is None:
        return Explanations((), 0)
    stake, seen = _Stake(case, dials, observed, divergence), {dials}
    choices = [*settings(case, dials)]
    for dial, value in sorted(choices, key=lambda choice: choice[0] not in COMPARING):
        turned = dials.with_dial(dial, value)
        wider = dial == "time_tolerance" and any(known == dial for known, _ in found)
        if turned in seen or wider:
            continue
        seen.add(turned)
        try:
            cost = 0 if dial in FREE else _cost(case, turned)
            if spent + cost > BUDGET:
                untried.append((dial, value))
                continue
            spent += cost
            tried += 1
            expectation = Expectation(case, turned, relations)
            starts = right_start(case, turned, observed, expectation)
            if starts is not None and stake.bears(expectation, starts):
                found.append((dial, value))
        except (Unsupported, ValueError):
            continue
    found.sort(key=choices.index)

    def named(chosen: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        return tuple((dial, dials.with_dial(dial, value).text(dial)) for dial, value in chosen)

    return Explanations(named(found), tried, named(untried))


def _cost(case: Case, dials: Dials) -> int:
    """Test points that a judgement goes through for all z, weighed by what windows look at."""
    windows = case.query.sliding_windows(dials.unit)
    first = next(rspql_queries(case, dials))
    walk = Walk(case, dials, first)
    points = max(1, min(walk.count(), case.until - walk.first + 1))
    points += len(case.elements) if dials.tick == "tuple" else 0
    reads = 1 + len(windows) * len(case.elements) // 30
    members = sum(1 for _ in islice(StartClasses(case, dials).members(), BUDGET // points + 1))
    if members > FEW and dials.answer_time != "evaluation":
        reads *= 3  # All are compared, of which instants leave few. Three is what it came to.
    return members * points * reads


def settings(case: Case, dials: Dials) -> Iterator[tuple[str, str]]:
    """Every other setting of every single dial that may matter for the case, by plausibility.

    A dial has all its `VALUES` unless the case makes some of them equal, or they compare more
    strictly than others, so that they make no answer right; dials with numbers have those of the
    case's windows.
    """
    query, windows = case.query, case.query.sliding_windows(dials.unit)
    policy = policy_of(query, dials)
    own_report = query.computed_every is None
    tuples_count = own_report and not mentions(policy, "WC", "P", "COMPUTED EVERY")
    closes_count = dials.answer_time == "arrival" and mentions(policy, "WC")
    numbers = {n for w in windows for n in (w.slide, w.width) if n > 1}
    periods = [f"P({n})" for n in sorted({w.slide for w in windows})]
    tolerances = [str(n) for n in (1, 2) if n > dials.time_tolerance]
    # Where each evaluation waits for the close of the one window, what closes is the active one.
    closes_only = len(windows) == 1 and asks_for(policy, "WC")
    several = own_report and len(windows) > 1 and not is_bound(policy)
    choices: tuple[tuple[str, object, Iterable[str] | None], ...] = (
        ("bounds", windows, None),
        ("t0", windows, (*VALUES["t0"], *floors(sorted(numbers)))),
        ("window", windows, ("active", "last-closed") if closes_only else None),
        ("report", own_report, _policies(query, policy)),
        ("content_change", own_report and mentions(policy, "CC"), None),
        ("tick", tuples_count, None),
        ("report_windows", several, None),
        ("r2s", query.operator, None),
        ("window_content", True, None),
        ("empty_answers", True, None),
        ("empty_group", any(map(_has_one_group, within(query))), None),
        ("blank_nodes", shares_labels(case), ("case", "element")),
        ("literals", canonical(case) != case, None),
        ("graph_variable", _ranges_over_graphs(query), None),
        ("windows_in", any(window.named for window in windows), None),
        ("answer_time", True, None),
        ("trigger", closes_count, None),
        ("clock", dials.answer_time == "arrival" and len(case.streams) > 1, None),
        ("numbers", True, ("value",)),
        ("time_tolerance", True, tolerances),
        ("report", own_report, periods),
        ("t0", windows, _numbered_starts(case, dials)),
    )
    for dial, matters, values in choices:
        if matters:
            yield from ((dial, v) for v in (VALUES[dial] if values is None else values))


def _numbered_starts(case: Case, dials: Dials) -> Iterator[str]:
    """Numbers around the registration, nearest first; those that Z has already are left out."""
    windows = case.query.sliding_windows(dials.unit)
    legal = [legal_starts(w, case, dials) for w in windows]
    a = case.registered
    least = a - min(20, max(w.width for w in windows))
    most = a + min(20, max(w.slide for w in windows))
    for number in sorted(range(least, most + 1), key=lambda n: (abs(n - a), n)):
        if not all(number in own for own in legal):
            yield str(number)


def _policies(query: Query, policy: Policy) -> Iterator[str]:
    """Other report policies: unbound ones, and bound to each window where the policy is."""
    if not query.windows:
        return
    if is_bound(policy):
        names = [query.shorten(window.name).strip("<>") for window in query.windows]
        for bound in dict.fromkeys(s.window for s in strategies(policy) if s.window):
            for name in names:
                if name != bound:
                    yield str(policy).replace(f"[{bound}]", f"[{name}]")
        for name in names:
            yield from (f"WC[{name}]", f"WC[{name}] & NC[{name}]", f"CC[{name}]")
    yield from VALUES["report"]


def _has_one_group(part: object) -> bool:
    return isinstance(part, Query) and part.group_by is None and is_grouped(part)


def _ranges_over_graphs(query: Query) -> bool:
    return any(
        isinstance(part, Graph) and isinstance(part.name, Variable)
        for part in subpatterns(query.pattern)
    )


@dataclass(frozen=True, slots=True)
class _Stake:
    """What the judgement under the dials in force rests on."""

    case: Case
    dials: Dials
    observed: Sequence[Observed]
    divergence: Divergence

    def bears(self, turned: Expectation, starts: Vector) -> bool:
        """Whether the judgement by TURNED rests on it too.

        Every answer compared must be needed: without it, the judgement must be another one. Where
        no answer came, giving the one that was due must make the judgement another one.
        """
        case, observed, divergence = self.case, self.observed, self.divergence
        expected, t_s = turned.answer(starts), turned.t_s

        def right(answers: Sequence[Observed]) -> bool:
            return compare(expected, answers, case, turned.dials, t_s).divergence is None

        at_stake = [i for i, answer in enumerate(observed) if self._compared(answer)]
        at_stake = at_stake[:MOST_CHECKED]
        if divergence.observed is not None:
            at_stake = [i for i, a in enumerate(observed) if a is divergence.observed] + at_stake
        if any(right([*observed[:i], *observed[i + 1 :]]) for i in at_stake):
            return False
        if divergence.expected is not None and divergence.observed is None:
            t = divergence.expected.t
            later = (i for i, a in enumerate(observed) if a.t is not None and a.t > t)
            place = next(later, len(observed))
            extra = Observed(t, divergence.expected.content)
            if right([*observed[:place], extra, *observed[place:]]):
                return False
        if at_stake:
            return True
        # Nothing was compared: it bears on what is due, unless that is nothing, too.
        return any(t_s <= e.t <= case.until and not is_empty(e.content) for e in expected)

    def _compared(self, answer: Observed) -> bool:
        """Whether ANSWER is one that the dials hold against the engine."""
        case, dials = self.case, self.dials
        if dials.answer_time != "evaluation" and set_off_after_the_end(answer, case, dials):
            return False
        if dials.answer_time == "none":
            return True
        stamp = observed_stamp(answer, case, dials)
        return stamp is None or t_s(case, dials) <= stamp <= case.until
