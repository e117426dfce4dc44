"""Calls drawn from a table of signatures: every function, on every kind of term.

A function that only gets the arguments it is made for shows half of its behaviour. If the engine
has an error and SPARQL wants a value, an answer is missing; if it has a value and SPARQL wants an
error, there is a row too many. So most calls have one argument of any kind, and the others of the
kind that the function is made for (``signatures.toml``), because an engine that stops at the first
error looks at no second one. Operators on two terms of any kind, such as ``=`` and ``+``, have two
of them.

Shown values have a settled form. If numbers compare as terms, a computed number is compared within
the query (``STRLEN(?t) / 2 < 1``); a computed dateTime is so under every profile.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Protocol, TypeVar

from rsp_conformance.model.algebra import Values
from rsp_conformance.model.expressions import (
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.tables import read_table
from rsp_conformance.model.terms import (
    IRI,
    RDF_LANGSTRING,
    XSD,
    XSD_DATETIME,
    XSD_STRING,
    Literal,
    Term,
)
from rsp_conformance.model.walk import within
from rsp_conformance.strategies import vocabulary
from rsp_conformance.strategies.limits import Limits
from rsp_conformance.strategies.query_builder import (
    NAME,
    NUMBER,
    RESOURCE,
    TEXT,
    TRUTH,
)
from rsp_conformance.text.parse import parse_query

T = TypeVar("T")

UNBOUND = Variable("none")
"""A variable that no pattern binds."""

_ARITHMETIC = frozenset(("+", "-", "*", "/", "UNARY+", "UNARY-"))
_COMPARISONS = ("=", "!=", "<", ">", "<=", ">=")
_ORDERS = _COMPARISONS[2:]
_OF_TWO_TERMS = (*_COMPARISONS, "+", "-", "*", "/")
_CONNECTIVES = frozenset(("!", "||", "&&"))
_LISTS = frozenset(("IN", "NOT IN"))
_OF_TRIPLES = frozenset(("ISTRIPLE", "SUBJECT", "PREDICATE", "OBJECT", "TRIPLE"))
_ALSO_OF_TRIPLES = frozenset(("=", "SAMETERM"))
_OPERATORS = _ARITHMETIC | _CONNECTIVES | _LISTS | frozenset(_COMPARISONS)

_OPERATOR_WEIGHT = 7
"""How many times operators on two terms are among the functions.

With it, six calls in ten are comparisons and arithmetic. These have 2,250 pairs of kinds to meet,
as many as all functions have kinds of single arguments.
"""

_HOW = ("any", "any", "given", "turned", "given", "turned", "meant", "given")
"""The operands of an operator.

They are any terms, the given variables in their order or ``turned`` around, or as they are meant.
"""

_SAMPLES = 13
"""The number of terms of each kind to draw from; a kind with fewer terms repeats them.

A pick of 256 options has room for no more, with the weights below.
"""

_UNBOUND_WEIGHT, _ERROR_WEIGHT = 2, 5
"""How many times as frequent as a kind of terms are unbound variables, and errors.

VALUES contain no errors and have unbound variables as one kind only. With these weights `=` meets
all kinds about equally often.
"""

_VARIABLE_KINDS = {
    "text": (TEXT,),
    "simple": (TEXT,),
    "part": (TEXT,),
    "number": (NUMBER,),
    "truth": (TRUTH,),
    "resource": (RESOURCE, NAME),
    "reference": (RESOURCE, NAME),
}
"""The kinds of variables for each kind that an argument is meant to have."""

_NESTED = {
    "any": ("truth", "text", "integer", "resource"),
    "number": ("number", "integer"),
    "text": ("text",),
    "simple": ("text",),
    "part": ("text",),
    "truth": ("truth",),
    "moment": ("moment",),
}
"""The kinds of values that a call within a call may have, by the kind of the argument.

A computed number has no settled form to be looked at, so it is not a term of `any` kind.
"""


@dataclass(frozen=True, slots=True)
class Signature:
    """A function: the kinds of its arguments, and the kind of its value.

    Attributes:
        name: the function's name; ``xsd:…`` is a cast.
        places: the kind that each argument is meant to have.
        least: how many arguments it must have.
        repeated: whether the last argument may be repeated.
        result: the kind of its value.
    """

    name: str
    places: tuple[str, ...]
    least: int
    repeated: bool
    result: str

    def apply(self, arguments: Sequence[Expression]) -> Expression:
        """Return the function on these arguments."""
        if self.name.startswith("xsd:"):
            return FunctionCall(IRI(XSD + self.name[4:]), tuple(arguments))
        return Operation(self.name, tuple(arguments))

    @property
    def needs(self) -> frozenset[str]:
        """The features that the function needs as a value.

        A language without IN in FILTER has none in BIND either.
        """
        if self.name in _ARITHMETIC:
            return frozenset(("arithmetic",))
        if self.name in _LISTS | {"!"}:
            return frozenset(("filter-in" if self.name in _LISTS else "filter-not",))
        if self.name in _OF_TRIPLES:
            # TRIPLE may get a quoted triple as its subject, which only RDF-star allows.
            own = "rdf-star" if self.name == "TRIPLE" else "triple-terms"
            return frozenset(("other-functions", "triple-terms", own))
        return frozenset() if self.name in _OPERATORS else frozenset(("other-functions",))

    @property
    def needs_in_filter(self) -> frozenset[str]:
        """The features that the function needs in FILTER."""
        return frozenset("filter-functions" if n == "other-functions" else n for n in self.needs)


def _signature(name: str, text: str) -> Signature:
    arguments, _, result = text.partition(" -> ")
    places = arguments.split()
    return Signature(
        name,
        tuple(place.rstrip("?*") for place in places),
        sum(place[-1] not in "?*" for place in places),
        arguments.endswith("*"),
        result,
    )


_TABLE: Mapping[str, Mapping[str, str]] = read_table(__name__, "signatures.toml")
FUNCTIONS = tuple(_signature(name, text) for name, text in _TABLE["functions"].items())
"""All functions and operators of ``signatures.toml``."""

AGGREGATES = tuple(_signature(name, text) for name, text in _TABLE["aggregates"].items())
"""All aggregates of ``signatures.toml``."""

_PROLOGUE = f"PREFIX : <{vocabulary.NAMESPACE}> PREFIX xsd: <{XSD}>"


@cache
def parsed_terms(text: str) -> tuple[IRI | Literal, ...]:
    """Return the terms that are listed in a text."""
    inline = parse_query(f"{_PROLOGUE} SELECT * {{ VALUES ?v {{ {text} }} }}").pattern
    assert isinstance(inline, Values)
    return tuple(term for (term,) in inline.rows if isinstance(term, (IRI, Literal)))


@cache
def _plain(table: str) -> tuple[Expression, ...]:
    """The expressions of a section of the table, ``errors`` or ``triples``."""
    text = ", ".join(_TABLE[table]["plain"].split())
    projection = parse_query(f"{_PROLOGUE} SELECT (COALESCE({text}) AS ?v) {{ }}").projection
    assert projection is not None and isinstance(projection[0].expression, Operation)
    return projection[0].expression.arguments


def allowed(term: Term, limits: Limits) -> bool:
    """Return whether limits allow a literal or IRI."""
    if not isinstance(term, Literal):
        return True
    if term.language is not None and not limits.allow("language-tags"):
        return False
    if term.datatype not in (XSD_STRING, RDF_LANGSTRING):
        return limits.allow("typed-literals")
    plain = term.lexical.isascii() and term.lexical.isalnum()
    return plain or limits.allow("odd-strings")


@dataclass(frozen=True, slots=True)
class Menu:
    """The parts from which calls are made under some limits.

    Attributes:
        functions: the functions, frequent ones repeatedly.
        by_result: the functions that may be nested in an argument, by the argument's kind.
        constants: terms of all kinds, equally many of each, with unbound variables and errors.
        terms: terms of all kinds, equally many of each; None is an unbound variable.
        meant: the constants for an argument, by the kind that it is meant to have.
    """

    functions: tuple[Signature, ...]
    by_result: Mapping[str, tuple[Signature, ...]]
    constants: tuple[Expression, ...]
    terms: tuple[Term | None, ...]
    meant: Mapping[str, tuple[Expression, ...]]


def _constants(text: str, limits: Limits) -> tuple[IRI | Literal, ...]:
    """The terms of a text that limits allow."""
    terms = parsed_terms(text) if text else ()
    return tuple(term for term in terms if allowed(term, limits))


def _in_turn(*kinds: Sequence[T]) -> tuple[T, ...]:
    """``_SAMPLES`` members of each kind, one of each kind after the other."""
    return tuple(own[number % len(own)] for number in range(_SAMPLES) for own in kinds)


def _is_within(expression: Expression, limits: Limits) -> bool:
    """Whether limits allow all literals of an expression."""
    return all(allowed(part, limits) for part in within(expression) if isinstance(part, Literal))


@lru_cache(maxsize=64)
def menu(limits: Limits, *, filtered: bool = False) -> Menu:
    """Return the parts from which calls are made under limits, in FILTER or as values."""
    functions = [
        f for f in FUNCTIONS if limits.allow(*(f.needs_in_filter if filtered else f.needs))
    ]
    pairs = [f for f in functions if f.name in _OF_TWO_TERMS]
    taken = (_constants(text, limits) for text in _TABLE["kinds"].values())
    kinds = [terms for terms in taken if terms]
    beside: list[Sequence[Expression]] = [(UNBOUND,)] * _UNBOUND_WEIGHT
    if limits.allow("other-functions" if not filtered else "filter-functions", "arithmetic"):
        errors = [error for error in _plain("errors") if _is_within(error, limits)]
        beside += [errors] * _ERROR_WEIGHT
    by_result: dict[str, tuple[Signature, ...]] = {
        place: tuple(f for f in functions if f.result in results)
        for place, results in _NESTED.items()
    }
    long = [f for f in functions if len(f.places) > 2]
    meant: dict[str, tuple[Expression, ...]] = {
        place: _constants(text, limits) for place, text in _TABLE["meant"].items()
    }
    takes_triples = any(f.name == "ISTRIPLE" for f in functions)
    meant["triple"] = _plain("triples") if takes_triples else ()
    return Menu(
        functions=(*functions, *long, *pairs * (_OPERATOR_WEIGHT - 1)),
        by_result=by_result,
        constants=_in_turn(*kinds, *beside),
        terms=_in_turn(*kinds, (None,)),
        meant=meant,
    )


class Picks(Protocol):
    """A source of picks: the draws of a case, or a row of them."""

    def pick(self, options: Sequence[T]) -> T:
        """Return one of ``options``, the simplest of which come first."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Makes calls over variables and terms.

    Attributes:
        picks: the source of picks.
        limits: what the query may contain.
        scope: the variables in scope, by kind.
        given: further variables, bound to terms of any kind.
        in_arithmetic: whether arithmetic on variables is settled: none can be a dateTime.
        filtered: whether the calls are in FILTER.
    """

    picks: Picks
    limits: Limits
    scope: Mapping[Variable, str]
    given: Sequence[Variable] = ()
    in_arithmetic: bool = True
    filtered: bool = False

    @property
    def menu(self) -> Menu:
        """The parts from which calls are made."""
        return menu(self.limits, filtered=self.filtered)

    def value(self) -> Expression:
        """Return a call whose value may be shown."""
        expression, result = self._call(self.picks.pick(self.menu.functions))
        return self.shown(expression, result)

    def argument(self, aggregate: Signature) -> Expression:
        """Return an argument of an aggregate: often of any kind, otherwise as it is meant to be."""
        (place,) = aggregate.places
        kind = self.picks.pick(("any", "meant", "any", "call"))
        if aggregate.name == "AVG":  # it is open over errors only
            kind = self.picks.pick(("meant", "meant", "meant", kind))
        if kind == "call":
            return self._call(self.picks.pick(self.menu.functions))[0]
        return self._any() if kind == "any" else self._meant(place, inner=False)

    def shown(self, expression: Expression, result: str) -> Expression:
        """Return the expression, or a comparison with it if its lexical form is seldom settled."""
        if result == "moment":
            constant = self.picks.pick(self.menu.meant[result] or self.menu.constants)
            return Operation(self.picks.pick(("<", "=", ">=")), (expression, constant))
        return expression

    def _call(self, function: Signature, *, inner: bool = False) -> tuple[Expression, str]:
        """A function on arguments, and the kind of its value; an inner call has none within it."""
        if function.name == "BOUND":
            variable = self.picks.pick((*self.given, *self.scope, UNBOUND))
            return Operation("BOUND", (variable,)), "truth"
        places = self._places(function)
        triples = self.menu.meant["triple"] if function.name in _ALSO_OF_TRIPLES else ()
        if function.name == "TRIPLE" and self.picks.pick(range(8)) == 7:
            # A quoted triple is no predicate, and is a subject in RDF-star alone.
            place = self.picks.pick((0, 2, 1))
            arguments = [self._meant(kind, inner=inner) for kind in places]
            arguments[place] = self.picks.pick(self.menu.meant["triple"])
        elif triples and self.picks.pick(range(16)) == 15:
            arguments = [self.picks.pick(triples), self.picks.pick((triples[0], self._any()))]
            if self.picks.pick((False, True)):
                arguments.reverse()
        elif function.name in _OF_TWO_TERMS:
            arguments = self._two_terms(function, inner=inner)
        else:
            odd = self.picks.pick(range(len(places) + 1))
            arguments = [
                self._any() if number == odd else self._meant(place, inner=inner)
                for number, place in enumerate(places, 1)
            ]
        return function.apply(arguments), function.result

    def _two_terms(self, function: Signature, *, inner: bool) -> list[Expression]:
        """The operands of an operator: mostly any two, or the given variables if there are two."""
        how = self.picks.pick(_HOW)
        own = self
        if function.name in _ARITHMETIC and not self.in_arithmetic:
            own = replace(self, given=(), scope={})
        if len(own.given) > 1 and how in ("given", "turned"):
            pair = [*own.given[:2]]
            return [*pair] if how == "given" else [*reversed(pair)]
        if how == "meant":
            return [own._meant(place, inner=inner) for place in function.places]
        first, second = own._any(), own._any()
        if function.name in _ARITHMETIC:
            return [_no_moment(first, second), _no_moment(second, first)]
        if (
            function.name in _ORDERS
            and isinstance(first, Variable)
            and isinstance(second, Variable)
        ):
            # It is open whether a term without an order comes before itself.
            second = self.picks.pick(self.menu.constants)
        return [first, second]

    def _places(self, function: Signature) -> tuple[str, ...]:
        """The kinds of a function's arguments; optional ones as picked."""
        places = function.places
        if function.repeated:
            return places[:-1] + places[-1:] * self.picks.pick((1, 2, 3, 0))
        if len(places) > function.least:
            return places[: self.picks.pick((function.least, len(places)))]
        return places

    def _any(self) -> Expression:
        """An argument of any kind: a variable, a constant, an unbound variable, an error."""
        variables = [*self.given, *self.given, *self.scope]
        which = self.picks.pick(range(256))
        if variables and which < (160 if self.given else 64):
            return variables[which % len(variables)]
        return self.picks.pick(self.menu.constants)

    def _meant(self, place: str, *, inner: bool) -> Expression:
        """An argument of the kind that the function is made for."""
        constants = self.menu.meant[place]
        if not constants:
            return self._any()
        kinds = _VARIABLE_KINDS.get(place, ())
        suited = [variable for variable, kind in self.scope.items() if kind in kinds]
        nested = () if inner else self.menu.by_result.get(place, ())
        which = self.picks.pick(range(64))
        if which < 24 and suited:
            return suited[which % len(suited)]
        if which >= 52 and nested:
            return self._call(self.picks.pick(nested), inner=True)[0]
        return constants[which % len(constants)]


def is_moment(term: object) -> bool:
    """Return whether a term is a dateTime."""
    return isinstance(term, Literal) and term.datatype == XSD_DATETIME


def _no_moment(argument: Expression, other: Expression) -> Expression:
    """The argument, unless it is a dateTime and the other one is not an error in any case."""
    if not is_moment(argument) or other == UNBOUND or other in _plain("errors"):
        return argument
    return vocabulary.INTEGERS[0]
