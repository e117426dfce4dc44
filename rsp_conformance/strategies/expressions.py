"""Conditions, computed values and aggregates whose answers the specifications settle.

``expressions.toml`` lists them in RSP-QL, the simplest first.

Some are errors for some of the terms that they meet (SPARQL 1.1, 17). Excluded is everything on
which correct engines differ: ``<`` between IRIs, ``=`` and ``!=`` between literals that an engine
may not be able to compare, values that differ from run to run and, if numbers compare as terms,
results whose lexical form SPARQL leaves open. Probabilities (*Uncertainty*, Definitions 3-7 and 14)
are compared with thresholds that none of them is near, and are shown only if the profile states a
tolerance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from rsp_conformance.model.algebra import BGP, Filter
from rsp_conformance.model.expressions import Aggregate, Expression, Operation, Variable
from rsp_conformance.model.query import Query
from rsp_conformance.model.tables import read_table
from rsp_conformance.model.terms import XSD
from rsp_conformance.model.uncertainty import RSPU
from rsp_conformance.model.usage import query_features
from rsp_conformance.model.walk import subexpressions, substituted
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.query_builder import (
    NUMBER,
    RESOURCE,
    TEXT,
    TRUTH,
    UNCERTAIN,
    QueryBuilder,
)
from rsp_conformance.text.parse import parse_query

Option = tuple[str, Mapping[str, Expression]]
"""The text of an expression with placeholders, and the variables or terms for them."""

Value = tuple[Expression, str]
"""An expression and the kind of its values."""


_TEXTS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    section: {name: tuple(lines.splitlines()) for name, lines in texts.items()}
    for section, texts in read_table(__name__, "expressions.toml").items()
}
_CONDITIONS, _CALLS = _TEXTS["conditions"], _TEXTS["calls"]
_VALUES, _FUNCTIONS, _UNCERTAIN = _TEXTS["values"], _TEXTS["functions"], _TEXTS["uncertain"]


@cache
def _selected(text: str) -> Query:
    """The query that selects the value of an expression."""
    prologue = f"PREFIX : <{vocabulary.NAMESPACE}> PREFIX xsd: <{XSD}> PREFIX rspu: <{RSPU}>"
    return parse_query(f"{prologue} SELECT ({text} AS ?value) {{ }}")


@cache
def _parsed(text: str) -> Expression:
    (projection, *_) = _selected(text).projection or ()
    assert projection.expression is not None
    return projection.expression


@cache
def _needed(text: str, filtered: bool) -> frozenset[str]:
    """The features that an expression needs, in FILTER or as a value."""
    query, expression = _selected(text), _parsed(text)
    if filtered:
        query = replace(query, projection=None, pattern=Filter(expression, BGP()))
    needed = set(query_features(query) - {"select", "bind"})
    for part in subexpressions(expression):
        if isinstance(part, Operation) and part.name in ("+", "-", "*", "/"):
            needed.add("arithmetic")
        if isinstance(part, Aggregate) and part.name in ("SAMPLE", "GROUP_CONCAT"):
            needed.add("sample")
    return frozenset(needed)


def _permitted(
    builder: QueryBuilder, options: Iterable[Option], *, filtered: bool = False
) -> list[Option]:
    """The options that the engine takes, in FILTER or as values."""
    features = builder.limits.features
    return [
        option
        for option in options
        if features >= _needed(option[0].partition(": ")[2] or option[0], filtered)
    ]


def written(text: str, **variables: Expression) -> Expression:
    """Parse an expression, and substitute ``variables`` for those of the same names in it."""
    return substituted(_parsed(text), {Variable(name): own for name, own in variables.items()})


def apply(name: str, *arguments: Expression) -> Operation:
    """Return the operator or built-in ``name`` on ``arguments``."""
    return Operation(name, arguments)


def _about(texts: Iterable[str], **variables: Expression) -> list[Option]:
    return [(text, variables) for text in texts]


def _scoped(builder: QueryBuilder, scope: Sequence[Variable]) -> Callable[[str], list[Variable]]:
    return lambda kind: [variable for variable in builder.of_kind(kind) if variable in scope]


def condition(builder: QueryBuilder, scope: Sequence[Variable]) -> Expression | None:
    """Draw a condition over variables in ``scope``.

    An ordering comparison is an error if its variable is unbound or bound to a text.

    Returns:
        The condition, or None if these variables allow none.
    """
    first = simple_condition(builder, scope)
    if first is None:
        return None
    shapes = ("", "", "", "!", "||", "&&", "!", "||")
    negates = builder.limits.allow("filter-not")
    shape = builder.pick([shape for shape in shapes if negates or shape != "!"])
    if shape in ("", "!"):
        return apply("!", first) if shape else first
    second = simple_condition(builder, scope)
    return first if second is None else apply(shape, first, second)


def simple_condition(builder: QueryBuilder, scope: Sequence[Variable]) -> Expression | None:
    """Draw a condition without connective over ``scope``; None if these variables allow none."""
    of = _scoped(builder, scope)
    options: list[Option] = []
    if builder.plan.has("function-filter"):
        options = _calls(builder, of)
    if not options and builder.plan.has("uncertain"):
        options = threshold_conditions(of(UNCERTAIN))
    if not options:
        options = [*_about_numbers(builder, of(NUMBER)), *_about_terms(builder, scope)]
        options = _permitted(builder, options, filtered=True)
    if not options:
        return None
    text, variables = builder.pick(options)
    return written(text, **variables)


def _calls(builder: QueryBuilder, of: Callable[[str], list[Variable]]) -> list[Option]:
    """Conditions that call functions (SPARQL 1.1, 17.4 and 17.5)."""
    found: list[Option] = []
    for t in of(TEXT):
        found += _about(_CALLS["text"], t=t)
    for n in of(NUMBER):
        found += _about(_CALLS["number"], n=n)
    for r in of(RESOURCE)[:2]:
        found += _about(_CALLS["resource"], r=r)
    return _permitted(builder, found, filtered=True)


def threshold_conditions(distributions: Sequence[Variable]) -> list[Option]:
    """Return all comparisons of a probability with a threshold, of one distribution or of two."""
    found: list[Option] = []
    for d in distributions:
        found += _about(_CONDITIONS["distribution"], d=d)
    if len(distributions) > 1:
        d, e, *_ = distributions
        found += _about(_CONDITIONS["two-distributions"] * 2, d=d, e=e)
    return found


def _about_numbers(builder: QueryBuilder, numbers: Sequence[Variable]) -> list[Option]:
    found: list[Option] = []
    for n in numbers:
        found += _about(_CONDITIONS["number"] * 2, n=n)
        if builder.number_domain() != vocabulary.MIXED:
            found += _about(_CONDITIONS["numbers-alone"], n=n)
        found += _about(_CONDITIONS["computed-number"], n=n)
    if len(numbers) > 1:
        found += _about(_CONDITIONS["two-numbers"], n=numbers[0], m=numbers[1])
    return found


def _about_terms(builder: QueryBuilder, scope: Sequence[Variable]) -> list[Option]:
    of = _scoped(builder, scope)
    found: list[Option] = []
    for r in of(RESOURCE):
        found += _about(_CONDITIONS["resource"], r=r)
    if len(of(RESOURCE)) > 1:
        r, s, *_ = of(RESOURCE)
        found += _about(_CONDITIONS["two-resources"], r=r, s=s)
    for variable in scope:
        if variable in builder.unbound:
            found += _about(_CONDITIONS["unbound"], v=variable)
    for t in of(TEXT):
        found += _about(_CONDITIONS["tagged"], t=t)
    if builder.plan.has("odd-strings"):
        for t in of(TEXT):
            found += _about(_CONDITIONS["odd-text"] * 2, t=t, odd=builder.text_domain()[0])
    return found


def computed(builder: QueryBuilder, scope: Sequence[Variable], *, filtered: bool = False) -> Value:
    """Draw a value to BIND over ``scope``; arithmetic on a text or an unbound variable is an error.

    Args:
        builder: the builder of the query.
        scope: the variables that the value may mention.
        filtered: whether a condition may have the expression in place of the variable.

    Returns:
        The expression, and the kind of its values.
    """
    of = _scoped(builder, scope)
    options: list[Option] = []
    if builder.plan.has("function-bind"):
        options += _function_values(builder, of)
    if builder.plan.has("uncertain"):
        options += _uncertain_values(builder, of(UNCERTAIN))
    if not options:
        options = _simple_values(builder, of)
    options = _permitted(builder, options)
    if filtered:
        options = _permitted(builder, options, filtered=True)
    if not options:
        return vocabulary.RESOURCES[0], RESOURCE
    line, variables = builder.pick(options)
    kind, _, text = line.partition(": ")
    return written(text, **variables), kind


def _simple_values(builder: QueryBuilder, of: Callable[[str], list[Variable]]) -> list[Option]:
    texts = _VALUES["number"] + _VALUES["quotient"] + _VALUES["number-choice"]
    found: list[Option] = []
    for n in of(NUMBER):
        found += _about(texts, n=n)
    for r in of(RESOURCE):
        found += _about(_VALUES["resource"], r=r)
    return found


def _function_values(builder: QueryBuilder, of: Callable[[str], list[Variable]]) -> list[Option]:
    found: list[Option] = []
    for t in of(TEXT):
        found += _about(_FUNCTIONS["text"], t=t)
    for n in of(NUMBER):
        found += _about(_FUNCTIONS["number"], n=n)
        if builder.number_domain() in (vocabulary.INTEGERS, vocabulary.MIXED):
            found += _about(_FUNCTIONS["settled-number"], n=n)
        found += _about(_FUNCTIONS["inexact-number"], n=n)
    for r in of(RESOURCE)[:2]:
        found += _about(_FUNCTIONS["resource"], r=r)
    return found


def _uncertain_values(builder: QueryBuilder, distributions: Sequence[Variable]) -> list[Option]:
    found: list[Option] = [
        (f"{TRUTH}: {text}", bound) for text, bound in threshold_conditions(distributions)
    ]
    for d in distributions:
        if not builder.limits.exact:
            found += _about(_UNCERTAIN["sum"], d=d)
        if builder.limits.tolerant:
            found += _about(_UNCERTAIN["probability"] * 3, d=d)
        found += _about(_UNCERTAIN["error"], d=d)
    if len(distributions) > 1 and builder.limits.tolerant:
        found += _about(
            _UNCERTAIN["probability-of-two"] * 3, d=distributions[0], e=distributions[1]
        )
    return found


def aggregate(
    builder: QueryBuilder,
    scope: Iterable[Variable],
    keys: Sequence[Variable] = (),
    *,
    average: bool = True,
) -> Expression:
    """Draw an aggregate whose value over ``scope``, in groups by ``keys``, is determined.

    SUM, MIN, MAX and AVG take variables that are always bound to numbers. SUM also takes variables
    for numbers and texts, on which it is an error. MIN and MAX choose among equal numbers, so they
    are not exact if numbers compare as terms. An engine may choose the digits and the form of an
    AVG if SPARQL leaves them open (``sparql.open_points``). SAMPLE chooses and GROUP_CONCAT depends
    on an order, so they take variables with a single value per group.

    Args:
        builder: the builder of the query.
        scope: the variables that are aggregated.
        keys: the variables that the rows are grouped by.
        average: whether AVG may be drawn.
    """
    options = _about(("COUNT(*)",))
    variables = tuple(scope)
    domain = builder.number_domain() if builder.of_kind(NUMBER) else ()
    unequal = domain not in (vocabulary.INTEGERS, ())
    mixed = domain == vocabulary.MIXED
    exact = builder.limits.exact
    for n in (v for v in variables if builder.kinds[v] == NUMBER and v not in builder.unbound):
        texts = ["SUM(?n)"] * (8 if mixed else 1)
        if not mixed and not (exact and unequal):
            texts += ["MIN(?n)", "MAX(?n)"]
        # AVG over errors only is open, so it is not asked of texts.
        texts += ["AVG(?n)"] * (average and not mixed)
        texts.append("COUNT(?n + 1)")
        if not unequal:
            # No two terms are equal numbers.
            texts += ["COUNT(DISTINCT ?n)", "SUM(DISTINCT ?n)"]
        options += _about(texts, n=n)
    for r in (v for v in variables if builder.kinds[v] == RESOURCE):
        options += _about(("COUNT(?r)", "COUNT(DISTINCT ?r)"), r=r)
    if not unequal and not builder.plan.has("paths"):
        # Whether it counts the nodes within a path is open (`open_points.NODES_BETWEEN`).
        options += _about(("COUNT(DISTINCT *)",))
    for key in keys:
        options += _about(("SAMPLE(?k)",), k=key)
        if not builder.plan.has("blank-nodes"):
            joined = 'GROUP_CONCAT({}STR(?k) ; SEPARATOR = "|")'
            options += _about(map(joined.format, ("", "DISTINCT ")), k=key)
    text, bound = builder.pick(_permitted(builder, options))
    return written(text, **bound)
