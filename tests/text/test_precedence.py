"""Every operator within every other, left and right: as few parentheses as parse back."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest

from rsp_conformance.model.algebra import BGP, Filter
from rsp_conformance.model.expressions import Exists, Expression, Operation, Variable
from rsp_conformance.model.paths import (
    AlternativePath,
    InversePath,
    NegatedPropertySet,
    Path,
    RepeatedPath,
    SequencePath,
)
from rsp_conformance.model.terms import IRI, XSD_INTEGER, Literal
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import QueryPrinter

PRINTER = QueryPrinter()
BINARY = "|| && = != < > <= >= + - * /".split()
UNARY = "! UNARY+ UNARY-".split()
x, y, z = Variable("x"), Variable("y"), Variable("z")
one, minus_one = Literal("1", XSD_INTEGER), Literal("-1", XSD_INTEGER)


def read(text: str) -> Expression:
    pattern = parse_query(f"SELECT * {{ FILTER({text}) }}").pattern
    assert isinstance(pattern, Filter)
    return pattern.condition


def simple() -> list[Expression]:
    made: list[Expression] = [Operation(name, (x, y)) for name in [*BINARY, "IN", "NOT IN"]]
    made += [Operation(name, (x,)) for name in UNARY]
    return [*made, one, minus_one, Operation("STR", (x,)), Exists(BGP())]


def nested() -> list[Expression]:
    made: list[Expression] = []
    for inner, name in product(simple(), [*BINARY, "IN", "NOT IN"]):
        made += [Operation(name, (inner, z)), Operation(name, (z, inner))]
    return made + [Operation(name, (inner,)) for inner, name in product(simple(), UNARY)]


def test_all_nestings_parse_back() -> None:
    for expression in nested():
        text = PRINTER.expression(expression)
        assert read(text) == expression, text


def test_no_parentheses_without_need() -> None:
    """Taking any one pair away changes the meaning or breaks the text."""
    for expression in nested():
        text = PRINTER.expression(expression)
        for start in (
            i for i, c in enumerate(text) if c == "(" and (i == 0 or text[i - 1] in " !+-(")
        ):
            if text[:start].endswith("IN "):
                continue
            end = text.index(")", start)
            inside = text[start + 1 : end]
            if "(" in inside or inside == "-1":  # `-(-1)`, because `--1` reads badly
                continue
            without = text[:start] + inside + text[end + 1 :]
            with suppress(ValueError):
                assert read(without) != expression, text


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("?x + ?y + ?z", "?x + ?y + ?z"),
        ("?x + (?y + ?z)", "?x + (?y + ?z)"),
        ("?x * (?y + ?z)", "?x * (?y + ?z)"),
        ("(?x && ?y) || !(?z)", "?x && ?y || !?z"),
        ("?x -1 * ?y + 2", "?x - 1 * ?y + 2"),
        ("- 1", "-(1)"),
        ("-1", "-1"),
        ("(?x IN (1, (2))) = true", "(?x IN (1, 2)) = true"),
        ("strlen(?x)", "STRLEN(?x)"),
        ("<urn:f>(distinct ?x,1)", "<urn:f>(DISTINCT ?x, 1)"),
    ],
)
def test_printed_as_a_person_writes(text: str, printed: str) -> None:
    assert PRINTER.expression(read(text)) == printed


def test_signed_numbers_are_operators_between_operands() -> None:
    assert read("?x -1") == Operation("-", (x, one))
    assert read("?x -1*?y/2") == Operation(
        "-", (x, Operation("/", (Operation("*", (one, y)), Literal("2", XSD_INTEGER))))
    )
    assert read("?x * -1") == Operation("*", (x, minus_one))
    assert read("-1") == minus_one
    assert read("- 1") == Operation("UNARY-", (one,))


# ------------------------------------------------------------------------------------------ paths

a, b = IRI("urn:a"), IRI("urn:b")


def simple_paths() -> list[Path]:
    return [
        SequencePath(a, b),
        AlternativePath(a, b),
        InversePath(a),
        *(RepeatedPath(a, modifier) for modifier in "*+?"),
        NegatedPropertySet((a,)),
        NegatedPropertySet((), (a,)),
        NegatedPropertySet((a,), (b,)),
        NegatedPropertySet(()),
    ]


def test_all_nestings_of_paths_parse_back() -> None:
    made = simple_paths()
    for inner in simple_paths():
        made += [SequencePath(inner, b), SequencePath(b, inner), AlternativePath(inner, b)]
        made += [AlternativePath(b, inner), InversePath(inner), RepeatedPath(inner, "?")]
    for path in made:
        text = PRINTER.path(path)
        pattern = parse_query(f"SELECT * {{ ?s {text} ?o }}").pattern
        assert isinstance(pattern, BGP)
        assert pattern.triples[0].predicate == path, text


def test_path_precedence() -> None:
    pattern = parse_query("SELECT * { ?s <urn:a>|^<urn:a>/<urn:b>*|<urn:b> ?o }").pattern
    assert isinstance(pattern, BGP)
    second = SequencePath(InversePath(a), RepeatedPath(b, "*"))
    assert pattern.triples[0].predicate == AlternativePath(AlternativePath(a, second), b)
