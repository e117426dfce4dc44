"""Every seeded fault shows: a small case on which the engine is right without it, wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from rsp_conformance.adapters.reference.adapter import ReferenceEngine
from rsp_conformance.adapters.reference.faults import FAULTS, RARE_FAULTS, fault_named
from rsp_conformance.adapters.reference.options import read_options
from rsp_conformance.model.answers import Rows
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.features import FEATURES
from rsp_conformance.model.profiles import bundled_profile
from rsp_conformance.model.streams import StreamElement
from rsp_conformance.model.terms import Triple
from rsp_conformance.model.uncertainty import DISTRIBUTION, RSPU
from rsp_conformance.model.used_features import case_features
from rsp_conformance.spec.correctness import judge
from rsp_conformance.text.ntriples import parse_ntriples
from rsp_conformance.text.parse import parse_query
from tests.builders.terms import EX, PREFIXES, iri
from tests.generators.texts import engine, message, run

W = "FROM NAMED WINDOW :w ON STREAM :s [RANGE 4 STEP 2]"
V = "FROM NAMED WINDOW :v ON STREAM :r [RANGE 4 STEP 2]"
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

    def case(self) -> Case:
        """The case in full."""
        return Case(
            parse_query(PREFIXES + self.query),
            tuple(_element(text) for text in self.elements),
            Background(tuple(_entry(text) for text in self.static)),
            until=self.until,
        )


def _element(text: str) -> StreamElement:
    head, _, graph = text.partition(": ")
    stream, t = head.split()
    return StreamElement(iri(stream), int(t), _graph(graph))


def _entry(text: str) -> BackgroundEntry:
    """``s p o`` or ``since..until: s p o``."""
    interval, _, graph = text.rpartition(": ")
    since, _, until = interval.partition("..")
    return BackgroundEntry(
        _graph(graph), since=int(since) if since else None, until=int(until) if until else None
    )


def _graph(text: str) -> tuple[Triple, ...]:
    def written(word: str) -> str:
        return word if word.startswith(('"', "_:", "<<", ">>")) else f"<{EX}{word}>"

    lines = (" ".join(map(written, triple.split())) for triple in text.split(";"))
    return tuple(parse_ntriples("".join(f"{line} .\n" for line in lines)))


def normal(mean: int, variance: int) -> str:
    return f'"N({mean},{variance})"^^<{DISTRIBUTION}>'


def uncertain(pattern: str) -> str:
    return f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y {pattern} }} }}"


EXAMPLES = {
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
    "static-visible-in-window": Example(XYZ, (), static=("a p b",)),
    "newest-only": Example(XYZ, ("s 1: a p b",)),
    "opened-by-arrivals": Example(
        f"SELECT (COUNT(*) AS ?c) {W} WHERE {{ WINDOW :w {{ ?x :p ?y }} }}", ("s 2: a p b",)
    ),
    "zero-is-no-start": Example(XYZ, ("s 0: a p b", "s 1: c p d")),
    "each-window-alone": Example(JOIN, ("s 1: a p b", "r 1: a q c")),
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
        ("s 3: a p b",),
    ),
    "disjunction-error-first": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER(?y > 1 || ?x = :a) }} }}",
        ("s 3: a p b",),
    ),
    "outer-join-when-reordered": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y . ?x :q :c }} }}", ("s 3: a q c",)
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
    "pattern-literal-as-text": Example(
        f"SELECT ?x {W} WHERE {{ WINDOW :w {{ ?x :p 5 }} }}", ('s 3: a p "5"',)
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
        uncertain(f"FILTER(<{RSPU}lessThan>(?y, {normal(5, 1)}) > 0.7)"),
        (f"s 3: a p {normal(0, 1)}",),
    ),
    "variance-as-deviation": Example(
        uncertain(f"FILTER(<{RSPU}lessThan>(?y, 2) > 0.75)"), (f"s 3: a p {normal(0, 4)}",)
    ),
    "greater-or-equal-as-less": Example(
        uncertain(f"FILTER(<{RSPU}greaterThanOrEqual>(?y, 2) > 0.5)"),
        (f"s 3: a p {normal(0, 1)}",),
    ),
    "sampled": Example(
        uncertain(f"BIND(<{RSPU}lessThan>(?y, {normal(1, 2)}) AS ?z)"),
        (f"s 3: a p {normal(0, 1)}",),
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
    "predicate-silences": Example(XYZ, ("s 3: a 0 b",)),
    "optional-filter-drops": Example(
        f"SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y OPTIONAL {{ ?y :q ?z FILTER(?z = :d) }}"
        " } }",
        ("s 3: a p b; b q c",),
    ),
    "any-language-matches-none": Example(
        f'SELECT * {W} WHERE {{ WINDOW :w {{ ?x :p ?y FILTER(langMatches(LANG(?y), "*")) }} }}',
        ('s 3: a p "b"',),
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
"""The least that shows each fault, under plain RSP-QL's dials and those that the fault names."""


def test_every_fault_has_an_example() -> None:
    assert list(EXAMPLES) == [*FAULTS, *RARE_FAULTS]
    assert len(FAULTS) >= 22


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_fault_makes_a_right_answer_wrong(name: str) -> None:
    case, fault = EXAMPLES[name].case(), fault_named(name)
    dials = Dials().with_dials(fault.dials)
    assert len(case.elements) <= 4
    assert judge(case, dials, run(case, dials)).correct
    pacing = "settled" if EXAMPLES[name].settled else "burst"
    answers = [
        run(case, dials, pacing, fault=name) for _ in range(40 if name == "nondeterministic" else 1)
    ]
    verdicts = [judge(case, dials, answer) for answer in answers]
    assert not all(verdict.correct for verdict in verdicts)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_uses_the_features_that_its_fault_needs(name: str) -> None:
    fault = fault_named(name)
    assert fault.may_show(case_features(EXAMPLES[name].case()))
    assert fault.features <= set(FEATURES)
    assert fault.summary and fault.imitates


def test_faults_that_need_more_than_one_run_differ_between_runs() -> None:
    case, dials = EXAMPLES["nondeterministic"].case(), Dials()
    answers = {str(run(case, dials, fault="nondeterministic")) for _ in range(40)}
    assert len(answers) > 1


@pytest.mark.parametrize(
    ("fault", "needs"), [(name, fault.features) for name, fault in FAULTS.items() if fault.features]
)
def test_a_fault_is_at_rest_where_it_does_not_apply(fault: str, needs: frozenset[str]) -> None:
    """A case without the features that a fault needs is answered rightly."""
    case, dials = Example(XYZ, ('s 3: a p "b"', "s 5: b p c")).case(), Dials()
    assert not needs & case_features(case)
    assert judge(case, dials, run(case, dials, fault=fault)).correct


def test_two_engines_with_one_fault_share_no_state() -> None:
    case, dials = EXAMPLES["distinct-forever"].case(), Dials()
    faulty = engine(dials, fault="distinct-forever")
    assert faulty.run(message(case, dials)) == faulty.run(message(case, dials))


def test_an_engine_has_several_faults_at_once() -> None:
    case, dials = EXAMPLES["bounds-start"].case(), Dials()
    at_once = engine(dials, fault="late-by-slide,bounds-start")
    stamped = {answer.t: answer.content for answer in run(case, dials, fault="bounds-start")}
    answers = run(case, dials, fault="late-by-slide,bounds-start")
    assert [fault.name for fault in at_once.options.faults] == ["late-by-slide", "bounds-start"]
    assert [(a.t, a.content) for a in answers] == [(t + 2, c) for t, c in stamped.items()]


def test_faults_of_one_place_work_one_upon_the_other() -> None:
    case = EXAMPLES["bounds-start"].case()
    both = run(case, Dials(), fault="bounds-start,bounds-end")
    assert both == run(case, Dials().with_dials({"bounds": "[o,c)"}))


def test_an_element_cleans_what_it_enters_and_joins_what_has_expired() -> None:
    query = "SELECT ?y ?z FROM NAMED WINDOW :w ON STREAM :s [RANGE 2] "
    where = "WHERE { WINDOW :w { ?x :p ?y . ?x :q ?z } }"
    elements = ("s 1: a p b", "s 5: a q c", "s 6: a p d", "s 9: a q e", "s 15: a p f; a q g")
    case = Example(f"REGISTER ISTREAM :o AS {query}{where}", elements, until=16).case()
    dials = bundled_profile("cqels-1").base
    joined: dict[object, list[str]] = {}
    for answer in run(case, dials, fault="stale-join"):
        assert isinstance(answer.content, Rows)
        values = [f"{row['y']} {row['z']}" for row in answer.content.solutions()]
        joined.setdefault(answer.cause, []).extend(
            v.replace(f"<{EX}", "").replace(">", "") for v in values
        )
    assert {cause: sorted(rows) for cause, rows in joined.items()} == {
        1: ["b c"],
        2: ["d c"],
        3: ["d e"],
        4: ["f e", "f g"],
    }
    assert {answer.cause for answer in run(case, dials)} == {2, 4}


def test_an_unknown_fault_is_refused_with_the_list() -> None:
    with pytest.raises(ValueError, match=r"unknown fault 'bound-end'; did you mean 'bounds-end'\?"):
        read_options({"fault": "bound-end"})
    assert ReferenceEngine({"fault": "none"}).options.faults == ()
