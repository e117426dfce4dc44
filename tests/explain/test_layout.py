"""Text of a limited width, the papers' notation, and queries in few lines."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from rsp_conformance.explain.render import layout
from rsp_conformance.explain.render.folding import folded
from rsp_conformance.explain.render.layout import (
    counted,
    cut,
    glued,
    listed,
    ordinal,
    pad,
    shorten,
    unglued,
    wrap,
)
from rsp_conformance.explain.render.notation import Notation
from rsp_conformance.model.answers import Rows, Triples, Truth
from rsp_conformance.model.errors import printable
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import IRI, XSD, BlankNode, Literal, Term, Triple
from tests.builders.findings import case_of, rows
from tests.builders.terms import EX, sentence

CASE = case_of("SELECT * WHERE { }", until=1)


def test_texts_are_cut_padded_listed_and_counted() -> None:
    assert shorten("a" * 5 + "b" * 30 + "c" * 5, 12) == "aaaaabbb…ccc"
    assert shorten("short", 12) == "short"
    assert cell_len(shorten("日本語" * 9, 12)) <= 12
    assert cut("abcdef", 4) == "abc…"
    assert pad("ab", 4) == "ab  "
    assert listed([]) == ""
    assert listed(["1"]) == "1"
    assert listed(["1", "2", "3"]) == "1, 2 and 3"
    assert listed(list("12345"), limit=3) == "1, 2 and 3 more"
    assert counted(1, "entry") == "1 entry"
    assert counted(2, "entry") == "2 entries"
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21)] == (
        "1st 2nd 3rd 4th 11th 12th 13th 21st".split()
    )
    assert printable("\ta\x1b[0m b") == "    a\\x1b[0m b"


@pytest.mark.parametrize("piece", ["a", "日", "e\N{COMBINING ACUTE ACCENT}"])
def test_a_long_text_is_measured_a_few_times_however_much_is_cut(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = 0

    def counting(name: str) -> None:
        function = getattr(layout, name)

        def measure(text: str, *rest: int) -> object:
            nonlocal measured
            measured += len(text)
            return function(text, *rest)

        monkeypatch.setattr(layout, name, measure)

    for name in ("cell_len", "chop_cells", "set_cell_size", "split_graphemes"):
        counting(name)
    text = piece * (32_000 // len(piece))
    assert 39 <= cell_len(shorten(text, 40)) <= 40
    assert measured <= 4 * len(text)


def test_wrap_breaks_between_words_and_keeps_what_is_glued() -> None:
    assert wrap("one two three", 8) == ["one two", "three"]
    assert wrap("one two three", 9, first="- ") == ["- one two", "  three"]
    assert wrap("see " + glued("{?x=1, ?y=2}") + " now", 14) == ["see", "{?x=1, ?y=2}", "now"] or (
        wrap("see " + glued("{?x=1, ?y=2}") + " now", 30) == ["see {?x=1, ?y=2} now"]
    )
    assert wrap("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]
    assert all(cell_len(line) <= 11 for line in wrap("日本語" * 20 + " end", 11, first="  "))


def test_terms_as_turtle_writes_them() -> None:
    notation = Notation(CASE)
    shown: list[tuple[Term | None, str]] = [
        (IRI(EX + "carl"), ":carl"),
        (IRI("http://other.org/x"), "<http://other.org/x>"),
        (BlankNode("b"), "_:b"),
        (Literal("5", XSD + "integer"), "5"),
        (Literal("05", XSD + "integer"), "05"),
        (Literal("5", XSD + "decimal"), '"5"^^xsd:decimal'),
        (Literal("5.0", XSD + "decimal"), "5.0"),
        (Literal("x", language="en"), '"x"@en'),
        (Literal("a\nb"), '"a\\nb"'),
        (Literal("1", EX + "own"), '"1"^^:own'),
        (sentence("a p b"), "<< :a :p :b >>"),
        (Triple(sentence("a p b"), IRI(EX + "q"), Literal("1")), '<< << :a :p :b >> :q "1" >>'),
        (None, "unbound"),
    ]
    for term, text in shown:
        assert notation.term(term) == text
    assert cell_len(notation.term(Literal("long " * 50))) <= 40


def test_elements_and_answers() -> None:
    notation = Notation(CASE)
    stream = IRI(EX + "s")

    def plain(text: str) -> str:
        return text.replace("\N{NO-BREAK SPACE}", " ")

    one, two = sentence("a p b"), sentence("a q 5")
    assert plain(notation.element(StreamElement(stream, 2, (one,)))) == "(:a :p :b, 2)"
    both = StreamElement(stream, 2, (one, two))
    assert plain(notation.element(both)) == "({:a :p :b. :a :q 5}, 2)"
    named = StreamElement(stream, 2, (one,), IRI(EX + "g"))
    assert plain(notation.element(named)) == "(:g {:a :p :b}, 2)"
    assert notation.content(Rows((), ())) == "{}"
    assert notation.content(Rows((), ((),))) == "{-}"
    assert plain(notation.content(rows("x=1 y=-"))) == "{?x=1, ?y unbound}"
    assert plain(notation.content(rows(*(f"x={n}" for n in range(9))))) == (
        "{?x=0}, {?x=1}, {?x=2} and 6 more"
    )
    assert notation.brief(rows(*(f"x={n}" * 1 + f" y=name{n}{'x' * 20}" for n in range(9)))) == (
        "9 rows"
    )
    assert notation.content(Truth(False)) == "false"
    assert plain(notation.content(Triples(frozenset([one, two])))) == "{:a :p :b. :a :q 5}"
    assert isinstance(one, Triple)
    stream, near = IRI("http://ex.org/s"), IRI("http://ex.org/p")
    graph = tuple(Triple(IRI(f"http://ex.org/a{n}"), near, stream) for n in range(9))
    text = unglued(Notation(CASE).element(StreamElement(stream, 7, graph)))
    assert text == "({:a0 :p :s. :a1 :p :s. :a2 :p :s. :a3 :p :s. … 5 more}, 7)"


# --- A query in few lines: what is left out, and what is joined -----------------------------------

QUERY = """PREFIX : <http://ex.org/>
SELECT ?x ?y
FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 1]
WHERE {
  WINDOW :w { ?x :p ?y }
  OPTIONAL {
    ?x :q ?z .
    FILTER(?z > 1)
  }
}
ORDER BY ?x
"""


def test_a_group_stands_on_a_line_if_it_fits_and_a_comment_on_its_own() -> None:
    head = "SELECT ?x ?y FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 1]"
    optional = "OPTIONAL { ?x :q ?z . FILTER(?z > 1) }"
    where = f"WHERE {{ WINDOW :w {{ ?x :p ?y }} {optional} }}"
    assert folded(QUERY, 80) == [head, where, "ORDER BY ?x"]
    assert folded(QUERY, 50) == [
        "SELECT ?x ?y",
        "FROM NAMED WINDOW :w ON STREAM :s [RANGE 2 STEP 1]",
        "WHERE {",
        "  WINDOW :w { ?x :p ?y }",
        f"  {optional}",
        "} ORDER BY ?x",
    ]
    with_comment = QUERY.replace("?x :q ?z .", "?x :q ?z . # maybe")
    assert folded(with_comment, 80) == with_comment.split("\n")[1:-1]
    # A fragment of an IRI is none.
    assert len(folded(QUERY.replace(":q", "<http://ex.org/#q>"), 100)) == 2
