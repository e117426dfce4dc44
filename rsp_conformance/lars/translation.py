"""τ: the LARS program of a query (Figure 1), with streams merged (τ1) or as graph patterns (τ2).

Sought is a logic program whose answer stream at an instant has the rows of the query there. It is a
third semantics, defined by other authors, in another formalism, and evaluated by a solver that
knows nothing of RSP-QL. So where it applies, it confirms or contradicts the two implementations.

**How.** Every pattern has a predicate of its own, whose arguments are the variables in its scope,
and ``null`` represents an unbound variable. A rule derives the rows of a pattern from those of its
parts, bottom up, until the predicate ``answer`` has the query's rows. The rules follow Polleres'
translation of SPARQL (*From SPARQL to Rules*, 2007), on which Figure 1 is based.

- A triple pattern in a window becomes an atom under ◇ in the window: it held at some instant there.
- AND pairs rows that are compatible: each shared variable has the same term, or is ``null`` on one
  side. If neither can be excluded, a predicate ``join(X, Y, Z)`` lists the three possibilities.
- OPTIONAL and MINUS need rows *without* a partner. That is negation as failure over a predicate of
  the matched rows. A pattern depends only on its parts, so negation is never on a cycle: the
  program is stratified, and has exactly one answer stream.
- A condition is evaluated by the kit's SPARQL functions, which the solver calls.

**What it guarantees.** The answers are those of SPARQL and RSP-QL as sets: programs do not count,
so duplicates are lost, and comparisons with the two implementations ignore them. Figure 1 differs
from SPARQL 1.1 in MINUS if the sides share no variable; `DifferenceKind` chooses. A query outside
the fragment is refused by name, never approximated.

**What it costs.** The number of rules is linear in the query. Grounding is not: it has an instance
of a rule per pair of compatible rows, at each instant anew. That suffices for the small cases of
tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Literal, TypeAlias

from rsp_conformance.lars.program import (
    Atom,
    BodyPart,
    Comparison,
    Condition,
    Extended,
    Not,
    Program,
    Rule,
    Symbol,
    Term,
    WindowFunction,
)
from rsp_conformance.model.algebra import (
    BGP,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Pattern,
    PatternTerm,
    TriplePattern,
    Union,
    Window,
)
from rsp_conformance.model.errors import Unsupported
from rsp_conformance.model.expressions import Expression, Operation, Variable
from rsp_conformance.model.features import FEATURES, PARTS
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI, BlankNode
from rsp_conformance.model.usage import query_features
from rsp_conformance.model.variables import certain, in_scope, selected
from rsp_conformance.model.walk import mentioned, substituted, within
from rsp_conformance.sparql.coverage import refuse

DifferenceKind: TypeAlias = Literal["sparql", "figure-1"]
"""MINUS as in SPARQL 1.1, or as in Figure 1: there a row of the right side that shares no variable
with the left is compatible with all of it, and removes it.
"""
NULL: Final = Symbol("null")  # an unbound variable
DEFAULT: Final = Symbol("default")  # the name of the default graph
ANSWER: Final = "answer"  # the predicate of the query's rows


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a pattern: in a graph of background data, or in a window.

    Without a ``graph`` it is the default graph of a query that merges streams into it. ``key`` is
    the variable for the graph of ``GRAPH ?g``, which all patterns within it carry.
    """

    graph: Term | None = DEFAULT
    window: tuple[WindowFunction, str] | None = None
    key: tuple[Variable, ...] = ()


@dataclass(frozen=True, slots=True)
class _Side:
    """A translated pattern: its predicate, its variables, and the variables that are never null."""

    predicate: str
    variables: tuple[str, ...]
    certain: frozenset[str]

    def atom(self, key: Sequence[Term], names: Mapping[str, Term] | None = None) -> Extended:
        """Return the atom of its answers; `names` has the terms that replace some variables."""
        terms = (names[v] if names and v in names else Variable(v) for v in self.variables)
        return Extended(Atom(self.predicate, (*key, *terms)))


@dataclass(slots=True)
class Translation:
    """τ(Q) of a query.

    Args:
        query: the query.
        windows: its window functions, by name.
        minus: the meaning of MINUS.

    Attributes:
        inputs: the predicate of each stream.
        rules: the rules so far.
    """

    query: Query
    windows: Mapping[IRI, WindowFunction]
    minus: DifferenceKind = "sparql"
    inputs: dict[IRI, str] = field(init=False)
    rules: list[Rule] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))
    _letters: Iterator[int] = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.inputs = input_predicates(self.query)

    def program(self) -> Program:
        """Return the program, without background data.

        Raises:
            Unsupported: the query is outside the fragment.
        """
        refuse_beyond_fragment(self.query)
        triple = tuple(Variable(name) for name in "SPO")
        merged = [w for w in self.query.windows if not w.named]
        for window in merged:
            arrived = Atom(self.inputs[window.stream], triple)
            body = Extended(arrived, "◇", window=self.windows[window.name])
            self._add(Extended(Atom("merged", triple)), body)
        if merged:
            static = Extended(Atom("triple", (*triple, DEFAULT)))
            self._add(Extended(Atom("merged", triple)), static)
        side = self._pattern(self.query.pattern, _Place(None if merged else DEFAULT))
        shown = (Variable(v) if v in side.variables else NULL for v in selected(self.query))
        self._add(Extended(Atom(ANSWER, tuple(shown))), side.atom(()))
        return Program(tuple(self.rules))

    # Figure 1

    def _pattern(self, pattern: Pattern, at: _Place) -> _Side:
        match pattern:
            case BGP():
                return self._triples(pattern, at)
            case Join():
                return self._join(pattern, at)
            case Union(left, right):
                side = self._side(pattern)
                for part in (self._pattern(left, at), self._pattern(right, at)):
                    nulls = {v: NULL for v in side.variables if v not in part.variables}
                    self._add(side.atom(at.key, nulls), part.atom(at.key))
                return side
            case Minus():
                return self._minus(pattern, at)
            case LeftJoin():
                return self._left_join(pattern, at)
            case Filter(condition, inner):
                side, given = self._side(pattern), self._pattern(inner, at)
                rows = given.atom(at.key)
                self._add(side.atom(at.key), rows, *self._true(condition, (rows,)))
                return side
            case Graph():
                return self._graph(pattern, at)
            case Window():
                return self._window(pattern, at)
        raise Unsupported(f"in a LARS program: {type(pattern).__name__}")

    def _triples(self, pattern: BGP, at: _Place) -> _Side:
        """Translate a BGP; its blank nodes are hidden variables."""
        side, hidden = self._side(pattern), dict[BlankNode, Variable]()
        body: list[BodyPart] = []
        if at.key or (isinstance(at.graph, IRI) and not pattern.triples):
            assert at.graph is not None
            body.append(Extended(Atom("graph", (at.graph,))))
        for triple in pattern.triples:
            parts = (triple.subject, triple.predicate, triple.object)
            terms = tuple(self._pattern_term(part, hidden) for part in parts)  # type: ignore[arg-type]
            if at.window is not None:
                window, predicate = at.window
                body.append(Extended(Atom(predicate, terms), "◇", window=window))
            elif at.graph is None:
                body.append(Extended(Atom("merged", terms)))
            else:
                body.append(Extended(Atom("triple", (*terms, at.graph))))
        self._add(side.atom(at.key), *body)
        return side

    def _pattern_term(self, term: PatternTerm, hidden: dict[BlankNode, Variable]) -> Term:
        if isinstance(term, BlankNode):
            return hidden.setdefault(term, self._fresh("B"))
        assert not isinstance(term, TriplePattern)
        return term

    def _join(self, pattern: Join, at: _Place) -> _Side:
        """Translate AND: the compatible pairs of rows."""
        side = self._side(pattern)
        left, right = self._pattern(pattern.left, at), self._pattern(pattern.right, at)
        body, united, _ = self._pairs(left, right, at)
        self._add(side.atom(at.key, united), *body)
        return side

    def _pairs(
        self, left: _Side, right: _Side, at: _Place
    ) -> tuple[Sequence[BodyPart], dict[str, Term], dict[str, Term]]:
        """Return a body for the compatible pairs of rows, and two renamings.

        If a variable of both sides may be null in one of them, ``join(X, Y, Z)`` computes from X
        and Y their common value Z. The second value maps such variables to Z, the third maps them
        to the right side's new names.
        """
        united: dict[str, Term] = {}
        renamed: dict[str, Term] = {}
        joins: list[BodyPart] = []
        for name in left.variables:
            if name not in right.variables or name in left.certain & right.certain:
                continue
            renamed[name], united[name] = self._fresh("R"), self._fresh("U")
            terms = (Variable(name), renamed[name], united[name])
            joins.append(Extended(Atom(self._compatibility(name, left, right, at), terms)))
        body = (left.atom(at.key), right.atom(at.key, renamed), *joins)
        return body, united, renamed

    def _compatibility(self, name: str, left: _Side, right: _Side, at: _Place) -> str:
        """Return the predicate ``join`` for a variable of both sides, over the terms it has."""
        number = next(self._numbers)
        term, x = f"term{number}", Variable("X")
        for side in (left, right):
            key = tuple(self._fresh("G") for _ in at.key)
            self._add(Extended(Atom(term, (x,))), side.atom(key, {name: x}))
        for row in ((x, x, x), (x, NULL, x), (NULL, x, x)):
            self._add(Extended(Atom(f"join{number}", row)), Extended(Atom(term, (x,))))
        return f"join{number}"

    def _minus(self, pattern: Minus, at: _Place) -> _Side:
        """Translate MINUS: rows of the left side without a compatible row on the right.

        In SPARQL a row on the right counts only if it binds a variable that the left row binds too.
        """
        left, right = self._pattern(pattern.left, at), self._pattern(pattern.right, at)
        side, (body, _, renamed) = self._side(pattern), self._pairs(left, right, at)
        row = left.atom(at.key)
        gone = Extended(Atom(f"gone{next(self._numbers)}", row.atom.arguments))
        shared = [v for v in left.variables if v in right.variables]
        sharing: list[tuple[BodyPart, ...]] = [()]
        if self.minus == "sparql" and renamed.keys() >= {*shared}:
            sharing = [
                tuple(Comparison(t, "!=", NULL) for t in (Variable(v), renamed[v])) for v in shared
            ]
        for both in sharing:
            self._add(gone, *body, *both)
        self._add(side.atom(at.key), row, *([Not(gone)] if sharing else ()))
        return side

    def _left_join(self, pattern: LeftJoin, at: _Place) -> _Side:
        """Translate OPT: AND, and the rows of the left side without a partner on the right."""
        left, right = self._pattern(pattern.left, at), self._pattern(pattern.right, at)
        side, (body, united, _) = self._side(pattern), self._pairs(left, right, at)
        row, both = left.atom(at.key), side.atom(at.key, united)
        terms = dict.fromkeys((*row.atom.arguments, *both.atom.arguments))
        pair = Extended(Atom(f"pair{next(self._numbers)}", tuple(terms)))
        condition = substituted(
            pattern.condition, {Variable(name): term for name, term in united.items()}
        )
        self._add(pair, *body, *self._true(condition, body))
        self._add(both, pair)
        matched = Extended(Atom(f"matched{next(self._numbers)}", row.atom.arguments))
        self._add(matched, pair)
        nulls = {v: NULL for v in side.variables if v not in left.variables}
        self._add(side.atom(at.key, nulls), row, Not(matched))
        return side

    def _graph(self, pattern: Graph, at: _Place) -> _Side:
        """Translate GRAPH: the pattern in a graph of background data; empty within a window."""
        if at.window is not None:
            return self._side(pattern)
        if isinstance(pattern.name, IRI):
            return self._moved(pattern, self._pattern(pattern.pattern, _Place(pattern.name)), at)
        graph, name = self._fresh("G"), pattern.name.name
        given = self._pattern(pattern.pattern, _Place(graph, key=(graph,)))
        side = self._side(pattern)
        head, body = side.atom(at.key, {name: graph}), [*self._keyed(at), given.atom((graph,))]
        if name not in given.variables:
            self._add(head, *body)
        else:
            self._add(head, *body, Comparison(pattern.name, "=", graph))
            self._add(head, *body, Comparison(pattern.name, "=", NULL))
        return side

    def _window(self, pattern: Window, at: _Place) -> _Side:
        """Translate a stream graph pattern: triples are atoms within ⊞ of the stream."""
        assert isinstance(pattern.name, IRI)
        declared = self.query.window(pattern.name)
        if at.window is not None or declared is None or not declared.named:
            return self._side(pattern)
        place = _Place(window=(self.windows[declared.name], self.inputs[declared.stream]))
        return self._moved(pattern, self._pattern(pattern.pattern, place), at)

    def _moved(self, pattern: Pattern, given: _Side, at: _Place) -> _Side:
        """Return `given`, the answers to `pattern`, for every graph around the pattern."""
        if not at.key:
            return given
        side = self._side(pattern)
        self._add(side.atom(at.key), *self._keyed(at), given.atom(()))
        return side

    def _keyed(self, at: _Place) -> list[BodyPart]:
        return [Extended(Atom("graph", at.key))] if at.key else []

    # FILTER, by Lloyd and Topor

    def _true(
        self, condition: Expression | None, rows: Sequence[BodyPart], truth: bool = True
    ) -> list[BodyPart]:
        """Return the body that makes a condition true of `rows`, or false if not `truth`.

        An error is neither true nor false. Negation is moved inwards, a conjunction is a body, and
        a disjunction is a predicate with a rule for each side.
        """
        match condition:
            case None:
                return []
            case Operation("!", (inner,)):
                return self._true(inner, rows, not truth)
            case Operation("&&" | "||" as sign, (left, right)) if (sign == "&&") is truth:
                return [*self._true(left, rows, truth), *self._true(right, rows, truth)]
            case Operation("&&" | "||", (left, right)):
                bound = {name for row in rows for name in mentioned(row)}
                asked = [n for n in dict.fromkeys(mentioned(condition)) if n in bound]
                name = f"either{next(self._numbers)}"
                either = Extended(Atom(name, tuple(Variable(n) for n in asked)))
                for part in (left, right):
                    self._add(either, *rows, *self._true(part, rows, truth))
                return [either]
            case _:
                return [Condition(condition, truth)]

    # Names and rules

    def _side(self, pattern: Pattern) -> _Side:
        return _Side(f"p{next(self._numbers)}", in_scope(pattern), certain(pattern))

    def _add(self, head: Extended, *body: BodyPart) -> None:
        self.rules.append(Rule(head, body))

    def _fresh(self, letter: str) -> Variable:
        """Return a variable that no query has."""
        return Variable(f"{letter}'{next(self._letters)}")


def input_predicates(query: Query) -> dict[IRI, str]:
    """Return the predicate of each stream that a query reads: ``in_`` and its local name."""
    names: dict[IRI, str] = {}
    for stream in query.streams():
        local = re.sub(r"[^A-Za-z0-9_]", "_", re.split(r"[/#:]", stream.value)[-1])
        name = f"in_{local}"
        while name in names.values():
            name += "_"
        names[stream] = name
    return names


FRAGMENT: Final = frozenset(
    "select rstream distinct filter functions optional union minus static-data named-graphs "
    "time-varying-data multi-window same-stream-windows gap-windows multi-triple-elements "
    "blank-nodes typed-literals language-tags triple-windows now-window unbounded-window".split()
)
"""The features of cases that LARS programs support, apart from those for parts of a feature."""


def refuse_beyond_fragment(query: Query) -> None:
    """Refuse a query outside the fragment.

    Raises:
        Unsupported: the message names the first part of the query that is not supported.
    """
    refuse(query)
    known = FRAGMENT.union(*(PARTS.get(whole, ()) for whole in FRAGMENT))
    # GRAPH within WINDOW, which finds nothing if no element has a name.
    known |= {"named-elements"}
    # Tuples are triples, so of windows by count there are those that count these (Table 1).
    known |= {"count-windows"}
    # Refused with the reason below.
    known |= {"past-windows"}
    beyond = [FEATURES[name] for name in sorted(query_features(query) - known)]
    if query.computed_every is not None:
        beyond.append("COMPUTED EVERY (the mode says when)")
    if any(window.lag is not None for window in query.windows):
        beyond.append("windows in the past (LARS' Table 1 has none)")
    calls = (part.name for part in within(query) if isinstance(part, Operation))
    if query.base is not None and not {"IRI", "URI"}.isdisjoint(calls):
        beyond.append("IRI() in a query with BASE")
    windows = {window.name for window in query.windows if window.named}
    if any(isinstance(part, Graph) and part.name in windows for part in within(query)):
        beyond.append("GRAPH with the name of a window")
    if beyond:
        raise Unsupported(f"in a LARS program: {beyond[0]}")
