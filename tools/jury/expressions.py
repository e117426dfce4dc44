"""Random expressions: calls of everything that a table lists, over terms of all kinds.

A question is an expression over the variables ``?a``, ``?b`` and so on, and rows of terms for them.
It is asked as a query over data: each row is a node that has its terms as values, so that blank
nodes and ill-typed literals are asked about as well, and an unbound variable is a value that is
missing. Every call within an expression is a column of its own, for a difference belongs to the
innermost call that shows it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from rsp_conformance.model.expressions import (
    Aggregate,
    Expression,
    FunctionCall,
    Operation,
    Variable,
)
from rsp_conformance.model.tables import read_table
from rsp_conformance.model.terms import IRI, XSD, XSD_INTEGER, Literal, Term, Triple
from rsp_conformance.text.printer.rspql import QueryPrinter
from tools.jury.terms import term_of

TABLE = read_table(__name__, "functions.toml")
BASE = "http://ex.org/base/x"
"""What relative references of IRI() resolve against: engines have bases of their own otherwise."""
NAMES = "abcdefghij"
_DEFECT = Operation("/", (Literal("1", XSD_INTEGER), Literal("0", XSD_INTEGER)))
"""An expression that is an error."""
_IS_ERROR, _IS_CALL, _IS_WANTED, _IS_PAIR = 0.05, 0.08, 0.75, 0.6
"""How likely an argument is an error or a call, a term of the wanted kinds, two terms of one kind.

Calls within calls say little that calls do not, so most questions have none."""
_WIDE = TABLE["groups"]["any"]
_LARGEST_GROUP = 5
_REPEATED = 3
"""At most so many arguments stand for one that may be repeated."""
_ROW, _OF, _GROUP = "urn:jury:row:", IRI("urn:jury:of"), IRI("urn:jury:group")
_NODES = QueryPrinter()


@dataclass(frozen=True, slots=True)
class Question:
    """EXPRESSION over rows of terms; ``groups`` of rows for one with an aggregate, else None."""

    name: str
    expression: Expression
    rows: tuple[Mapping[str, Term], ...]
    groups: tuple[int, ...] | None = None

    @property
    def calls(self) -> list[Expression]:
        """The calls within the expression, the innermost first, the expression last."""
        return list(dict.fromkeys(_calls(self.expression)))

    @property
    def size(self) -> int:
        """How many evaluations of the expression are asked for."""
        return len(self.rows) if self.groups is None else len(set(self.groups))


def _calls(expression: Expression) -> Iterator[Expression]:
    if expression == _DEFECT:
        return
    if isinstance(expression, Aggregate):
        yield expression
    elif isinstance(expression, (Operation, FunctionCall)):
        for argument in expression.arguments:
            yield from _calls(argument)
        yield expression


def name_of(call: Expression) -> str:
    """What CALL calls, as the table of functions names it."""
    match call:
        case Operation(name):
            return name
        case FunctionCall(function):
            return "xsd:" + function.value.removeprefix(XSD)
        case Aggregate(name, _, distinct):
            return f"{name} DISTINCT" if distinct else name
    raise ValueError(f"no call: {call!r}")


def arguments_of(call: Expression) -> tuple[Expression, ...]:
    """The arguments of CALL."""
    if isinstance(call, Aggregate):
        return () if call.argument is None else (call.argument,)
    assert isinstance(call, (Operation, FunctionCall))
    return call.arguments


def written(expression: Expression) -> str:
    """EXPRESSION as SPARQL writes it."""
    return _NODES.expression(expression)


# Drawing


def questions(random: Random, rows: int) -> list[Question]:
    """A question with ROWS rows about each function, and one about each aggregate."""
    found = [_question(name, random, rows) for name in TABLE["functions"]]
    found += [_of_pairs(name, random, rows) for name in TABLE["pairs"]["operators"]]
    for name, groups in TABLE["aggregates"].items():
        found += [_of_groups(name, group, random, rows) for group in groups]
    return found


def _kinds(group: str) -> list[str]:
    return TABLE["groups"].get(group, [group])  # type: ignore[no-any-return]


def _question(name: str, random: Random, rows: int) -> Question:
    wanted: list[str] = []
    expression = _call(name, random, wanted, deep=True)
    variables = NAMES[: len(wanted)]
    made = [
        {v: _drawn(group, random) for v, group in zip(variables, wanted, strict=True)}
        for _ in range(rows)
    ]
    return Question(name, expression, _bound(made))


def _bound(rows: list[dict[str, Term | None]]) -> tuple[Mapping[str, Term], ...]:
    return tuple([{v: t for v, t in row.items() if t is not None} for row in rows])


def _drawn(group: str, random: Random) -> Term | None:
    kinds = _kinds(group) if random.random() < _IS_WANTED else _WIDE
    return term_of(kinds, random)


def _call(name: str, random: Random, wanted: list[str], *, deep: bool) -> Expression:
    """A call of NAME; WANTED gets the group of each variable. DEEP allows calls within it."""
    arguments: list[Expression] = []
    for group in TABLE["functions"][name]:
        least, most = (0, _REPEATED) if group[-1] == "*" else (group[-1] != "?", 1)
        for _ in range(random.randint(least, most)):
            arguments.append(_argument(name, group.rstrip("?*"), random, wanted, deep=deep))
    if name.startswith("xsd:"):
        return FunctionCall(IRI(XSD + name[4:]), tuple(arguments))
    return Operation(name, tuple(arguments))


def _argument(
    name: str, group: str, random: Random, wanted: list[str], *, deep: bool
) -> Expression:
    chance = random.random() if name != "BOUND" else 1.0
    if chance < _IS_ERROR:
        return _DEFECT
    if chance < _IS_ERROR + _IS_CALL and deep and group in TABLE["calls"]:
        return _call(random.choice(TABLE["calls"][group]), random, wanted, deep=False)
    wanted.append(group)
    return Variable(NAMES[len(wanted) - 1])


def _of_pairs(name: str, random: Random, rows: int) -> Question:
    """Two terms, mostly of one kind."""
    made: list[dict[str, Term | None]] = []
    for _ in range(rows):
        kinds = _kinds(random.choice(TABLE["pairs"]["kinds"]))
        other = kinds if random.random() < _IS_PAIR else _WIDE
        made.append({"a": term_of(kinds, random), "b": term_of(other, random)})
    expression = Operation(name, (Variable("a"), Variable("b")))
    return Question(name, expression, _bound(made))


def _of_groups(name: str, group: str, random: Random, rows: int) -> Question:
    """Groups of one to five values; a value may be missing, or come twice."""
    made: list[dict[str, Term | None]] = []
    numbers: list[int] = []
    for number in range(rows):
        kinds = [random.choice(_kinds(group))] if random.random() < _IS_PAIR else _kinds(group)
        few = [term_of(kinds, random) for _ in range(_LARGEST_GROUP)]
        for _ in range(random.randint(1, _LARGEST_GROUP)):
            value = None if random.random() < _IS_ERROR else random.choice(few)
            made.append({"a": value})
            numbers.append(number)
    separator = random.choice([None, ", "]) if name == "GROUP_CONCAT" else None
    aggregate = Aggregate(name, Variable("a"), random.random() < 1 / 3, separator)
    return Question(name, aggregate, _bound(made), tuple(numbers))


# Asking


def row_name(number: int) -> IRI:
    """The node of a row, or of a group of rows."""
    return IRI(f"{_ROW}{number}")


def row_number(node: Term | None) -> int:
    """The number of the row, or of the group, that NODE stands for."""
    assert isinstance(node, IRI)
    return int(node.value.removeprefix(_ROW))


def _class(place: int) -> IRI:
    return IRI(f"urn:jury:question:{place}")


def value_property(variable: str) -> IRI:
    """The property that has a row's term for VARIABLE."""
    return IRI(f"urn:jury:{variable}")


def data(asked: list[Question]) -> list[Triple]:
    """The rows of all questions ASKED as one graph."""
    triples: list[Triple] = []
    first = 0
    for place, question in enumerate(asked):
        for number, row in enumerate(question.rows, first):
            node = row_name(number)
            triples.append(Triple(node, _OF, _class(place)))
            triples.extend(Triple(node, value_property(v), term) for v, term in row.items())
            if question.groups is not None:
                group = row_name(question.groups[number - first])
                triples.append(Triple(node, _GROUP, group))
        first += len(question.rows)
    return triples


def query(question: Question, place: int) -> str:
    """The query for QUESTION, which is at PLACE: each row with what its calls yield."""
    columns = [f"({_NODES.expression(e)} AS ?e{i})" for i, e in enumerate(question.calls)]
    names = sorted({v for row in question.rows for v in row} | _variables(question.expression))
    optional = [f"OPTIONAL {{ ?r {_NODES.term(value_property(v))} ?{v} }}" for v in names]
    grouped = question.groups is not None
    key = "?g" if grouped else "?r"
    where = [f"?r {_NODES.term(_OF)} {_NODES.term(_class(place))} ."]
    if grouped:
        where.append(f"?r {_NODES.term(_GROUP)} ?g .")
    head = f"BASE <{BASE}> SELECT {key} {' '.join(columns)} {{ "
    return head + " ".join([*where, *optional]) + " }" + (" GROUP BY ?g" if grouped else "")


def _variables(expression: Any) -> set[str]:
    if isinstance(expression, Variable):
        return {expression.name}
    if isinstance(expression, (Operation, FunctionCall, Aggregate)):
        return set().union(*map(_variables, arguments_of(expression)))
    return set()
