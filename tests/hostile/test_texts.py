"""Texts of queries: what no evaluator comes to the end of is refused by the reader, in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rsp_conformance as rsp
from rsp_conformance.text.parse import DEEPEST, LONGEST, parse_query
from tests.builders.command_line import cli

HEAD = "PREFIX : <http://ex.org/>\nSELECT ?s\nFROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]\n"
T = "?s :p ?o"
ELEMENT = '{"t": 1, "graph": "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."}\n'


def within(pattern: str) -> str:
    """A query with this pattern in its window."""
    return f"{HEAD}WHERE {{ WINDOW :w {{ {pattern} }} }}"


def filtered(condition: str) -> str:
    """A query with this condition in its window."""
    return within(f"{T} FILTER({condition})")


NESTED: dict[str, Callable[[int], str]] = {
    "union": lambda n: within(" UNION ".join(["{ ?s :p ?o }"] * n)),
    "group": lambda n: within("{ ?s :q ?o . " * n + T + "}" * n),
    "optional": lambda n: within(T + " OPTIONAL { ?s :p ?o " * n + "}" * n),
    "optional chain": lambda n: within(T + " OPTIONAL { ?s :p ?o }" * n),
    "minus": lambda n: within(T + " MINUS { ?s :q ?o }" * n),
    "exists": lambda n: within(T + " FILTER EXISTS { ?s :p ?o " * n + "}" * n),
    "not": lambda n: filtered("! (" * n + "false" + ")" * n),
    "and": lambda n: filtered(" && ".join(["?s = ?s"] * n)),
    "or": lambda n: filtered(" || ".join(["?s = :x"] * n + ["true"])),
    "sum": lambda n: filtered(" + ".join(["1"] * n) + " > 0"),
    "product": lambda n: filtered("1" + "*1" * n + " > 0"),
    "sign": lambda n: filtered("- (" * n + "1" + ")" * n + " != 7"),
    "call": lambda n: filtered("STR(" * n + "?s" + ")" * n + " != ''"),
    "if": lambda n: filtered("IF(true," * n + "true" + ",false)" * n),
    "cast": lambda n: filtered(
        "<http://www.w3.org/2001/XMLSchema#string>(" * n + "?s" + ")" * n + " != ''"
    ),
    "bind": lambda n: within(T + "".join(f" BIND({i} AS ?b{i})" for i in range(n))),
    "subquery": lambda n: within("{ SELECT * { " * n + T + "}}" * n),
    "filters": lambda n: within(T + " FILTER(?s = ?s)" * n),
    "sequence": lambda n: within(f"?s {'/'.join([':p'] * n)} ?o"),
    "alternatives": lambda n: within(f"?s {'|'.join([':p'] * n)} ?o"),
    "zero or one": lambda n: within(f"?s {'(' * n}:p{')?' * n} ?o"),
    "inverse": lambda n: within(f"?s {'^(' * n}:p{')' * n} ?o"),
    "quoted triple": lambda n: within("<< " * n + T + " >> :p ?o" * n),
    "GRAPH": lambda n: f"{HEAD}WHERE {{ {'GRAPH ?g { ' * n}{T}{'}' * n} }}",
    "HAVING": lambda n: (
        within(T).replace("?s\n", "(COUNT(*) AS ?n)\n", 1)
        + " HAVING("
        + "(1+" * n
        + "1"
        + ")" * n
        + " > 0)"
    ),
    "ORDER BY": lambda n: within(T) + " ORDER BY " + "STR(" * n + "?s" + ")" * n,
}


CHAINS = (
    *("union", "optional chain", "minus", "and", "or", "sum", "product", "bind", "filters"),
    *("sequence", "alternatives"),
)
"""What is written one after the other, without brackets."""


@pytest.mark.parametrize("shape", NESTED)
def test_deep_nesting_is_refused_by_name(shape: str, tmp_path: Path) -> None:
    # Names are looked up in each of those before: 3,000 take seconds.
    parts = 300 if shape == "bind" else 3_000
    (tmp_path / "q.rq").write_text(NESTED[shape](parts), "utf-8")
    (tmp_path / "s.jsonl").write_text(ELEMENT, "utf-8")
    stream = f":s={tmp_path / 's.jsonl'}"
    ran = cli("answers", "--query", tmp_path / "q.rq", "--stream", stream)
    assert f"nested more than {DEEPEST} deep" in ran.line() and len(ran.err) < 500


@pytest.mark.parametrize("shape", NESTED)
def test_what_is_not_refused_is_evaluated_judged_and_explained(shape: str) -> None:
    deepest = 0
    for parts in range(LONGEST if shape in CHAINS else DEEPEST, 0, -1):
        try:
            parse_query(NESTED[shape](parts))
        except ValueError:
            continue
        deepest = parts
        break
    assert deepest >= (LONGEST - 5 if shape in CHAINS else 20)
    held = rsp.profile("rsp-ql", t0=0)
    case = rsp.case(NESTED[shape](deepest), {":s": [(1, ":a :p :b")]}, held, until=5)
    with rsp.connect("reference") as engine:
        engine.judge(case)
    wrong = {"s": {"type": "uri", "value": "http://ex.org/never"}}
    assert case.judge([{"t": 2, "solutions": [wrong]}]).explain()
