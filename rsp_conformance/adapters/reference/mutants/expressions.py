"""Mutants of operators, functions and aggregates: not the value of SPARQL 1.1 (17, 18.5)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, Final

from rsp_conformance.adapters.reference.mutant import QUERY, MutatedRun, mutant
from rsp_conformance.adapters.reference.mutants.sparql import ONE, ZERO
from rsp_conformance.model.algebra import Filter, LeftJoin
from rsp_conformance.model.expressions import (
    Aggregate,
    Exists,
    Expression,
    FunctionCall,
    Operation,
)
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import (
    IRI,
    XSD,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_DOUBLE,
    XSD_INTEGER,
    Literal,
)
from rsp_conformance.model.walk import rewritten

_ORDERING: Final = ("<", ">", "<=", ">=")
_TESTS: Final = frozenset(
    (*_ORDERING, "=", "!=", "!", "&&", "||", "IN", "NOT IN", "BOUND", "REGEX", "SAMETERM")
)
"""Operators and functions that give a boolean, so no text with a language tag."""
_TRUE: Final = Literal("true", XSD_BOOLEAN)
_ERROR: Final = Operation("/", (ZERO, ZERO))


def _apply(name: str, *arguments: Expression) -> Operation:
    return Operation(name, arguments)


def _replaced(
    query: Query, names: Collection[str], change: Callable[[Operation], Expression]
) -> Query:
    """`query` with `change` in place of the operators and built-ins `names`."""

    def changed(part: Any) -> Any:
        return change(part) if isinstance(part, Operation) and part.name in names else part

    return rewritten(query, changed)


def _both(test: Callable[[Expression], Expression], part: Operation) -> Expression:
    left, right = part.arguments
    return _apply("&&", test(left), test(right))


def _if(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """`then` if `condition` is true; `otherwise` if it is false or an error."""
    return _apply(
        "IF", _apply("COALESCE", condition, Literal("false", XSD_BOOLEAN)), then, otherwise
    )


def _is_of(datatype: str) -> Callable[[Expression], Expression]:
    return lambda part: _apply("=", _apply("DATATYPE", part), IRI(datatype))


def _unequal(one: Expression, other: Expression) -> Expression:
    return _apply("!=", one, other)


def _text(part: Expression) -> Expression:
    return _apply("STR", part)


def _cast(datatype: str, part: Expression) -> Expression:
    return FunctionCall(IRI(datatype), (part,))


# Comparisons


@mutant(
    QUERY,
    "rdflib#630, 4store#26: dateTimes are compared as text",
    needs="filter typed-literals | bind typed-literals",
    where="two dateTimes in different timezones",
)
def datetime_as_text(query: Query, run: MutatedRun) -> Query:
    """``<`` and its like compare dateTimes by their texts."""
    return _ordered_as_text(query, _is_of(XSD_DATETIME))


def _ordered_as_text(query: Query, test: Callable[[Expression], Expression]) -> Query:
    """`query` with texts in place of operands that are ordered, if `test` holds of both."""

    def change(part: Operation) -> Expression:
        as_text = replace(part, arguments=tuple(map(_text, part.arguments)))
        return _if(_both(test, part), as_text, part)

    return _replaced(query, _ORDERING, change)


@mutant(
    QUERY,
    "engines whose values are strings: 10 comes before 9",
    needs="filter typed-literals | bind typed-literals",
    where="two numbers of different lengths, or a negative one",
)
def numbers_compared_as_text(query: Query, run: MutatedRun) -> Query:
    """``<`` and its like compare numbers by their texts."""
    return _ordered_as_text(query, lambda operand: _apply("ISNUMERIC", operand))


@mutant(
    QUERY,
    "engines that compare terms before they compare values",
    needs="filter typed-literals | bind typed-literals",
    where="NaN compared with itself",
)
def nan_equals_itself(query: Query, run: MutatedRun) -> Query:
    """``=`` holds of a term and itself, also if that is NaN."""

    def change(part: Operation) -> Expression:
        same = _apply("SAMETERM", *part.arguments)
        return _if(same, _TRUE if part.name == "=" else _apply("!", _TRUE), part)

    return _replaced(query, ("=", "!="), change)


@mutant(
    QUERY,
    "Oxigraph: NaN has no order",
    needs="filter typed-literals | bind typed-literals",
    where="an order of NaN and a number, negated or shown",
)
def nan_without_order(query: Query, run: MutatedRun) -> Query:
    """``<`` and its like are errors for NaN, and not false."""

    def is_nan(part: Expression) -> Expression:
        return _apply("&&", _apply("ISNUMERIC", part), _unequal(part, part))

    def change(part: Operation) -> Expression:
        left, right = part.arguments
        return _if(is_nan(left), _ERROR, _if(is_nan(right), _ERROR, part))

    return _replaced(query, _ORDERING, change)


@mutant(
    QUERY,
    "Oxigraph: only texts, numbers and times have an order",
    needs="filter typed-literals | bind typed-literals",
    where="an order of two booleans",
)
def booleans_without_order(query: Query, run: MutatedRun) -> Query:
    """``<`` and its like are errors for two booleans."""
    return _replaced(
        query, _ORDERING, lambda own: _if(_both(_is_of(XSD_BOOLEAN), own), _ERROR, own)
    )


@mutant(
    QUERY,
    "Oxigraph: IN is a disjunction, and one of nothing is an error",
    needs="filter-in | bind",
    where="IN or NOT IN with an empty list",
)
def empty_list_is_an_error(query: Query, run: MutatedRun) -> Query:
    """IN and NOT IN with an empty list are errors, and not false and true."""
    return _replaced(query, ("IN", "NOT IN"), lambda own: own if len(own.arguments) > 1 else _ERROR)


@mutant(
    QUERY,
    "Oxigraph: a text with a language tag is no text",
    needs="filter language-tags | bind language-tags | filter functions | bind functions",
    where="the truth of a text with a language tag: in FILTER, HAVING, IF, !, && or ||",
)
def tagged_text_without_truth(query: Query, run: MutatedRun) -> Query:
    """A text with a language tag is neither true nor false, but an error."""

    def truth(part: Expression) -> Expression:
        if isinstance(part, Exists) or (isinstance(part, Operation) and part.name in _TESTS):
            return part
        return _if(_unequal(_apply("LANG", part), Literal("")), _ERROR, part)

    def changed(part: Any) -> Any:
        match part:
            case Operation("!" | "&&" | "||", arguments):
                return replace(part, arguments=tuple(map(truth, arguments)))
            case Operation("IF", (condition, *others)):
                return replace(part, arguments=(truth(condition), *others))
            case Filter(condition):
                return replace(part, condition=truth(condition))
            case LeftJoin(condition=condition) if condition is not None:
                return replace(part, condition=truth(condition))
            case Query(having=having) if having:
                return replace(part, having=tuple(map(truth, having)))
        return part

    return rewritten(query, changed)


@mutant(
    QUERY,
    "instans#15: a comparison with an unbound variable is false",
    needs="filter | bind | having | order | aggregate-expressions",
    where="a comparison with an unbound variable, negated or shown",
)
def unbound_compares_false(query: Query, run: MutatedRun) -> Query:
    """A comparison that is an error is false, so that its negation is true."""
    return _replaced(
        query,
        (*_ORDERING, "=", "!="),
        lambda own: _apply("COALESCE", own, Literal("false", XSD_BOOLEAN)),
    )


@mutant(
    QUERY,
    "engines that parse more than they run",
    needs="filter-in",
    where="NOT IN",
)
def not_in_as_in(query: Query, run: MutatedRun) -> Query:
    """NOT IN is read as IN."""
    return _replaced(query, ("NOT IN",), lambda own: replace(own, name="IN"))


@mutant(
    QUERY,
    "planners that take !BOUND for a missing pattern",
    needs="filter filter-not | bind",
    where="BOUND of a variable that may be unbound",
)
def bound_always(query: Query, run: MutatedRun) -> Query:
    """BOUND is true of every variable that the query speaks of."""
    return _replaced(query, ("BOUND",), lambda own: _TRUE)


# Arithmetic


@mutant(
    QUERY,
    "virtuoso-opensource#475: the quotient of integers is cut",
    needs="bind typed-literals",
    where="a division of two integers that leaves a rest",
)
def division_cut(query: Query, run: MutatedRun) -> Query:
    """The quotient of two integers is an integer."""
    return _replaced(
        query,
        ("/",),
        lambda own: _if(_both(_is_of(XSD_INTEGER), own), _cast(XSD_INTEGER, own), own),
    )


@mutant(
    QUERY,
    "engines that compute in doubles alone",
    needs="bind typed-literals",
    where="a sum, difference or product of integers or decimals",
)
def arithmetic_in_doubles(query: Query, run: MutatedRun) -> Query:
    """What + - * compute is an xsd:double, whatever they compute with."""
    return _replaced(
        query,
        ("+", "-", "*"),
        lambda own: _cast(XSD_DOUBLE, own) if len(own.arguments) == 2 else own,
    )


@mutant(
    QUERY,
    "parsers that read - as a sign of the constant behind it",
    needs="bind typed-literals",
    where="a difference",
)
def difference_reversed(query: Query, run: MutatedRun) -> Query:
    """``a - b`` is computed as ``b - a``."""
    return _replaced(query, ("-",), lambda own: replace(own, arguments=own.arguments[::-1]))


@mutant(
    QUERY,
    "engines that round half to even, as IEEE 754 does",
    needs="bind functions",
    where="ROUND of a half",
)
def round_half_down(query: Query, run: MutatedRun) -> Query:
    """ROUND takes a half to the lesser neighbour."""

    def change(call: Operation) -> Expression:
        (argument,) = call.arguments
        half = Literal("0.5", XSD + "decimal")
        return _apply("CEIL", _apply("-", argument, half))

    return _replaced(query, ("ROUND",), change)


# Functions


@mutant(
    QUERY,
    "engines in Java and JavaScript, whose strings are UTF-16",
    needs="functions",
    where="STRLEN of a text with a character beyond the basic multilingual plane",
)
def strlen_in_utf16(query: Query, run: MutatedRun) -> Query:
    """STRLEN counts a character beyond U+FFFF twice."""
    beyond, twice = Literal("[\U00010000-\U0010ffff]"), Literal("xx")

    def change(call: Operation) -> Expression:
        (text,) = call.arguments
        return _apply("STRLEN", _apply("REPLACE", text, beyond, twice))

    return _replaced(query, ("STRLEN",), change)


@mutant(
    QUERY,
    "engines that count characters from 0",
    needs="functions",
    where="SUBSTR from the second character on",
)
def substr_from_zero(query: Query, run: MutatedRun) -> Query:
    """SUBSTR counts characters from 0."""

    def change(call: Operation) -> Expression:
        text, start, *length = call.arguments
        return _apply("SUBSTR", text, _apply("+", start, ONE), *length)

    return _replaced(query, ("SUBSTR",), change)


@mutant(
    QUERY,
    "engines whose expressions match a text from end to end",
    needs="functions",
    where="REGEX that matches a part of a text",
)
def regex_anchored(query: Query, run: MutatedRun) -> Query:
    """REGEX matches whole texts alone."""

    def change(call: Operation) -> Expression:
        text, pattern, *flags = call.arguments
        whole = _apply("CONCAT", Literal("^(?:"), pattern, Literal(")$"))
        return _apply("REGEX", text, whole, *flags)

    return _replaced(query, ("REGEX",), change)


@mutant(
    QUERY,
    "engines that parse more than they run",
    needs="functions",
    where="REGEX or REPLACE with flags that matter",
)
def regex_flags_ignored(query: Query, run: MutatedRun) -> Query:
    """The flags of REGEX and REPLACE are parsed and never applied."""
    numbers = {"REGEX": 2, "REPLACE": 3}
    return _replaced(
        query, numbers, lambda own: replace(own, arguments=own.arguments[: numbers[own.name]])
    )


@mutant(
    QUERY,
    "engines whose language ranges are texts",
    needs="functions language-tags",
    where="LANGMATCHES of a tag with a region, or in other case",
)
def langmatches_by_text(query: Query, run: MutatedRun) -> Query:
    """LANGMATCHES holds if tag and range are one text, or the range is ``*``."""

    def change(call: Operation) -> Expression:
        tag, wanted = call.arguments
        return call if wanted == Literal("*") else _apply("=", tag, wanted)

    return _replaced(query, ("LANGMATCHES",), change)


@mutant(
    QUERY,
    "engines that evaluate the arguments of a function before it",
    needs="functions bind",
    where="IF or COALESCE with an error in an argument that is not chosen",
)
def if_evaluates_both(query: Query, run: MutatedRun) -> Query:
    """IF and COALESCE are errors if any of their arguments is one."""

    def change(part: Operation) -> Expression:
        found: Expression = part
        for argument in part.arguments:
            found = _apply("IF", _apply("SAMETERM", argument, argument), found, _ERROR)
        return found

    return _replaced(query, ("IF", "COALESCE"), change)


@mutant(
    QUERY,
    "engines whose functions forget the language of a text",
    needs="functions language-tags",
    where="a function of a text with a language tag",
)
def functions_lose_language(query: Query, run: MutatedRun) -> Query:
    """UCASE, LCASE, SUBSTR, STRBEFORE, STRAFTER and REPLACE give a text without language tag."""
    names = {"UCASE", "LCASE", "SUBSTR", "STRBEFORE", "STRAFTER", "REPLACE"}
    return _replaced(query, names, _text)


@mutant(
    QUERY,
    "engines that know the truth values' names alone",
    needs="functions typed-literals",
    where="a cast to xsd:boolean from a number",
)
def boolean_cast_by_name(query: Query, run: MutatedRun) -> Query:
    """xsd:boolean casts ``true`` and ``false`` alone; 0, 1 and other numbers are errors."""

    def change(part: Any) -> Any:
        if not isinstance(part, FunctionCall) or part.function.value != XSD_BOOLEAN:
            return part
        (value,) = part.arguments
        named = _apply("IN", _text(value), Literal("true"), Literal("false"))
        return _apply("IF", named, part, _ERROR)

    return rewritten(query, change)


# Aggregates


def _aggregated(
    query: Query, names: tuple[str, ...], change: Callable[[Aggregate], Expression]
) -> Query:
    """`query` with `change` in place of the aggregates `names`."""

    def changed(part: Any) -> Any:
        return change(part) if isinstance(part, Aggregate) and part.name in names else part

    return rewritten(query, changed, (Aggregate, Exists))


@mutant(
    QUERY,
    "arc2#99, arc2#100: averages are rounded",
    needs="aggregates typed-literals",
    where="an AVG that is no whole number",
)
def average_rounded(query: Query, run: MutatedRun) -> Query:
    """AVG is rounded to a whole number."""
    return _aggregated(query, ("AVG",), lambda own: _apply("ROUND", own))


@mutant(
    QUERY,
    "engines that count unbound values with the others",
    needs="aggregates typed-literals",
    where="AVG with DISTINCT of equal numbers",
)
def distinct_average_of_all(query: Query, run: MutatedRun) -> Query:
    """DISTINCT in AVG and SUM is parsed and never applied."""
    return _aggregated(query, ("AVG", "SUM"), lambda own: replace(own, distinct=False))


@mutant(
    QUERY,
    "engines whose values are strings: the greatest of 10 and 9 is 9",
    needs="aggregates typed-literals",
    where="MIN or MAX of integers of different lengths, or of a negative one",
)
def extremes_as_text(query: Query, run: MutatedRun) -> Query:
    """MIN and MAX compare integers by their texts."""

    def change(extreme: Aggregate) -> Expression:
        assert extreme.argument is not None
        least = replace(extreme, argument=_text(extreme.argument))
        return _if(_is_of(XSD_INTEGER)(extreme), _cast(XSD_INTEGER, least), extreme)

    return _aggregated(query, ("MIN", "MAX"), change)


@mutant(
    QUERY,
    "Comunica: an aggregate takes the values of literals",
    needs="aggregates",
    where="MIN or MAX of IRIs or of blank nodes",
)
def extremes_of_literals(query: Query, run: MutatedRun) -> Query:
    """MIN and MAX of IRIs and blank nodes are errors."""
    return _aggregated(
        query,
        ("MIN", "MAX"),
        lambda own: _apply("IF", _apply("ISLITERAL", own), own, _ERROR),
    )


@mutant(
    QUERY,
    "engines that join with one separator",
    needs="aggregates",
    where="GROUP_CONCAT with a SEPARATOR of its own, of two values",
)
def separator_ignored(query: Query, run: MutatedRun) -> Query:
    """GROUP_CONCAT's SEPARATOR is parsed and never applied."""
    return _aggregated(query, ("GROUP_CONCAT",), lambda own: replace(own, separator=None))


def _joined_by_blanks_as_text(query: Query, run: MutatedRun) -> Query:
    def change(own: Aggregate) -> Aggregate:
        if own.separator != "" or own.argument is None:
            return own
        return replace(own, separator=None, argument=_text(own.argument))

    return _aggregated(query, ("GROUP_CONCAT",), change)


@mutant(
    QUERY,
    "Comunica: an empty separator is taken for a missing one, whatever is joined",
    needs="aggregates",
    where='GROUP_CONCAT with SEPARATOR = "", of two values',
    otherwise=(_joined_by_blanks_as_text,),
)
def empty_separator_ignored(query: Query, run: MutatedRun) -> Query:
    """GROUP_CONCAT with an empty SEPARATOR joins with a blank."""
    return _aggregated(
        query, ("GROUP_CONCAT",), lambda own: replace(own, separator=own.separator or None)
    )


@mutant(
    QUERY,
    "engines that evaluate an aggregate's expression once a group",
    needs="aggregate-expressions",
    where="an aggregate of an expression",
)
def count_of_expression_as_all(query: Query, run: MutatedRun) -> Query:
    """COUNT of an expression counts rows, also those in which it is an error."""
    return _aggregated(
        query, ("COUNT",), lambda own: own if own.distinct else replace(own, argument=None)
    )


@mutant(
    QUERY,
    "Oxigraph: GROUP_CONCAT is CONCAT of a group",
    needs="aggregates language-tags | aggregates functions",
    where="GROUP_CONCAT of texts with one language tag",
)
def concatenation_keeps_language(query: Query, run: MutatedRun) -> Query:
    """GROUP_CONCAT of texts with one language tag has that tag."""

    def change(own: Aggregate) -> Expression:
        assert own.argument is not None
        tags = _apply("LANG", own.argument)
        first, last = (Aggregate(name, tags) for name in ("MIN", "MAX"))
        is_tagged = _apply("&&", _apply("=", first, last), _unequal(first, Literal("")))
        return _if(is_tagged, _apply("STRLANG", own, first), own)

    return _aggregated(query, ("GROUP_CONCAT",), change)
