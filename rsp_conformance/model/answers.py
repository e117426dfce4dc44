"""Answers of a continuous query, expected or observed (RSP-QL Definition 24)."""

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

    Attributes:
        variables: the columns.
        rows: for each row, one term per column; None means unbound.
        ties: None for a multiset of rows. Under ORDER BY: for each row the number of its group,
            ascending. ORDER BY leaves the rows of a group tied, so they may come in any order.
        determined: False if LIMIT or OFFSET cuts a group of ties, so that several answers are
            right.
        computed: numbers of an expected answer of which the last digits and the form are left to
            the implementation.
    """

    variables: tuple[str, ...]
    rows: tuple[tuple[Term | None, ...], ...]
    ties: tuple[int, ...] | None = None
    determined: bool = True
    computed: frozenset[Literal] = field(default=frozenset(), compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    def solutions(self) -> Iterator[dict[str, Term]]:
        """The rows, each as a mapping from its bound variables to terms."""
        for row in self.rows:
            yield {v: term for v, term in zip(self.variables, row, strict=True) if term is not None}


@dataclass(frozen=True, slots=True)
class Truth:
    """An ASK's answer at one evaluation."""

    value: bool


@dataclass(frozen=True, slots=True)
class Triples:
    """A CONSTRUCT's answer at one evaluation, a graph; ``computed`` as in `Rows`."""

    graph: frozenset[Triple]
    computed: frozenset[Literal] = field(default=frozenset(), compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.graph)


Content: TypeAlias = Rows | Truth | Triples


def is_empty(content: Content) -> bool:
    """Whether there are no rows or no triples; an ASK's answer is never empty (SEMANTICS 4)."""
    return not isinstance(content, Truth) and len(content) == 0


@dataclass(frozen=True, slots=True)
class Evaluation:
    """An expected answer: that of the evaluation at instant ``t``.

    Several evaluations at one instant (tick ``tuple``) are in the order in which they happen.
    ``trigger`` is the arrival that releases the answer, by stamp and position; None if all windows
    share a clock.
    """

    t: int
    content: Content
    trigger: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Observed:
    """An answer of an engine.

    Attributes:
        t: the instant that the engine reports; None if it reports no instant, a Fraction if it is
            not a whole number.
        content: the answer itself.
        cause: the index of the element that was pushed last when the answer came, ``"end"`` after
            all elements, None if not known.
    """

    t: int | Fraction | None
    content: Content
    cause: int | str | None = None


def rows_from_solutions(solutions: tuple[Solution, ...], variables: tuple[str, ...] = ()) -> Rows:
    """Make rows of solutions; variables not in ``variables`` are added as they first appear."""
    columns = dict.fromkeys(variables)
    for solution in solutions:
        columns |= dict.fromkeys(solution)
    names = tuple(columns)
    return Rows(names, tuple(tuple(solution.get(v) for v in names) for solution in solutions))
