"""The answers of a query by LARS: its program in a mode, over the streams of a case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from rsp_conformance.lars.modes import Mode, Pull, pull, push
from rsp_conformance.lars.program import (
    NOW,
    Atom,
    Program,
    Symbol,
    TimeWindow,
    TupleWindow,
    WindowFunction,
)
from rsp_conformance.lars.queries import cs
from rsp_conformance.lars.solve import derived
from rsp_conformance.lars.streams import Stream
from rsp_conformance.lars.translation import (
    ANSWER,
    DEFAULT,
    DifferenceKind,
    Translation,
    input_predicates,
)
from rsp_conformance.model.answers import Evaluation, Rows
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, GraphName, Triple
from rsp_conformance.model.variables import selected
from rsp_conformance.model.windows import (
    AnyWindow,
    CountWindow,
    NowWindow,
    SlidingWindow,
    UnboundedWindow,
)

TranslationName: TypeAlias = Literal["tau1", "tau2"]
"""τ1 merges streams into the default graph (C-SPARQL), τ2 has stream graph patterns (CQELS)."""


@dataclass(frozen=True, slots=True)
class Translated:
    """A query as a LARS program in a mode.

    Attributes:
        program: the program, without background data.
        mode: push or pull.
        inputs: the predicate of each stream.
        query: the query that was translated, with its windows in the form of the translation.
    """

    program: Program
    mode: Mode
    inputs: Mapping[IRI, str]
    query: Query

    @property
    def columns(self) -> tuple[str, ...]:
        """The variables that the query selects."""
        return selected(self.query)


def translated(
    query: Query,
    mode: Mode,
    translation: TranslationName = "tau2",
    *,
    unit: int = 1,
    windows: Mapping[IRI, WindowFunction] | None = None,
    minus: DifferenceKind = "sparql",
) -> Translated:
    """Return a query as a LARS program.

    Args:
        query: the query.
        mode: push or pull.
        translation: τ1 or τ2.
        unit: milliseconds per instant.
        windows: window functions that replace declared windows, by name.
        minus: the meaning of MINUS.

    Raises:
        Unsupported: a part of the query is outside the fragment; the message names it.
        ValueError: a length does not fit the unit.
    """
    named = cs(query) if translation == "tau1" else query
    inputs = input_predicates(named)
    functions = {
        window.name: _function(window, inputs[window.stream])
        for window in named.resolved_windows(Dials(unit=unit))
    }
    made = Translation(named, {**functions, **(windows or {})}, minus)
    plain, triples = made.program(), {(name, 3) for name in made.inputs.values()}
    program = pull(plain, mode.period) if isinstance(mode, Pull) else push(plain, triples)
    return Translated(program, mode, made.inputs, named)


def _function(window: AnyWindow, predicate: str) -> WindowFunction:
    """Return the window function of a declared window (Table 1).

    Args:
        window: the window.
        predicate: the predicate of its stream.
    """
    match window:
        case CountWindow():
            return TupleWindow(window.width, predicate)
        case NowWindow():
            return NOW
        case UnboundedWindow():
            return TimeWindow(None)
        case SlidingWindow():
            return TimeWindow(window.width, window.slide)


def answers(of: Translated, case: Case) -> list[Evaluation]:
    """Return the answers from the registration to the end, each a set of rows, also if it is empty.

    The query of `case` is ignored. The instants are the arrivals in push mode, and the multiples of
    the period U in pull mode; by Proposition 1 there are no answers at other instants.
    """
    stream = input_stream(of, case)
    instants = stream.instants(case.registered, case.until)
    if isinstance(of.mode, Pull):
        period = of.mode.period
        instants = range(-(-case.registered // period) * period, case.until + 1, period)
    return [Evaluation(t, answer_at(of, case, stream, t)) for t in instants]


def answer_at(of: Translated, case: Case, stream: Stream, t: int) -> Rows:
    """Return the answer at `t`, over a stream and the background data of a case at `t`.

    Args:
        of: the translated query.
        case: the case with the background data.
        stream: the input stream of the program.
        t: the instant.
    """
    program = replace(of.program, background=background_atoms(of.query, case, t))
    rows = (
        tuple(None if isinstance(term, Symbol) else term for term in atom.arguments)
        for _, atom in derived(program, stream, t, (ANSWER, len(of.columns)))
    )
    return Rows(of.columns, tuple(sorted(rows, key=repr)))  # type: ignore[arg-type]


def input_stream(of: Translated, case: Case) -> Stream:
    """Return the streams of a case as one; a triple is an atom of its stream's predicate.

    Raises:
        Unsupported: an element has a name.
    """
    found: set[tuple[int, Atom]] = set()
    for element in case.elements:
        if element.stream in of.inputs:
            if element.name is not None:
                raise Unsupported("in a LARS program: named elements")
            name = of.inputs[element.stream]
            found.update((element.t, Atom(name, tuple(triple))) for triple in element.graph)
    last = max(case.until, max((e.t for e in case.elements), default=0))
    return Stream(0, last, frozenset(found))


def background_atoms(query: Query, case: Case, t: int) -> frozenset[Atom]:
    """Return the background data D at `t` as ``triple(s, p, o, g)`` and ``graph(g)``.

    FROM and FROM NAMED of the query choose its graphs.

    Args:
        query: the query whose FROM and FROM NAMED choose the graphs.
        case: the case with the background data.
        t: the instant.
    """
    default, named = case.background.at(t)
    if query.default_graphs or query.named_graphs:
        none: frozenset[Triple] = frozenset()
        default = none.union(*(named.get(name, none) for name in query.default_graphs))
        chosen: list[GraphName] = [*query.named_graphs]
        named = {name: named.get(name, none) for name in chosen}
    atoms = {Atom("triple", (*triple, DEFAULT)) for triple in default}
    for name, graph in named.items():
        atoms.add(Atom("graph", (name,)))
        atoms.update(Atom("triple", (*triple, name)) for triple in graph)
    return frozenset(atoms)
