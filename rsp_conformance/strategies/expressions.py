"""Conditions, computed values and aggregates whose answers SPARQL 1.1 settles.

Left out are comparisons on which sound engines differ: ``<`` between IRIs, ``=`` and ``!=``
between literals that only one side can compare, and whatever differs from run to run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rsp_conformance.model.expressions import Aggregate, Expression, Variable
from rsp_conformance.model.terms import Literal
from rsp_conformance.strategies import functions, uncertainty, vocabulary
from rsp_conformance.strategies.functions import apply
from rsp_conformance.strategies.query_builder import NUMBER, RESOURCE, TEXT, TRUTH, QueryBuilder

ONE, TWO = vocabulary.integer(1), vocabulary.integer(2)


def condition(builder: QueryBuilder, scope: Sequence[Variable]) -> Expression | None:
    """A condition over variables of SCOPE; None where they allow none.

    An ordering comparison meets an error where its variable is unbound or stands for a text.
    """
    simple = simple_conditions(builder, scope)
    if not simple:
        return None
    first = builder.pick(simple)
    shape = builder.pick(("", "", "", "", "!", "||", "&&", "!"))
    if shape == "":
        return first
    if shape == "!":
        return apply("!", first)
    return apply(shape, first, builder.pick(simple))


def simple_conditions(builder: QueryBuilder, scope: Sequence[Variable]) -> list[Expression]:
    """Conditions over variables of SCOPE without a connective, the simplest first."""
    if builder.plan.has("function-filter"):
        found = functions.conditions(builder, scope)
        if found:
            return found
    if builder.plan.has("uncertain"):
        found = uncertainty.conditions(builder, scope)
        if found:
            return found
    return [*_about_numbers(builder, scope), *_about_terms(builder, scope)]


def _about_numbers(builder: QueryBuilder, scope: Sequence[Variable]) -> list[Expression]:
    numbers = [v for v in builder.of_kind(NUMBER) if v in scope]
    found: list[Expression] = []
    for n in numbers:
        found += [apply(">", n, ONE), apply("<", n, TWO), apply(">=", n, TWO), apply("<=", n, ONE)]
        if builder.number_domain() != vocabulary.MIXED:
            found += [apply("=", n, ONE), apply("!=", n, ONE)]
            found.append(apply("IN", n, ONE, vocabulary.integer(3)))
        found.append(apply(">", apply("+", n, ONE), TWO))
        if builder.limits.allow("functions"):
            found.append(apply(">", apply("COALESCE", n, TWO), ONE))
    if len(numbers) > 1:
        found += [apply("<", numbers[0], numbers[1]), apply(">=", numbers[0], numbers[1])]
    return found


def _about_terms(builder: QueryBuilder, scope: Sequence[Variable]) -> list[Expression]:
    a, b, c = vocabulary.RESOURCES[:3]
    resources = [v for v in builder.of_kind(RESOURCE) if v in scope]
    found: list[Expression] = []
    for v in resources:
        found += [apply("=", v, a), apply("!=", v, a), apply("IN", v, b, c)]
    if len(resources) > 1:
        found += [apply("=", *resources[:2]), apply("!=", *resources[:2])]
    if builder.limits.allow("functions"):
        found += [apply("BOUND", v) for v in scope if v in builder.unbound]
        for text in (v for v in builder.of_kind(TEXT) if v in scope):
            found.append(apply("=", apply("LANG", text), Literal("en")))
            found.append(apply("=", apply("STR", text), Literal("x")))
    return found


def computed(builder: QueryBuilder, scope: Sequence[Variable]) -> tuple[Expression, str]:
    """A value to BIND over SCOPE, and its kind. Over a text or nothing, arithmetic is an error."""
    options: list[tuple[Expression, str]] = []
    if builder.plan.has("function-bind"):
        options += functions.values(builder, scope)
    if builder.plan.has("uncertain"):
        options += uncertainty.values(builder, scope)
    if options:
        return builder.pick(options)
    for n in (v for v in builder.of_kind(NUMBER) if v in scope):
        options += [(apply("+", n, ONE), NUMBER), (apply("*", n, TWO), NUMBER)]
        options.append((apply("-", n, ONE), NUMBER))
        if not builder.limits.exact:
            options.append((apply("/", n, TWO), NUMBER))
        if builder.limits.allow("functions"):
            big = apply("IF", apply(">", n, ONE), Literal("many"), Literal("few"))
            options += [(apply("COALESCE", n, ONE), NUMBER), (big, TEXT)]
    for v in (v for v in builder.of_kind(RESOURCE) if v in scope):
        options.append((apply("=", v, vocabulary.RESOURCES[0]), TRUTH))
    if not options:
        options.append((vocabulary.RESOURCES[0], RESOURCE))
    return builder.pick(options)


def aggregates(
    builder: QueryBuilder, scope: Iterable[Variable], keys: Sequence[Variable] = ()
) -> list[Aggregate]:
    """The aggregates that are determined over SCOPE in groups by KEYS, the simplest first.

    SUM, MIN, MAX and AVG take variables that are always bound to numbers; SUM and AVG also to
    numbers and texts, where they are errors. AVG divides, and MIN and MAX choose among equal
    numbers, so neither is exact as a term. SAMPLE and GROUP_CONCAT, which choose and order, take
    what is one value in a group.
    """
    found = [Aggregate("COUNT", None)]
    variables = tuple(scope)
    domain = builder.number_domain() if builder.of_kind(NUMBER) else ()
    unequal = domain not in (vocabulary.INTEGERS, ())
    mixed = domain == vocabulary.MIXED
    allow = builder.limits.allow
    for n in (v for v in variables if builder.kinds[v] == NUMBER and v not in builder.unbound):
        found += [Aggregate("SUM", n)] * (3 if mixed else 1)
        if not mixed and not (builder.limits.exact and unequal):
            found += [Aggregate("MIN", n), Aggregate("MAX", n)]
        if not builder.limits.exact:
            found.append(Aggregate("AVG", n))
        found.append(Aggregate("COUNT", apply("+", n, ONE)))
        if allow("distinct") and not unequal:
            # No two terms are equal numbers.
            found += [Aggregate(name, n, distinct=True) for name in ("COUNT", "SUM")]
    for v in (v for v in variables if builder.kinds[v] == RESOURCE):
        found.append(Aggregate("COUNT", v))
        if allow("distinct"):
            found.append(Aggregate("COUNT", v, distinct=True))
    for key in keys:
        found.append(Aggregate("SAMPLE", key))
        if allow("functions") and not builder.plan.has("blank-nodes"):
            text = apply("STR", key)
            found.append(Aggregate("GROUP_CONCAT", text, separator="|"))
            if allow("distinct"):
                found.append(Aggregate("GROUP_CONCAT", text, distinct=True, separator="|"))
    return found
