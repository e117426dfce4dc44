"""Answers: what a continuous query yields, expected or observed (RSP-QL Definition 24)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from rsp_conformance.model.terms import Literal, Term, Triple

Solution: TypeAlias = Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Rows:
    """A SELECT's answer at one evaluation.

    ``variables`` are the columns; a row holds a term or None (unbound) for each. ``ties`` is None
    for a multiset of rows; under ORDER BY it numbers, row by row and ascending, the group of rows
    that ORDER BY leaves tied, and rows of one group may come in any order. ``determined`` is False
    where LIMIT or OFFSET cuts a group of ties, so that several answers are right. ``computed`` are
    numbers of an expected answer whose last digits and whose form are the implementation's.
    """

    variables: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]
    ties: tuple[int, ...] | None = None
    determined: bool = True
    computed: frozenset[Literal] = field(default=frozenset(), compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    def solutions(self) -> Iterator[dict[str, Term]]:
        """The rows as mappings of the bound variables."""
        for row in self.rows:
            yield {v: term for v, term in zip(self.variables, row, strict=True) if term is not None}


@dataclass(frozen=True, slots=True)
class Truth:
    """An ASK's answer at one evaluation."""

    value: bool


@dataclass(frozen=True, slots=True)
class Triples:
    """A CONSTRUCT's answer at one evaluation, a graph; ``computed`` as of `Rows`."""

    graph: frozenset[Triple]
    computed: frozenset[Literal] = field(default=frozenset(), compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.graph)


Content: TypeAlias = Rows | Truth | Triples


def is_empty(content: Content) -> bool:
    """No rows, or an empty graph; an ASK's answer is never empty (SEMANTICS 4)."""
    return not isinstance(content, Truth) and len(content) == 0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An expected answer: of the evaluation at instant ``t``.

    Evaluations of one instant (tick ``tuple``) stand in order in the sequence. ``trigger`` says by
    which arrival it is given out, by stamp and position, None where windows share a clock.
    """

    t: int
    content: Content
    trigger: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """An answer that an engine gave.

    ``t`` is the instant that the engine reports, None where it reports none, a Fraction where it
    is no whole instant. ``cause`` is the index of the element pushed last when the answer came,
    ``"end"`` after all of them, None if not known.
    """

    t: int | Fraction | None
    content: Content
    cause: int | str | None = None


def rows_from_solutions(solutions: tuple[Solution, ...], variables: tuple[str, ...] = ()) -> Rows:
    """Rows over VARIABLES and whatever else SOLUTIONS bind, in order of first appearance."""
    columns = dict.fromkeys(variables)
    for solution in solutions:
        columns |= dict.fromkeys(solution)
    names = tuple(columns)
    return Rows(names, tuple(tuple(solution.get(v) for v in names) for solution in solutions))
