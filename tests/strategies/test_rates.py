"""What real engines are known to get wrong is drawn often enough to be met in a run.

Run with ``-s`` to see the shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from rsp_conformance.model.algebra import BGP, Filter, TriplePattern, Union, Values
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Aggregate, Exists, FunctionCall, Operation, Variable
from rsp_conformance.model.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    XSD_INTEGER,
    XSD_STRING,
    Literal,
    Triple,
)
from rsp_conformance.model.walk import mentioned, within
from rsp_conformance.spec.starts import rspql_queries
from rsp_conformance.spec.trace import Expectation
from rsp_conformance.strategies.windows import width_of
from tests.builders.drawing import drawn, parts_of

KEYWORDS = ("named", "stream", "task", "base", "add", "step", "prefix")


def data(case: Case) -> Iterator[Any]:
    return (part for given in (*case.elements, *case.background) for part in within(given))


def strings(case: Case) -> list[str]:
    return [p.lexical for p in data(case) if isinstance(p, Literal) and p.datatype == XSD_STRING]


def predicates(case: Case) -> list[str]:
    return [triple.predicate.value for element in case.elements for triple in element.graph]


def operations(case: Case, *names: str) -> list[Operation]:
    return [o for o in parts_of(case, Operation) if o.name in names]


def repeats(case: Case) -> bool:
    patterns = [list(mentioned(t)) for bgp in parts_of(case, BGP) for t in bgp.triples]
    return any(len(set(names)) < len(names) for names in patterns)


def literal_in_pattern(case: Case) -> bool:
    return any(isinstance(t.object, Literal) for bgp in parts_of(case, BGP) for t in bgp.triples)


def group_over_nothing(case: Case) -> bool:
    if case.query.group_by is None:
        return False
    expectation, starts = Expectation(case, Dials()), rspql_queries(case, Dials())
    return any(not e.content.rows for e in expectation.answer(next(iter(starts))))  # type: ignore[union-attr]


def undef(case: Case) -> bool:
    inline = [*parts_of(case, Values), *filter(None, [case.query.values])]
    return any(None in row for values in inline for row in values.rows)


def outer_variable(case: Case) -> bool:
    for exists in parts_of(case, Exists):
        for filtered in (p for p in within(exists.pattern) if isinstance(p, Filter)):
            inside = set(mentioned(filtered.pattern))
            if not inside.issuperset(mentioned(filtered.condition)):
                return True
    return False


def equality_or(case: Case) -> bool:
    return any(
        isinstance(operand, Operation) and operand.name == "="
        for either in operations(case, "||")
        for operand in either.arguments
    )


def in_over_union(case: Case) -> bool:
    return any(
        any(isinstance(p, Operation) and p.name in ("IN", "NOT IN") for p in within(f.condition))
        and any(isinstance(p, Union) for p in within(f.pattern))
        for f in parts_of(case, Filter)
    )


def sum_of_texts(case: Case) -> bool:
    return any(a.name == "SUM" for a in parts_of(case, Aggregate)) and bool(strings(case))


def negated_error(case: Case) -> bool:
    numbers = any(isinstance(p, Literal) and p.datatype == XSD_INTEGER for p in data(case))
    return numbers and bool(operations(case, "!")) and bool(strings(case))


def several_matches(case: Case) -> bool:
    held = Counter((t.subject, t.predicate) for entry in case.background for t in entry.triples)
    return max(held.values(), default=0) > 1


def first_at_zero(case: Case) -> bool:
    return len(case.elements) > 1 and case.elements[0].t == 0 < case.elements[-1].t


def start_up(case: Case) -> bool:
    """Two elements within the first two instants after the registration."""
    return sum(element.t <= case.registered + 2 for element in case.elements) > 1


def stale(case: Case) -> bool:
    """One of two streams is silent for longer than any window while the other goes on."""
    widest = max(map(width_of, case.query.windows))
    for stream in case.query.streams() if len(case.query.streams()) > 1 else ():
        own = [e.t for e in case.elements if e.stream == stream]
        others = [e.t for e in case.elements if e.stream != stream]
        spans = pairwise([*own, case.until + 1])
        if any(t + widest < other < end for t, end in spans for other in others):
            return True
    return False


def a_list(case: Case) -> bool:
    return RDF_FIRST in predicates(case) or RDF_NIL in within(case.query)


def quoted(case: Case) -> Iterator[TriplePattern]:
    for triple in parts_of(case, TriplePattern):
        yield from (p for p in (triple.subject, triple.object) if isinstance(p, TriplePattern))


def prefix_in_filter(case: Case) -> bool:
    prefixed = any(prefix not in ("", "rspu") for prefix, _ in case.query.prefixes)
    parts = (part for each in parts_of(case, Filter) for part in within(each.condition))
    return prefixed and any(isinstance(part, IRI) for part in parts)


RATES: list[tuple[str, str, Callable[[Case], bool], float]] = [
    ("a quote in a string", "terms", lambda c: any('"' in s for s in strings(c)), 0.03),
    ("^^ in a string", "terms", lambda c: any("^^" in s for s in strings(c)), 0.03),
    (
        "a keyword at a string's end",
        "terms",
        lambda c: any(s.endswith(KEYWORDS) for s in strings(c)),
        0.01,
    ),
    (
        "a keyword at a predicate's end",
        "terms",
        lambda c: any(p.endswith(KEYWORDS) for p in predicates(c)),
        0.01,
    ),
    (
        "a digit at a predicate's end",
        "terms",
        lambda c: any(p[-1].isdigit() for p in predicates(c)),
        0.01,
    ),
    ("a variable twice in a pattern", "terms", repeats, 0.05),
    ("a literal in a pattern", "terms", literal_in_pattern, 0.05),
    ("a group over nothing", "aggregates", group_over_nothing, 0.05),
    ("VALUES with UNDEF", "values", undef, 0.1),
    ("an outer variable in EXISTS' FILTER", "exists", outer_variable, 0.03),
    ("|| with an equality", "filter", equality_or, 0.01),
    ("IN over UNION", "union", in_over_union, 0.01),
    ("SUM over texts", "errors", sum_of_texts, 0.05),
    ("! of an error", "filter", negated_error, 0.03),
    ("several matches in background data", "static", several_matches, 0.1),
    ("a first element at 0", "windows", first_at_zero, 0.05),
    ("elements at the start", "windows", start_up, 0.1),
    ("a stale stream", "multi-window", stale, 0.03),
    ("a list", "blank-nodes", a_list, 0.05),
    ("a list", "terms", a_list, 0.03),
    ("a name with a prefix in a filter", "terms", prefix_in_filter, 0.05),
    ("CONSTRUCT WHERE", "construct", lambda c: c.query.is_its_own_template, 0.03),
    (
        "VALUES without rows",
        "nesting",
        lambda c: any(not v.rows and len(v.variables) != 1 for v in parts_of(c, Values)),
        0.01,
    ),
    (
        "VALUES of quoted triples",
        "rdf-star",
        lambda c: any(isinstance(p, Triple) for v in parts_of(c, Values) for p in within(v)),
        0.01,
    ),
    (
        "a quoted pattern with any predicate",
        "rdf-star",
        lambda c: any(isinstance(q.predicate, Variable) for q in quoted(c)),
        0.03,
    ),
    (
        "COUNT(DISTINCT *)",
        "aggregates",
        lambda c: any(a.distinct and a.argument is None for a in parts_of(c, Aggregate)),
        0.01,
    ),
    (
        "GROUP BY of a call",
        "modifiers",
        lambda c: any(isinstance(k.expression, FunctionCall) for k in c.query.group_by or ()),
        0.004,
    ),
    (
        "odd variables",
        "terms",
        lambda c: any(not v.name.isascii() or v.name.isdigit() for v in parts_of(c, Variable)),
        0.02,
    ),
]


@pytest.mark.parametrize(
    ("name", "focus", "has", "least"), RATES, ids=[f"{r[0]}, {r[1]}" for r in RATES]
)
def test_it_is_drawn_at_a_useful_rate(
    name: str, focus: str, has: Callable[[Case], bool], least: float
) -> None:
    every = drawn(focus, 3)
    share = sum(map(has, every)) / len(every)
    print(f"{name:36} {focus:14} {share:4.0%}")
    assert share >= least
