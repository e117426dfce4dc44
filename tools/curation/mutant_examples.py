"""The least that shows each mutant: what an engine without it answers rightly."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.uncertainty import DISTRIBUTION, RSPU
from rsp_conformance.text.ntriples import parse_ntriples
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import EX, PREFIXES, iri

W = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]"
V = "FROM NAMED WINDOW :v ON STREAM :r [RANGE 4 STEP 2]"
U = "FROM NAMED WINDOW :u ON STREAM :t [RANGE 4 STEP 2]"
JOIN = f"SELECT * {W} {V} WHERE {{ WINDOW :w {{ ?x :p ?y }} WINDOW :v {{ ?x :q ?z }} }}"
XYZ = f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}"


@dataclass(frozen=True)
class Example:
    """A case in short: elements are ``stream t: s p o; s p o``, IRIs bare words."""

    query: str
    elements: tuple[str, ...]
    until: int = 8
    static: tuple[str, ...] = ()
    settled: bool = False
    registered: int = 0

    def case(self) -> Case:
        """The case in full."""
        return Case(
            parse_query(PREFIXES + self.query),
            tuple(_element(text) for text in self.elements),
            Background(tuple(_entry(text) for text in self.static)),
            registered=self.registered,
            until=self.until,
        )


def _element(text: str) -> StreamElement:
    head, _, graph = text.partition(": ")
    stream, t = head.split()
    return StreamElement(iri(stream), int(t), _graph(graph))


def _entry(text: str) -> BackgroundEntry:
    """``s p o``, ``since..until: s p o``, or ``name: s p o`` in a named graph."""
    interval, _, graph = text.rpartition(": ")
    since, dots, until = interval.partition("..")
    if interval and not dots:
        return BackgroundEntry(_graph(graph), iri(interval))
    return BackgroundEntry(
        _graph(graph), since=int(since) if since else None, until=int(until) if until else None
    )


_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"\S*|\S+')
"""The terms of a triple: blanks within quotes part none."""


def _graph(text: str) -> tuple[Triple, ...]:
    def written(word: str) -> str:
        return word if word.startswith(('"', "_:", "<<", ">>")) else f"<{EX}{word}>"

    lines = (" ".join(map(written, _WORDS.findall(triple))) for triple in text.split("; "))
    return tuple(parse_ntriples("".join(f"{line} .\n" for line in lines)))


def _normal(mean: int, variance: int) -> str:
    return f'"N({mean},{variance})"^^<{DISTRIBUTION}>'


def _uncertain(pattern: str) -> str:
    return f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y {pattern} }} }}"


def _typed(text: str, datatype: str) -> str:
    return f'"{text}"^^<http://www.w3.org/2001/XMLSchema#{datatype}>'


def _data(*objects: str) -> Example:
    """``?x :p ?y`` over triples with OBJECTS."""
    return Example(XYZ, ("s 3: " + "; ".join(f"a p {term}" for term in objects),))


def _inside(pattern: str, *objects: str, head: str = "SELECT *", tail: str = "") -> Example:
    """PATTERN beside ``?x :p ?y`` in a window, over triples with OBJECTS."""
    query = f"{head} {W} WHERE {{ WINDOW :w {{ ?x :p ?y {pattern} }} }} {tail}"
    return Example(query, _data(*objects).elements)


def _bound(expression: str, *objects: str) -> Example:
    return _inside(f"BIND({expression} AS ?v)", *objects)


def _aggregated(aggregate: str, *objects: str) -> Example:
    return _inside("", *objects, head=f"SELECT ({aggregate} AS ?v)")


TRUE = _typed("true", "boolean")
ONE, TWO, NINE, TEN = (_typed(text, "integer") for text in ("1", "2", "9", "10"))
NOON = _typed("2020-01-01T12:00:00Z", "dateTime")
LATER = _typed("2020-01-01T11:30:00-02:00", "dateTime")
ASTRAL = '"x\U0001f600"'
MILLISECONDS = 1_700_000_000_000

LITERALS = {
    "float-unread": _data(_typed("1.5", "float")),
    "datetime-unread": _data(NOON),
    "boolean-as-text": _data(_typed("true", "boolean")),
    "other-datatype-lost": _data('"5"^^<http://ex.org/unit>'),
    "derived-integer-widened": _data(_typed("5", "byte")),
    "integers-of-32-bits": _data(_typed("2147483648", "integer")),
    "integers-as-doubles": _data(_typed("9007199254740993", "integer")),
    "decimals-as-doubles": _data(_typed("0.1000000000000000001", "decimal")),
    "doubles-as-floats": _data(_typed("1.23456789", "double")),
    "sign-lost": _data(_typed("-1", "integer")),
    "exponent-lost": _data(_typed("2.5e3", "double")),
    "special-numbers-lost": _data(_typed("INF", "double")),
    "timezone-lost": _data(NOON),
    "far-years-lost": _data(_typed("12020-01-01T12:00:00Z", "dateTime")),
    "strings-trimmed": _data('" x"'),
    "strings-read-twice": _data('"\\"x\\""'),
    "empty-strings-lost": _data('""'),
    "beyond-the-plane-lost": _data(ASTRAL),
    "long-strings-cut": _data(f'"{"x" * 300}"'),
    "strings-normalised": _data('"e\u0301"'),
    "names-case-folded": _data("B"),
    "names-decoded": _data("a%41"),
    "names-beyond-ascii-lost": _data("\u00e9"),
}

EXPRESSIONS = {
    "datetime-as-text": _inside(
        'FILTER(?y > "2020-01-01T12:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>)', LATER
    ),
    "numbers-compared-as-text": _inside("FILTER(?y < 10)", NINE),
    "nan-equals-itself": _inside("FILTER(?y = ?y)", _typed("NaN", "double"), ONE),
    "nan-without-order": _inside("FILTER(!(?y < 1))", _typed("NaN", "double"), TWO),
    "booleans-without-order": _inside(f"FILTER(?y <= {TRUE})", TRUE),
    "empty-list-is-an-error": _inside("FILTER(?y NOT IN ())", ONE),
    "tagged-text-without-truth": _inside("FILTER(?y)", '"x"@en'),
    "unbound-compares-false": _inside("OPTIONAL { ?x :q ?z } FILTER(!(?z = :b))", ONE),
    "not-in-as-in": _inside("FILTER(?y NOT IN (2, 3))", ONE),
    "bound-always": _inside("OPTIONAL { ?x :q ?z } FILTER(!BOUND(?z))", ONE),
    "division-cut": _bound("?y / 2", ONE),
    "arithmetic-in-doubles": _bound("?y + 1", ONE),
    "difference-reversed": _bound("?y - 1", TWO),
    "round-half-down": _bound("ROUND(?y)", _typed("2.5", "decimal")),
    "strlen-in-utf16": _bound("STRLEN(?y)", ASTRAL),
    "substr-from-zero": _bound("SUBSTR(?y, 1, 1)", '"xyz"'),
    "regex-anchored": _bound('REGEX(?y, "y")', '"xyz"'),
    "regex-flags-ignored": _bound('REGEX(?y, "Y", "i")', '"xyz"'),
    "langmatches-by-text": _bound('LANGMATCHES(LANG(?y), "en")', '"x"@en-gb'),
    "if-evaluates-both": _bound("IF(?y > 0, ?y, 1 / 0)", ONE),
    "functions-lose-language": _bound("UCASE(?y)", '"x"@en'),
    "boolean-cast-by-name": _bound("<http://www.w3.org/2001/XMLSchema#boolean>(?y)", ONE),
    "average-rounded": _aggregated("AVG(?y)", ONE, TWO),
    "distinct-average-of-all": Example(
        f"SELECT (SUM(DISTINCT ?y) AS ?v) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}",
        (f"s 3: a p {ONE}; b p {ONE}",),
    ),
    "extremes-as-text": _aggregated("MAX(?y)", NINE, TEN),
    "concatenation-keeps-language": _aggregated("GROUP_CONCAT(?y)", '"x"@en'),
    "extremes-of-literals": _aggregated("MAX(?x)", ONE, TWO),
    "replacement-as-written": _bound('REPLACE("x", "x", "\\\\$")', ONE),
    "separator-ignored": _aggregated('GROUP_CONCAT(STR(?x); SEPARATOR="|")', ONE, TWO),
    "empty-separator-ignored": _aggregated('GROUP_CONCAT(STR(?x); SEPARATOR="")', ONE, TWO),
    "count-of-expression-as-all": _aggregated("COUNT(?y + 1)", ONE, '"x"'),
}
CLAUSES = {
    "second-optional-unbound": _inside("OPTIONAL { ?x :q ?z } OPTIONAL { ?x :p ?z }", ONE),
    "nested-optional-beside": _inside("OPTIONAL { ?x :q ?z OPTIONAL { ?x :p ?u } }", ONE),
    "optional-subquery-joined": _inside("OPTIONAL { SELECT ?x ?z { ?x :q ?z } }", ONE),
    "optional-union-first": _inside("OPTIONAL { { ?x :q ?z } UNION { ?x :p ?z } }", ONE),
    "inner-minus-ignored": _inside("OPTIONAL { ?x :p ?z MINUS { ?x :p ?z } }", ONE),
    "inner-exists-ignored": replace(
        _inside("FILTER EXISTS { ?x :p ?z FILTER EXISTS { ?x :q ?z } }"),
        elements=("s 3: a p b; c p d; c q d",),
    ),
    "union-bind-lost": _inside("{ ?x :p ?z } UNION { ?x :p ?u BIND(1 AS ?z) }", ONE),
    "optional-filter-inside-only": _inside("OPTIONAL { ?x :p ?z FILTER(?y = ?z) }", ONE),
    "predicate-variable-unbound": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x ?r ?y }} }}", ("s 3: a p b",)
    ),
    "grouped-order-lost": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }} GROUP BY ?x ORDER BY ?x LIMIT 1",
        ("s 3: a p b; b p c",),
    ),
    "having-alias": Example(
        f"SELECT ?x (COUNT(?y) AS ?n) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }} "
        "GROUP BY ?x HAVING(?n > 0 || ?x = :c)",
        ("s 3: a p b; c p d",),
    ),
    "alias-unknown-to-select": _inside("", ONE, head="SELECT (?y + 1 AS ?n) (?n + 1 AS ?m)"),
    "limit-before-distinct": Example(
        f"SELECT DISTINCT ?x {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }} ORDER BY ?x LIMIT 2",
        ("s 3: a p b; a p c; b p d",),
    ),
    "offset-ignored": _inside("", ONE, tail="ORDER BY ?y OFFSET 1"),
    "numbers-ordered-as-text": _inside("", NINE, TEN, tail="ORDER BY ?y"),
    "unbound-ordered-last": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y OPTIONAL {{ ?x :q ?z }} }} }} ORDER BY ?z",
        ("s 3: a p b; a q b; b p c",),
    ),
    "order-expression-ignored": _inside("", ONE, TWO, tail="ORDER BY (?y + 1)"),
    "second-order-key-ignored": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }} ORDER BY ?x ?y",
        (f"s 3: a p {ONE}; a p {TWO}",),
    ),
    "star-shows-triples-alone": _bound("1", ONE),
    "inner-limit-ignored": _inside("{ SELECT ?y { ?x :p ?y } ORDER BY ?y LIMIT 1 }", ONE, TWO),
    "second-group-key-ignored": Example(
        f"SELECT ?x ?y (COUNT(*) AS ?n) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }} GROUP BY ?x ?y",
        ("s 3: a p b",),
    ),
    "template-first-triple-only": _inside("", ONE, head="CONSTRUCT { ?x :q ?y . ?x :r ?y }"),
    "template-whole-or-nothing": _inside(
        "OPTIONAL { ?x :q ?z }", ONE, head="CONSTRUCT { ?x :q ?y . ?x :r ?z }"
    ),
}

WIDE = W.replace("RANGE 4 STEP 2", "RANGE 20 STEP 1")
INSTANTS = {
    "late-elements-lost": Example(
        XYZ, (f"s {2**31 + 1}: a p b",), until=2**31 + 8, registered=2**31
    ),
    "stamps-of-32-bits": Example(
        XYZ, (f"s {2**31 + 1}: a p b",), until=2**31 + 8, registered=2**31
    ),
    "stamps-in-seconds": Example(
        XYZ, (f"s {MILLISECONDS + 1}: a p b",), until=MILLISECONDS + 8, registered=MILLISECONDS
    ),
    "first-stamp-by-the-clock": Example(XYZ, ("s 3: a p b",)),
    "sixteen-windows-open": Example(XYZ.replace(W, WIDE), ("s 1: a p b",), until=24),
    "buffer-of-64": Example(
        f"SELECT (COUNT(*) AS ?n) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}",
        tuple(f"s 3: a p b{number}" for number in range(70)),
    ),
    "third-window-empty": Example(
        f"SELECT * {W} {V} {U} WHERE {{ WINDOW :u {{ ?x :p ?y }} }}", ("t 3: a p b",)
    ),
    "unread-window-forgotten": Example(
        f"SELECT * {W} {V.replace('RANGE 4 STEP 2', 'RANGE 3 STEP 3')} "
        "WHERE { WINDOW :w { ?x :p ?y } }",
        ("s 3: a p b",),
        until=12,
    ),
    "waits-for-all-streams": Example(
        f"SELECT * {W} {V} WHERE {{ {{ WINDOW :w {{ ?x :p ?y }} }} UNION "
        "{ WINDOW :v { ?x :p ?y } } }",
        ("s 3: a p b",),
    ),
}

_FIRST = {
    "stale-join": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y . ?y :q ?z }} }}",
        ("s 1: a p b", "s 7: b q c"),
    ),
    "open-at-start": Example(XYZ, ("s 1: a p b",), until=3),
    "bounds-start": Example(XYZ, ("s 2: a p b", "s 3: b p c")),
    "bounds-end": Example(XYZ, ("s 4: a p b", "s 5: b p c")),
    "second-window-overwrites": Example(
        f"SELECT * {W} {W.replace(':w', ':v')} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}",
        ("s 4: a p b",),
    ),
    "shared-window-parameters": Example(
        f"SELECT * {W} {V.replace('RANGE 4', 'RANGE 6')} WHERE {{ WINDOW :v {{ ?x :p ?y }} }}",
        ("r 2: a p b",),
    ),
    "windows-share-a-store": Example(
        f"SELECT * {W} {V} WHERE {{ WINDOW :v {{ ?x :p ?y }} }}", ("s 3: a p b",)
    ),
    "gaps-as-tumbling": Example(
        "SELECT * FROM NAMED WINDOW :w ON STREAM :s [RANGE 1 STEP 2] "
        "WHERE { WINDOW :w { ?x :p ?y } }",
        ("s 3: a p b", "s 4: c p d"),
    ),
    "late-by-slide": Example(XYZ, ("s 3: a p b",)),
    "empty-windows-skipped": Example(XYZ, ("s 7: a p b",)),
    "silent-after-three": Example(XYZ, ("s 7: a p b",), until=14),
    "equal-timestamps-overwrite": Example(XYZ, ("s 3: a p b", "s 3: c p d")),
    "second-instant-early": Example(XYZ, ("s 2: a p b", "s 3: b p c")),
    "first-triple-only": Example(XYZ, ("s 3: a p b; c p d",)),
    "newest-element-missing": Example(XYZ, ("s 3: a p b",)),
    "single-pattern-without-window": Example(XYZ, ("s 3: a p b", "s 3: c p d")),
    "duplicates-collapsed": Example(XYZ, ("s 3: a p b", "s 3: a p b")),
    "static-lost": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} ?y :q ?z }}",
        ("s 3: a p b",),
        static=("b q c",),
    ),
    "static-first-match": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} ?y :q ?z }}",
        ("s 3: a p b",),
        static=("b q c", "b q d"),
    ),
    "time-varying-stale": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} ?y :q ?z }}",
        ("s 4: a p b",),
        static=("6..: b q c",),
    ),
    "static-visible-in-window": Example(XYZ, ("s 3: c p d",), static=("a p b",)),
    "newest-only": Example(XYZ, ("s 1: a p b",)),
    "opened-by-arrivals": Example(
        f"SELECT (COUNT(*) AS ?c) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}", ("s 2: a p b",)
    ),
    "zero-is-no-start": Example(XYZ, ("s 0: a p b", "s 1: c p d")),
    "each-window-alone": Example(JOIN, ("s 1: a p b", "r 1: a q c")),
    "windows-wait-for-each-other": Example(
        JOIN.replace(V, V.replace("RANGE 4 STEP 2", "RANGE 4 STEP 4")), ("s 1: a p b", "r 1: a q c")
    ),
    "wrong-instance": Example(JOIN, ("r 1: a q c", "s 3: a p b")),
    "read-at-arrival": Example(XYZ, ("s 1: a p b", "s 6: c p d")),
    "once-an-instant": Example(
        f"SELECT * {W} {V} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}",
        ("s 1: a p b", "r 1: a p b", "r 6: a q c", "s 6: a p b"),
    ),
    "t0-drift": Example(
        XYZ, ("s 1: a p b; a p c; a p d; a p e; a p f; a p g; a p h", "s 5: a p b"), settled=True
    ),
    "optional-as-join": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y OPTIONAL {{ ?y :q ?z }} }} }}",
        ("s 3: a p b",),
    ),
    "filter-error-true": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER(?y > 1) }} }}", ("s 3: a p b",)
    ),
    "incomparable-unequal": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER(!(?y > 1)) }} }}", ('s 3: a p "b"',)
    ),
    "union-dedup": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ {{ ?x :p ?y }} UNION {{ ?x :p ?y }} }} }}",
        ("s 3: a p b",),
    ),
    "window-variable-unbound": Example(
        f"SELECT * {W} WHERE {{ WINDOW ?w {{ ?x :p ?y }} }}", ("s 3: a p b",)
    ),
    "filter-into-optional": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y OPTIONAL {{ ?y :q ?z }} "
        "FILTER(?y = :c) } }",
        ("s 3: a p b",),
    ),
    "window-filter-forgotten": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} FILTER(?y = :c) }}", ("s 3: a p b",)
    ),
    "bind-outside-window": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y BIND(EXISTS {{ ?x :p ?z }} AS ?v) }} }}",
        ("s 3: a p b",),
    ),
    "outer-graph-dropped": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} GRAPH ?g {{ GRAPH :g {{ ?x :q ?z }} }} }}",
        ("s 3: a p b",),
        static=("g: a q c",),
    ),
    "filter-over-bind-forgotten": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y BIND(?y = :c AS ?v) FILTER(?v) }} }}",
        ("s 3: a p b",),
    ),
    "grouped-join-silent": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y {{ {{ ?x :p ?z }} {{ ?x :p ?u }} }} }} }}",
        ("s 3: a p b",),
    ),
    "last-filter-only": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER(?y = :c) FILTER(?x = :a) }} }}",
        ("s 3: a p b; a p c",),
    ),
    "disjunction-error-first": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER(?y > 1 || ?x = :a) }} }}",
        ("s 3: a p b",),
    ),
    "outer-join-when-reordered": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y . ?x :q :c }} }}",
        ("s 3: a q c; b p d; b q c",),
    ),
    "inner-union-lost": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ {{ ?x :p ?y }} UNION {{ {{ ?x :q ?y }} UNION "
        "{ ?x :r ?y } } } }",
        ("s 3: a r b",),
    ),
    "outside-skipped-without-data": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} ?y :q ?z }}", ("s 3: a p b",)
    ),
    "repeated-window-forgotten": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :q ?z }} WINDOW :w {{ ?x :p ?y }} }}",
        ("s 3: a p b",),
    ),
    "projection-ignored": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}", ("s 3: a p b",)
    ),
    "null-aggregate": Example(
        f"SELECT (COUNT(?x) AS ?n) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}", ()
    ),
    "group-over-nothing": Example(
        f"SELECT ?y (COUNT(?x) AS ?n) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }} GROUP BY ?y", ()
    ),
    "having-ignored": Example(
        f"SELECT ?y (COUNT(?x) AS ?n) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }} "
        "GROUP BY ?y HAVING (COUNT(?x) > 1)",
        ("s 3: a p b",),
    ),
    "limit-ignored": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }} ORDER BY ?x LIMIT 1",
        ("s 3: a p b; c p b",),
    ),
    "distinct-ignored": Example(
        f"SELECT DISTINCT ?y {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}", ("s 3: a p b; c p b",)
    ),
    "earlier-rows-stay": Example(XYZ, ("s 4: a p b",)),
    "distinct-forever": Example(
        f"SELECT DISTINCT ?x {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}", ("s 4: a p b",)
    ),
    "order-lost": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }} ORDER BY ?x", ("s 3: a p b; c p b",)
    ),
    "istream-ignored": Example(f"REGISTER ISTREAM :o AS {XYZ}", ("s 4: a p b",)),
    "dstream-ignored": Example(f"REGISTER DSTREAM :o AS {XYZ}", ("s 3: a p b",)),
    "answers-overtake": Example(XYZ, ("s 2: a p b", "s 4: a p c")),
    "always-silent": Example(XYZ, ("s 3: a p b",)),
    "always-empty": Example(XYZ, ("s 3: a p b",)),
    "construct-silent": Example(
        f"CONSTRUCT {{ ?x :q ?y }} {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}", ("s 3: a p b",)
    ),
    "blank-nodes-merged": Example(XYZ, ("s 3: _:a p _:b",)),
    "language-lost": Example(XYZ, ('s 3: a p "b"@en',)),
    "strings-as-resources": Example(XYZ, ('s 3: a p "b"',)),
    "minus-as-not-exists": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y MINUS {{ ?u :q ?v }} }} }}",
        ("s 3: a p b; c q d",),
    ),
    "exists-uncorrelated": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER EXISTS {{ ?x :q ?z }} }} }}",
        ("s 3: a p b; c q d",),
    ),
    "subquery-sees-outside": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :q ?y {{ SELECT ?x {{ ?x :p ?y }} }} }} }}",
        ("s 3: a p b; a q c",),
    ),
    "subqueries-ignored": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p ?y {{ SELECT ?x {{ ?x :q ?z }} }} }} }}",
        ("s 3: a p b",),
    ),
    "values-ignored": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} VALUES ?x {{ :c }} }}",
        ("s 3: a p b; c p b",),
    ),
    "values-undef-never-matches": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} VALUES (?x ?y) {{ (:a UNDEF) }} }}",
        ("s 3: a p b",),
    ),
    "path-bag": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p+ ?y }} }}", ("s 3: a p b; b p c; a p c",)
    ),
    "aggregate-skips-errors": Example(
        f"SELECT (SUM(?y) AS ?n) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}", ('s 3: a p "b"',)
    ),
    "count-of-error-unbound": Example(
        f"SELECT (COUNT(?y + 1) AS ?n) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}", ("s 3: a p b",)
    ),
    "error-as-empty-text": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y BIND(xsd:integer(?y) AS ?n) }} }}",
        ('s 3: a p "b"',),
    ),
    "join-with-unmatched-optional": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y OPTIONAL {{ ?x :q ?z }} }} ?y :r ?u }}",
        ("s 3: a p b",),
        static=("b r c",),
    ),
    "quoted-asserted": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ << ?x :p ?y >> :q ?z . ?x :p ?y }} }}",
        ("s 3: << a p b >> q c",),
    ),
    "repeated-variable-free": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p ?x }} }}", ("s 3: a p b",)
    ),
    "pattern-escapes-kept": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p '\\\\' }} }}", ('s 3: a p "\\\\"',)
    ),
    "pattern-literal-as-text": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p 5 }} }}",
        (f's 3: a p "5"; b p {_typed("5", "integer")}',),
    ),
    "pattern-literal-unmatched": Example(
        f'SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p "5" }} }}', ('s 3: a p "5"',)
    ),
    "strings-escaped-twice": Example(XYZ, ('s 3: a p "\\\\"',)),
    "filter-prefix-unexpanded": Example(
        f"PREFIX ex: <{EX}> SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER(?y = ex:b) }} }}",
        ("s 3: a p b",),
    ),
    "keyword-variable-lost": Example(
        f"SELECT ?select {W} WHERE {{ WINDOW :w {{ ?select :p ?y }} }}", ("s 3: a p b",)
    ),
    "strings-cut": Example(XYZ, ('s 3: a p "b^^c"',)),
    "second-operand-from-first": Example(
        _uncertain(f"FILTER(<{RSPU}lessThan>(?y, {_normal(5, 1)}) > 0.7)"),
        (f"s 3: a p {_normal(0, 1)}",),
    ),
    "variance-as-deviation": Example(
        _uncertain(f"FILTER(<{RSPU}lessThan>(?y, 2) > 0.75)"), (f"s 3: a p {_normal(0, 4)}",)
    ),
    "greater-or-equal-as-less": Example(
        _uncertain(f"FILTER(<{RSPU}greaterThanOrEqual>(?y, 2) > 0.5)"),
        (f"s 3: a p {_normal(0, 1)}",),
    ),
    "sampled": Example(
        _uncertain(f"BIND(<{RSPU}lessThan>(?y, {_normal(1, 2)}) AS ?z)"),
        (f"s 3: a p {_normal(0, 1)}",),
    ),
    "nondeterministic": Example(XYZ, ("s 3: a p b",)),
    "disjunction-as-union": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER(?x = :a || ?y = :b) }} }}",
        ("s 3: a p b",),
    ),
    "exists-equality-blind": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y "
        "FILTER EXISTS { ?x :q ?z FILTER(?z = ?y) } } }",
        ("s 3: a p b; a q b",),
    ),
    "distinct-concatenation-unbound": Example(
        f"SELECT (GROUP_CONCAT(DISTINCT ?x) AS ?n) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}", ()
    ),
    "predicate-silences": Example(XYZ, ("s 3: a 0 b; a p b",)),
    "optional-filter-drops": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y OPTIONAL {{ ?y :q ?z FILTER(?z = :d) }}"
        " } }",
        ("s 3: a p b; b q c",),
    ),
    "any-language-matches-none": Example(
        f'SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER(langMatches(LANG(?y), "*")) }} }}',
        ('s 3: a p "b"; a p "c"@en',),
    ),
    "background-rows-once": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} ?y :q ?z }}",
        ("s 3: a p b",),
        static=("b q c", "b q d"),
    ),
    "join-with-aggregate-of-nothing": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} "
        "{ SELECT (COUNT(*) AS ?n) WHERE { WINDOW :w { ?z :q ?u } } } }",
        ("s 3: a p b",),
    ),
    "distinct-aggregates-starve": Example(
        "SELECT (COUNT(DISTINCT ?x) AS ?n) (COUNT(DISTINCT ?y) AS ?m) "
        f"{W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}",
        ("s 3: a p b; a p c",),
    ),
    "nodes-without-themselves": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p? ?y }} }}", ("s 3: a p b",)
    ),
}


def _counted(size: str, *elements: str, form: str = "SELECT *") -> Example:
    """``?x :p ?y`` over ELEMENTS in a window of SIZE."""
    window = f"FROM NAMED WINDOW :w ON STREAM :s [{size}]"
    query = f"{form} {window} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}"
    return Example(query, tuple(f"s {text}" for text in elements))


_THREE = "1: a p k", "2: b p k", "3: c p k"
COUNTS = {
    "count-never-evicts": _counted("ELEMENTS 2", *_THREE),
    "count-per-pattern": Example(
        "SELECT * FROM NAMED WINDOW :w ON STREAM :s [ELEMENTS 2] "
        "WHERE { WINDOW :w { ?x :p ?o . ?y :q ?o } }",
        ("s 1: a p k", "s 2: b q k", "s 3: c q k"),
    ),
    "count-all-streams": Example(
        "SELECT * FROM NAMED WINDOW :w ON STREAM :s [ELEMENTS 2] "
        "FROM NAMED WINDOW :v ON STREAM :r [ELEMENTS 2] WHERE { WINDOW :w { ?x :p ?y } }",
        ("s 1: a p k", "r 2: b p k", "s 3: c p k"),
    ),
    "count-tumbles": _counted("ELEMENTS 2", *_THREE),
    "count-slides": _counted("ELEMENTS 2 STEP 2", *_THREE),
    "batch-flushed": _counted("ELEMENTS 2 STEP 2", *_THREE),
    "one-too-many": _counted("ELEMENTS 2", *_THREE),
    "full-only": _counted("ELEMENTS 2", "1: a p k"),
    "count-elements": _counted("TRIPLES 2", "1: a p k; b p k", "2: c p k"),
    "count-triples": _counted("ELEMENTS 2", "1: a p k; b p k", "2: c p k"),
    "whole-instants": _counted("ELEMENTS 2", "1: a p k", "2: b p k", "2: c p k", "2: d p k"),
    "first-of-ties": _counted("ELEMENTS 2", "1: a p k", "2: b p k", "2: c p k", "2: d p k"),
    "distinct-counted": _counted("ELEMENTS 2", "1: a p k", "2: b p k", "3: a p k"),
    "eviction-silent": _counted("ELEMENTS 2", *_THREE, form="REGISTER DSTREAM AS SELECT *"),
    "now-sticks": _counted("NOW", "1: a p k"),
    "now-one": _counted("NOW", "1: a p k", "1: b p k"),
    "unbounded-emptied": _counted("RANGE UNBOUNDED", "1: a p k", "2: b p k"),
    "past-ignored": _counted("FROM NOW-3 TO NOW-2", "1: a p k", "2: b p k"),
    "shared-kind": Example(
        f"SELECT * {W} FROM NAMED WINDOW :v ON STREAM :r [ELEMENTS 2] "
        "WHERE { WINDOW :w { ?x :p ?y } WINDOW :v { ?z :q ?y } }",
        ("s 1: a p k", "r 1: u q k", "r 3: v q k"),
    ),
}

EXAMPLES = {**_FIRST, **COUNTS, **LITERALS, **EXPRESSIONS, **CLAUSES, **INSTANTS}
"""The least that shows each mutant, under plain RSP-QL's dials and those that the mutant names."""
