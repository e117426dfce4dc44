"""When a pushed CQELS query and a pulled C-SPARQL one agree: cases with and without each condition.

The paper's sufficient conditions, for a push engine under τ2 and a pull engine under τ1: between
two pulls something arrives, at one instant; nothing leaves a window from there to the pull; and no
pattern of one stream matches what is in another one, or in the background data.
``python -m tools.lars.agreement`` prints the smallest disagreement without each.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, Phase, assume, find, settings
from hypothesis import strategies as st

from rsp_conformance.lars.answers import TranslationName, answers, translated
from rsp_conformance.lars.modes import Mode, Pull, Push
from rsp_conformance.lars.translation import FRAGMENT
from rsp_conformance.model.algebra import Graph, Pattern, TriplePattern, Window
from rsp_conformance.model.answers import Evaluation, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.expressions import Variable
from rsp_conformance.model.terms import IRI, Triple
from rsp_conformance.model.walk import rewritten, rewritten_pattern, within
from rsp_conformance.relations.agreement import parting
from rsp_conformance.strategies import cases
from rsp_conformance.strategies.other_windows import OTHER
from rsp_conformance.text.printer.rspql import print_query
from tools.lars.fragment import PLAIN

CONDITIONS = ("several arrivals", "no arrival", "an element leaves", "shared patterns")
"""What keeps engines from agreeing; a case misses one of these conditions, or none."""
DRAWN = FRAGMENT - {"same-stream-windows", "time-varying-data", "gap-windows"} - OTHER


@st.composite
def pulled_cases(draw: st.DrawFn, missed: str | None = None) -> tuple[Case, int]:
    """A case and a period, on which all conditions hold but perhaps the one MISSED."""
    case = draw(cases(DRAWN, PLAIN, max_elements=4))
    # What the query does not read is no arrival.
    read = [e for e in case.elements if e.stream in case.query.streams()]
    assume(read)
    period = draw(st.integers(1, 4))
    phase = draw(st.integers(0, period - 1))
    # An element is period · k old where another arrives: so wide a window drops none until a pull.
    width = period * draw(st.integers(1, 3)) + period - 1
    if missed == "an element leaves":
        width = draw(st.integers(1, 6))
    times, t = [], 0
    for _ in read:
        if missed == "several arrivals":
            t = draw(st.integers(t, -(-max(t, 1) // period) * period + period))
            t = max(t, 1)
        else:
            t += period * (draw(st.integers(1, 2)) if missed == "no arrival" else 1)
        times.append(t)
    shift = 0 if missed == "several arrivals" else phase
    elements = tuple(replace(element, t=t - shift) for element, t in zip(read, times, strict=True))
    windows = tuple(replace(w, width=max(width, 1), slide=1) for w in case.query.windows)
    until = -(-max(times) // period) * period
    if missed == "several arrivals":
        covered = {-(-e.t // period) for e in elements}
        until = period * next(n for n in range(1, 100) if n + 1 not in covered)
    made = replace(
        case,
        query=replace(case.query, windows=windows),
        elements=tuple(e for e in elements if e.t <= until),
        registered=0,
        until=until,
    )
    if missed == "several arrivals":
        # Arrivals out of step may drop elements between the last one and the pull.
        assume(not any_leaves(made, period))
    return (made if missed == "shared patterns" else apart(made)), period


def any_leaves(case: Case, period: int) -> bool:
    """Whether between the last arrival before some pull and that pull an element leaves."""
    last: dict[int, int] = {}
    for element in case.elements:
        pull = -(-element.t // period) * period
        last[pull] = max(element.t, last.get(pull, 0))
    widths = [window.width for window in case.query.sliding_windows(1)]
    return any(
        t <= element.t + width < pull
        for pull, t in last.items()
        for element in case.elements
        for width in widths
    )


def apart(case: Case) -> Case:
    """CASE with predicates of their own for each stream, and for the background data."""

    def own(pattern: Pattern) -> Pattern:
        if isinstance(pattern, Window):
            declared = case.query.window(pattern.name)  # type: ignore[arg-type]
            assert declared is not None
            return rewritten(pattern, lambda part: _renamed(part, declared.stream))
        return pattern

    query = replace(case.query, pattern=rewritten_pattern(case.query.pattern, own))
    elements = tuple(
        replace(e, graph=tuple(_of_stream(triple, e.stream) for triple in e.graph))
        for e in case.elements
    )
    return replace(case, query=query, elements=elements)


def _renamed(part: object, stream: IRI) -> object:
    if isinstance(part, TriplePattern) and isinstance(part.predicate, IRI):
        return replace(part, predicate=_own(part.predicate, stream))
    return _of_stream(part, stream) if isinstance(part, Triple) else part


def _of_stream(triple: Triple, stream: IRI) -> Triple:
    return Triple(triple.subject, _own(triple.predicate, stream), triple.object)


def _own(predicate: IRI, stream: IRI) -> IRI:
    return IRI(f"{predicate.value}-{stream.value[-2:]}")


def is_apart(case: Case) -> bool:
    """Whether no pattern can match triples of another place, as predicates go.

    A window within GRAPH is asked of that graph where all windows are merged.
    """
    windows = [p for p in within(case.query.pattern) if isinstance(p, Window)]
    graphs = [p for p in within(case.query.pattern) if isinstance(p, Graph)]
    if any(isinstance(part, Window) for graph in graphs for part in within(graph)):
        return False
    return not any(
        isinstance(part, Graph)
        or (isinstance(part, TriplePattern) and isinstance(part.predicate, Variable))
        or (isinstance(part, Window) and part is not window)
        for window in windows
        for part in within(window)
    ) and not any(
        isinstance(part, TriplePattern) and isinstance(part.predicate, Variable)
        for part in within(case.query.pattern)
    )


def outputs(case: Case, mode: Mode, translation: TranslationName) -> list[Evaluation]:
    """Return what an engine gives in MODE under TRANSLATION."""
    return answers(translated(case.query, mode, translation), case)


def disagreement(case: Case, period: int) -> tuple[int, int] | None:
    """The first (t1, t2] on which push under τ2 and pull under τ1 do not agree."""
    pushed, pulled = outputs(case, Push(), "tau2"), outputs(case, Pull(period), "tau1")
    return parting(pushed, pulled[1:], [e.t for e in pulled[1:]], 0)


def smallest(missed: str, *phases: Phase) -> tuple[Case, int]:
    """The smallest case that Hypothesis finds on which engines disagree that miss one condition.

    Args:
        missed: the condition, one of ``CONDITIONS``.
        phases: what Hypothesis does; without ``Phase.shrink`` it is the first such case.
    """
    quiet = settings(
        max_examples=2000,
        database=None,
        derandomize=True,
        deadline=None,
        phases=phases or (Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )

    def disagree(drawn: tuple[Case, int]) -> bool:
        kept = missed == "shared patterns" or is_apart(drawn[0])
        return kept and disagreement(*drawn) is not None

    return find(pulled_cases(missed), disagree, settings=quiet)


def main() -> None:
    """Print the smallest disagreement without each condition."""
    for missed in CONDITIONS:
        case, period = smallest(missed)
        print(f"{missed}: pulled every {period}, until {case.until}\n{print_query(case.query)}")
        for element in case.elements:
            print(f"  {element.stream} at {element.t}: {element.graph}")
        for entry in case.background:
            print(f"  background: {entry}")
        for name, found in (
            ("pushed", outputs(case, Push(), "tau2")),
            ("pulled", outputs(case, Pull(period), "tau1")),
        ):
            print(name, {e.t: e.content.rows for e in found if isinstance(e.content, Rows)})
        print()


if __name__ == "__main__":
    main()
