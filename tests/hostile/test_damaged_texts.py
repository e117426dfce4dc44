"""Queries, programs, streams and data with anything wrong: one line, or another valid text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import rsp_conformance as rsp
from rsp_conformance.diagnosis.known_file import read_known
from rsp_conformance.files.files import FileError
from rsp_conformance.files.rdf_files import read_background
from rsp_conformance.files.stream_files import read_stream
from rsp_conformance.lars.text import LONGEST, parse_program
from rsp_conformance.model.errors import BadInput
from rsp_conformance.model.terms import IRI
from rsp_conformance.text.languages import LANGUAGES
from tests.builders.command_line import ROOT
from tests.generators.damage import Damage, damaged_lines, damaged_text
from tests.hostile.readers import Reader, few, of_file, several, short

EXAMPLES = ROOT / "rsp_conformance" / "examples"


# --- queries --------------------------------------------------------------------------------------

PATTERNS = """?s :p/^:q* ?o ; a :T . OPTIONAL { ?o :r "x\\n"@en } FILTER(?o + 1.5 >= 2e0)
  { ?s :q << :a :b 1 >> } UNION { BIND(IF(REGEX(STR(?o), "^a"), "y", 'z') AS ?y) }
  VALUES ?v { :a UNDEF }"""
PLAIN = """?s :p ?o . ?o :q "x" FILTER(?o > 1.5 && REGEX(STR(?s), "^a"))"""
PREFIX = "PREFIX : <http://ex.org/>\n"
QUERIES = {
    "rsp-ql": f"""{PREFIX}REGISTER RSTREAM :out AS SELECT ?s (COUNT(?o) AS ?n)
FROM NAMED WINDOW :w ON STREAM :s [RANGE PT4S STEP PT2S] FROM NAMED WINDOW :v ON :t [RANGE 4 STEP 2]
WHERE {{ WINDOW :w {{ {PATTERNS.replace(":q << :a :b 1 >>", ":q 1")} }} WINDOW :v {{ ?s ?p ?o }} }}
GROUP BY ?s HAVING(COUNT(?o) > 1) ORDER BY DESC(?n) LIMIT 3""",
    "rsp-ql-star": f"""{PREFIX}SELECT * FROM NAMED WINDOW :w ON :s [RANGE 4 STEP 2]
WHERE {{ WINDOW :w {{ {PATTERNS} GRAPH ?g {{ ?a ?b ?c }} }} }}""",
    "c-sparql": f"""REGISTER QUERY q COMPUTED EVERY 2s AS {PREFIX}SELECT ?s (SUM(?o) AS ?n)
FROM STREAM <http://ex.org/s> [RANGE 4s STEP 2s] WHERE {{ {PLAIN} }} GROUP BY ?s""",
    "cqels-ql": f"""{PREFIX}SELECT ?s ?o
WHERE {{ STREAM <http://ex.org/s> [RANGE 4s] {{ {PLAIN} }} }}""",
    "cqels-ql-2": f"""{PREFIX}REGISTER QUERY q AS SELECT ?s ?o
FROM STREAM s [FUTURE 4s STEP 2s] WHERE {{ {PLAIN} }}""",
    "sparqlstream": f"""{PREFIX}SELECT RSTREAM ?s
FROM NAMED STREAM <http://ex.org/s> [NOW - 4 S SLIDE 2 S]
WHERE {{ {PLAIN} }}""",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_damaged_query(language: str, folder: Path) -> None:
    path = folder / "query.txt"
    reader = Reader(
        of_file(folder, path.name, lambda file: rsp.query(file, language=language)),
        BadInput,
        file=str(path),
    )
    reader.holds(damaged_text([QUERIES[language]]))


WINDOWED = """PREFIX : <http://ex.org/>
SELECT ?s FROM NAMED WINDOW :w ON STREAM :s [{}] WHERE {{ WINDOW :w {{ {} }} }}{}"""
LONG = "x" * 1_000_000
SPAN, GROUP = "RANGE 4 STEP 2", "?s :p ?o"
PINNED: list[tuple[str, str]] = [
    ("", "line 1, column 1: expected"),
    (WINDOWED.format("RANGE " + "9" * 5_000, GROUP, ""), "digits"),
    (WINDOWED.format("RANGE 4 STEP PT0S", GROUP, ""), "at least one instant"),
    (WINDOWED.format(SPAN, GROUP, " LIMIT " + "9" * 5_000), "digits"),
    (WINDOWED.format(SPAN, f"{GROUP} FILTER(?o {'9' * 100_000})", ""), "expected an operator"),
    (WINDOWED.format(SPAN, f"?s :p '{LONG}", ""), "the string that begins here is not closed"),
    (WINDOWED.format(SPAN, f"{GROUP} FILTER({LONG}:x(?s))", ""), "the prefix"),
    (WINDOWED.format(SPAN, "?s :p '\\uD800'", ""), "stands for no character"),
    (WINDOWED.format(SPAN, "?s :p \x1b[31m", ""), "expected"),
    (WINDOWED.format(SPAN, "\u2028", ""), "found '\\x2028'"),
]


@pytest.mark.parametrize(("text", "said"), PINNED, ids=range(len(PINNED)))
def test_a_query_names_the_place(text: str, said: str) -> None:
    reader = Reader(lambda content: rsp.query(content.decode()), BadInput)
    assert said in reader.said(text.encode())


@pytest.mark.parametrize(
    "pattern",
    [
        f"?s :p '{LONG}'",
        "?s :p ?" + "o" * 100_000,
        "?s :p <http://ex.org/" + "o" * 100_000 + ">",
        f"{GROUP} FILTER(?s IN (" + ", ".join([":a"] * 5_000) + "))",
        "\n" * 100_000 + GROUP + "#" * 100_000 + "\n",
    ],
    ids=short,
)
def test_a_long_query_is_one(pattern: str) -> None:
    assert rsp.query(WINDOWED.format(SPAN, pattern, ""))


# --- LARS programs --------------------------------------------------------------------------------

PROGRAM = """PREFIX e: <http://ex.org/>
p(X, ?y) ← ⊞^{3,0,2} ◇ q(X, e:a), r(?y), not ⊞^{#2 q} □ r(?y), X < 3, Y = X + 1, ⊞^NOW s(Y).
@T t("a"@en) ← @T u(T), holds{REGEX(STR(?T), "^1")}, ⊞^∞ v(<http://ex.org/x>).
background w(1, "x").
"""
PROGRAMS: list[tuple[str, str]] = [
    ("p ← q", "ends within a statement"),
    ("p ← not q(X).", "the variable X"),
    ("p ← ⊞^{3,1,2} q.", "looks ahead"),
    ("p ← " + "9" * 400 + " = 1.", "line 1"),
    ("p ← holds{" + "(" * 5_000 + ")" * 5_000 + "}.", "the condition"),
    ("p ← holds{RAND() < 1}.", "not evaluated by this kit: RAND"),
    ("p ← " + "<< " * 3_000, "ends within"),
    ("p ← \ud800.", "line 1, column 5"),
    ("p." * LONGEST, "characters"),
]


def program(content: bytes) -> object:
    """The program of a text; bytes that are none stand for halves of characters."""
    return parse_program(content.decode("utf-8", "surrogateescape"))


@several
@given(damaged_text([PROGRAM]))
def test_a_damaged_program(damage: Damage) -> None:
    Reader(program, BadInput).check(damage)


@pytest.mark.parametrize(("text", "said"), PROGRAMS, ids=short)
def test_a_program_names_the_place(text: str, said: str) -> None:
    assert said in Reader(lambda _: parse_program(text), BadInput).said(b"")


# --- streams --------------------------------------------------------------------------------------

STREAM = IRI("http://ex.org/s")
TRIPLE = "<http://ex.org/a> <http://ex.org/p> <http://ex.org/b> ."
ELEMENTS = [
    {"t": 1, "graph": TRIPLE},
    {"t": 2, "graph": f'{TRIPLE}\n_:b <http://ex.org/p> "x\\n"@en .', "name": "http://ex.org/g"},
    {"t": 2, "graph": f"<< {TRIPLE[:-2]} >> <http://ex.org/q> <http://ex.org/c> .", "name": "_:n"},
]
TIMED = f"{TRIPLE[:-1]}1 .\n# a comment\n<u:s> <u:p> 5^^http://www.w3.org/2001/XMLSchema#double 2\n"


def stream(folder: Path, name: str, **more: Any) -> Reader:
    """A reader of a stream's file."""
    read = of_file(folder, name, lambda path: read_stream(path, STREAM))
    return Reader(read, FileError, file=str(folder / name), **more)


@several
@given(damaged_lines([ELEMENTS, [{**ELEMENTS[0], "stream": STREAM.value}]]))
def test_damaged_elements(folder: Path, damage: Damage) -> None:
    unplaced = ("no JSON (", "no UTF-8 text", "the name ", "the element ", "t=")
    needs, own = ("t", "graph"), ("",)
    stream(
        folder,
        "s.jsonl",
        needs=needs,
        open=own,
        kinds={"name": "null"},
        unplaced=unplaced,
        lines=True,
    ).check(damage)


@few
@given(damaged_text([(EXAMPLES / "rsp-ql-star" / "S.trig").read_text("utf-8")]))
def test_a_damaged_stream_of_graphs(folder: Path, damage: Damage) -> None:
    stream(folder, "s.trig", longest=2_100).check(damage)


@several
@given(damaged_text([TIMED]))
def test_a_damaged_stream_of_timed_triples(folder: Path, damage: Damage) -> None:
    stream(folder, "s.n3t").check(damage)


# --- background data ------------------------------------------------------------------------------

QUAD = f"{TRIPLE[:-1]}<http://ex.org/g> ."
TURTLE = """@prefix : <http://ex.org/> .
:a :p :b , "x"@en-GB , 1.5 ; :q [ :r ( 1 2 ) ] . << :a :p :b >> :c true . # a comment
:a :p <<( :a :p :c )>> ."""
RDF = "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://e/'>{}</rdf:RDF>"
DATA = {
    ".nt": TRIPLE + '\n_:b <http://ex.org/p> "x"@en . # a comment\n',
    ".nq": QUAD + f"\n{TRIPLE}\n",
    ".ttl": TURTLE,
    ".trig": f"{TURTLE}\n:g {{ :a :p :b }}",
    ".jsonld": '{"@context": {"p": "http://ex.org/p"}, "@id": "u:a", "p": [{"p": "x"}]}',
    ".rdf": RDF.format("<A rdf:about='http://e/a'><p rdf:resource='http://e/b'/><q>x</q></A>"),
}


@pytest.mark.parametrize("suffix", DATA)
def test_damaged_background_data(suffix: str, folder: Path) -> None:
    read = of_file(folder, f"data{suffix}", lambda path: read_background(str(path)))
    reader = Reader(read, FileError, file=str(folder / f"data{suffix}"), longest=2_100)
    reader.holds(damaged_text([DATA[suffix]]))


# --- known causes ---------------------------------------------------------------------------------

KNOWN = """# what we know
[[known]]
mutants = ["union-dedup"]
dials = {bounds = "[o,c)", empty_answers = true}
reason = "two at once"

[[known]]
id = "newest-only"
reason = '''issue 12'''

[[known]]
fingerprint = "?-0123abcd"
reason = "a parser"
"""


@several
@given(damaged_text([KNOWN]))
def test_a_damaged_file_of_known_causes(folder: Path, damage: Damage) -> None:
    read = of_file(folder, "known.toml", read_known)
    Reader(read, FileError, file=str(folder / "known.toml")).check(damage)
