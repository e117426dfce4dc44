"""Compares, counts and joins answers (SEMANTICS 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import TypeAlias, TypeVar

from rsp_conformance.model.answers import Content, Observed, Rows, Triples, Truth
from rsp_conformance.model.dials import Numbers
from rsp_conformance.model.terms import Literal, is_numeric
from rsp_conformance.model.verdict import Kind
from rsp_conformance.model.walk import rewritten, within
from rsp_conformance.sparql.compare.numbers import computed_alike, key
from rsp_conformance.sparql.compare.rows import ComparedRow, rows_among, same_rows

AnyContent = TypeVar("AnyContent", bound=Content)
OtherContent = TypeVar("OtherContent", bound=Content)
ContentBag: TypeAlias = "Counter[frozenset[tuple[str, Hashable]]]"


def difference(expected: Content, observed: Content, numbers: Numbers) -> Kind | None:
    """Compare two answers of one evaluation.

    Args:
        expected: the expected answer.
        observed: the engine's answer. Columns may be in another order, and columns that are
            unbound in every row do not count.
        numbers: the dial ``numbers``.

    Returns:
        None if the answers agree, ``Kind.ORDER`` if only the order of the rows differs, otherwise
        ``Kind.ROWS``.
    """
    if isinstance(expected, Rows) and isinstance(observed, Rows) and len(expected) != len(observed):
        # Whatever they hold: of a flood of rows, nobody should wait for a look at each.
        return Kind.ROWS
    if numbers == "term" and not isinstance(expected, Truth) and expected.computed:
        expected, observed = _as_computed(expected, observed, expected.computed)
    match expected, observed:
        case Truth(left), Truth(right):
            return None if left == right else Kind.ROWS
        case Triples(left_graph), Triples(right_graph):
            left_rows: list[ComparedRow] = [tuple(triple) for triple in left_graph]
            right_rows: list[ComparedRow] = [tuple(triple) for triple in right_graph]
            return None if same_rows(left_rows, right_rows, numbers) else Kind.ROWS
        case Rows(), Rows():
            return _rows(expected, observed, numbers)
        case _:
            return Kind.ROWS


def is_among(part: Rows, whole: Rows, numbers: Numbers) -> bool:
    """Whether the rows of one answer are among those of another, in any order.

    Blank nodes agree with any other.

    Args:
        part: the answer whose rows are looked for.
        whole: the answer among whose rows they are to be.
        numbers: the dial ``numbers``.
    """
    columns = tuple(dict.fromkeys((*part.variables, *whole.variables)))
    if numbers == "term" and (computed := part.computed | whole.computed):
        part, whole = _as_computed(part, whole, computed)
    return rows_among(_in_columns(part, columns), _in_columns(whole, columns), numbers)


def _in_columns(content: Rows, columns: Sequence[str]) -> list[ComparedRow]:
    """The rows with these columns, unbound where there is none of that name."""
    places = {name: i for i, name in enumerate(content.variables)}
    return [
        tuple(row[places[name]] if name in places else None for name in columns)
        for row in content.rows
    ]


def _as_computed(
    expected: AnyContent, observed: OtherContent, computed: frozenset[Literal]
) -> tuple[AnyContent, OtherContent]:
    """Replace all numbers that agree with a computed number of their datatype by one literal.

    The last digits and the form of a computed number are left to the implementation (decision 24).
    """
    literals = {part for content in (expected, observed) for part in within(content)}
    one = computed_alike(computed, filter(is_numeric, literals))
    if not one:
        return expected, observed

    def changed(part: object) -> object:
        return one.get(part, part) if isinstance(part, Literal) else part

    return rewritten(expected, changed), rewritten(observed, changed)


def _rows(expected: Rows, observed: Rows, numbers: Numbers) -> Kind | None:
    extra = [i for i, name in enumerate(observed.variables) if name not in expected.variables]
    if any(row[i] is not None for row in observed.rows for i in extra):
        return Kind.ROWS
    left: list[ComparedRow] = list(expected.rows)
    right = _in_columns(observed, expected.variables)
    if expected.ties is None or len(left) != len(right):
        return None if same_rows(left, right, numbers) else Kind.ROWS
    # The row that an engine puts at a position must belong to the group of ties there.
    tied_left = [(*row, tie) for row, tie in zip(left, expected.ties, strict=True)]
    tied_right = [(*row, tie) for row, tie in zip(right, expected.ties, strict=True)]
    if same_rows(tied_left, tied_right, numbers):
        return None
    return Kind.ORDER if same_rows(left, right, numbers) else Kind.ROWS


def same_answers(one: Sequence[Observed], other: Sequence[Observed], numbers: Numbers) -> bool:
    """Whether two runs of one case gave the same answers, at the same instants.

    Answers of several instants may come in any order, since a judge looks at their instants
    (Definition 23); those of one instant, or of none, must come in one order.

    Args:
        one: the answers of one run, in the order received.
        other: the answers of the other run.
        numbers: the dial ``numbers``: when two numbers agree.
    """
    if len(one) != len(other):
        return False
    return all(
        left.t == right.t and difference(left.content, right.content, numbers) is None
        for left, right in zip(_by_instant(one), _by_instant(other), strict=True)
    )


def _by_instant(answers: Sequence[Observed]) -> list[Observed]:
    """The answers in the order of their instants, those without an instant first."""
    return sorted(answers, key=lambda answer: (answer.t is not None, answer.t or 0))


def bag(content: Content, numbers: Numbers) -> ContentBag:
    """Count the rows of an answer, by the ``key`` of their terms and without unbound variables.

    Returns:
        The number of occurrences of each row; empty for an answer of ASK or CONSTRUCT.
    """
    if not isinstance(content, Rows):
        return Counter()
    return Counter(
        frozenset((name, key(term, numbers)) for name, term in solution.items())
        for solution in content.solutions()
    )


def joined(contents: Sequence[Content]) -> Content:
    """Join several answers into one.

    Rows are appended to rows, and their groups of ties are numbered on. Triples are united. If
    there are truth values, the result is the last answer. Without answers, it has no rows.
    """
    if len(contents) == 1:
        return contents[0]
    if contents and all(isinstance(content, Triples) for content in contents):
        graphs = [content for content in contents if isinstance(content, Triples)]
        computed = frozenset().union(*(c.computed for c in graphs))
        return Triples(frozenset().union(*(c.graph for c in graphs)), computed)
    parts = [content for content in contents if isinstance(content, Rows)]
    if len(parts) < len(contents):
        return contents[-1]
    columns = tuple(dict.fromkeys(name for part in parts for name in part.variables))
    rows = []
    ties: list[int] = []
    for part in parts:
        places = [part.variables.index(n) if n in part.variables else None for n in columns]
        rows += [tuple(None if p is None else row[p] for p in places) for row in part.rows]
        start = ties[-1] + 1 if ties else 0
        ties += [start + tie for tie in part.ties or (0,) * len(part.rows)]
    ordered = any(part.ties is not None for part in parts)
    computed = frozenset().union(*(part.computed for part in parts))
    return Rows(columns, tuple(rows), tuple(ties) if ordered else None, computed=computed)
