"""A query in few lines: what is left out, and what is joined."""

from __future__ import annotations

from rsp_conformance.explain.render.folding import folded

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
        "}",
        "ORDER BY ?x",
    ]
    with_comment = QUERY.replace("?x :q ?z .", "?x :q ?z . # maybe")
    assert folded(with_comment, 80) == with_comment.split("\n")[1:-1]
    # A fragment of an IRI is none.
    assert len(folded(QUERY.replace(":q", "<http://ex.org/#q>"), 100)) == 3
