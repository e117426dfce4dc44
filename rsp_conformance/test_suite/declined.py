"""What a test does that an engine may decline (``model.features.RESTRICTIONS``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from rsp_conformance.model.algebra import BGP, Extend, Filter, LeftJoin, Minus, TriplePattern
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.expressions import Aggregate, Exists, Operation, Variable
from rsp_conformance.model.terms import IRI, XSD_STRING, BlankNode, Literal
from rsp_conformance.model.usage import patterns_by_window, query_shapes
from rsp_conformance.model.variables import is_grouped
from rsp_conformance.model.walk import mentioned, within
from rsp_conformance.strategies.vocabulary import KEYWORD_GRAPHS, KEYWORD_WINDOWS, KEYWORDS

_PLAIN_WORD = re.compile("[A-Za-z0-9]+")
_KEYWORD_NAMES = frozenset((*KEYWORD_GRAPHS, *KEYWORD_WINDOWS))
_KEYWORDS = frozenset(word.lower() for word in KEYWORDS)


def declinable(case: Case, dials: Dials) -> frozenset[str]:
    """Return the restrictions which keep a case from engines that declare them."""
    return frozenset((*_of_data(case), *_of_query(case, dials), *_of_writing(case)))


_LONG = 16
"""No window is wider, unless an engine takes long ones; no silence is longer than twice as much."""


def _of_writing(case: Case) -> Iterator[str]:
    if case.layout is not None:
        yield "without-layouts"
    times = [case.registered, *(element.t for element in case.elements)]
    widths = [w.back for w in case.query.windows if w.is_by_time and isinstance(w.back, int)]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    if max(widths, default=0) > _LONG or max(gaps, default=0) > 2 * _LONG:
        yield "without-long-windows"


def _of_data(case: Case) -> Iterator[str]:
    patterns = [part for part in within(case.query) if isinstance(part, TriplePattern)]
    given = (*patterns, *case.elements, *case.background)
    for part in (part for data in given for part in within(data)):
        odd = isinstance(part, Literal) and not _PLAIN_WORD.fullmatch(part.lexical)
        if odd and part.datatype == XSD_STRING:
            yield "without-odd-strings"
    for part in within(case.query):
        named = isinstance(part, Variable) and part.name.lower() in _KEYWORDS
        if named or (isinstance(part, IRI) and part in _KEYWORD_NAMES):
            yield "without-keyword-names"


def _of_query(case: Case, dials: Dials) -> Iterator[str]:
    query = case.query
    prefixes = {prefix.lower() for prefix, _ in query.prefixes}
    if prefixes & _KEYWORDS:
        yield "without-keyword-names"
    if prefixes - {"", "rspu"}:
        yield "without-prefixes"
    if "repeated-variable" in query_shapes(query, dials):
        yield "without-repeated-variables"
    if any(window.slide not in (None, 1) for window in query.windows):
        yield "without-steps"
    if query.operator is None:
        yield "without-plain-queries"
    if query.default_graphs or query.named_graphs:
        yield "without-datasets"
    for part in within(query):
        yield from _of_part(part)
    yield from _of_joins(case)


def _of_part(part: Any) -> Iterator[str]:
    if isinstance(part, BGP):
        for triple in part.triples:
            if isinstance(triple.predicate, Variable):
                yield "without-predicate-variables"
            if isinstance(triple.subject, BlankNode) or isinstance(triple.object, BlankNode):
                yield "without-pattern-nodes"
    match part:
        case TriplePattern(object=Literal()):
            yield "without-pattern-literals"
        case Operation(name) if name in ("+", "-", "*", "/"):
            yield "without-arithmetic"
        case LeftJoin(_, inner, condition):
            if condition is not None or _has(inner, Filter):
                yield "without-inner-filters"
        case Minus(_, inner) | Exists(inner) if _has(inner, Filter):
            yield "without-inner-filters"
        case Aggregate(name) if name in ("SAMPLE", "GROUP_CONCAT"):
            yield "without-sample"
        case Filter(condition, pattern):
            bound = {p.variable.name for p in within(pattern) if isinstance(p, Extend)}
            if bound.intersection(mentioned(condition)):
                yield "without-filtered-binds"
    if isinstance(part, Exists) and not part.negated:
        yield "without-positive-exists"


def _has(pattern: Any, kind: type) -> bool:
    return any(isinstance(part, kind) for part in within(pattern))


def _of_joins(case: Case) -> Iterator[str]:
    query = case.query
    found = patterns_by_window(query)
    in_windows = {window: own for window, own in found.items() if own and window != ""}
    patterns = [triple for own in found.values() for triple in own]
    grouped = is_grouped(query)
    if not grouped and max(map(len, in_windows.values()), default=0) < 2:
        yield "without-single-patterns"
    if grouped and len(patterns) > 1:
        yield "without-joined-aggregates"
    anywhere = any(window is None or isinstance(window, Variable) for window in found)
    if not anywhere and not found.keys() >= {window.name for window in query.windows}:
        yield "without-unread-windows"
    if len(query.windows) > 1:
        shared = set.intersection(*(set(mentioned(t)) for t in patterns)) if patterns else set()
        if len(patterns) != 2 or len(in_windows) != 2 or grouped or not shared:
            yield "without-compound-window-joins"
