"""The comparison says what every order of the rows and every bijection of blank nodes says."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations
from random import Random

import pytest

from rsp_conformance.model.answers import Rows, Triples
from rsp_conformance.model.dials import Numbers, Tolerance
from rsp_conformance.model.terms import IRI, XSD, BlankNode, Literal, Term, Triple, is_numeric
from rsp_conformance.model.verdict import Kind
from rsp_conformance.sparql.compare.contents import difference
from rsp_conformance.sparql.compare.matching import has_perfect_matching
from rsp_conformance.sparql.compare.numbers import agree, key, literal_classes
from rsp_conformance.sparql.compare.rows import same_rows
from tests.builders.uncertainty import distribution
from tests.oracles.comparison import Row, naive_agree, naive_same_rows, naive_same_table

DIALS: tuple[Numbers, ...] = (
    "term",
    "value",
    Tolerance(Fraction(1, 2), "0.5"),
    Tolerance(Fraction(1, 10**8), "1e-8"),
)
WRITTEN = """
1^^integer 01^^integer 1.0^^decimal 1.5^^decimal 1.9^^double 1.0000000000000001^^double
1.0000000001^^double 1.0000005^^float NaN^^double NaN^^float INF^^double -INF^^float 0^^integer
-0.0^^double 1e-5000^^double -0.25^^decimal 10000000000000000^^integer 10000000000000001^^integer
10000000000000001.0^^decimal 1^^string 1^^boolean true^^boolean 0^^boolean yes^^boolean
1e400^^double -1E300^^float -1E300^^double 3.5e38^^float 1e-60^^float 1e-60^^double
"""
LITERALS = (
    *(Literal(text, XSD + type) for text, type in (own.split("^^") for own in WRITTEN.split())),
    *map(distribution, ("N(0.1,1)", "N(1e-1,1.0)", "N(0.3,1)", "U(0.1,1)")),
)
MORE_LITERALS = (
    *LITERALS,
    *(Literal("a", language=tag) for tag in ("en", "en-GB", "EN-gb")),
    *(Literal(text, XSD + "integer") for text in ("x", "y", "2", "83")),
    *(Literal(text, XSD + "decimal") for text in ("0.333333333333333333", "0.33333")),
    *(Literal("0.3333333333333333333333", XSD + "decimal"), Literal("83.0e0", XSD + "double")),
    *(Literal("a"), Literal("INF", XSD + "float"), Literal("0.33333", XSD + "float")),
)
"""Too many for random rows, which would then seldom agree."""
IRIS = (IRI("urn:a"), IRI("urn:b"))


def random_term(random: Random, nodes: Sequence[BlankNode], depth: int = 1) -> Term | None:
    kind = random.random()
    if kind < 0.45:
        return random.choice(nodes)
    if kind < 0.7:
        return random.choice(LITERALS)
    if kind < 0.9 or not depth:
        return random.choice(IRIS)
    if kind < 0.95:
        return None
    subject, object = random.choice((*nodes, *IRIS)), random_term(random, nodes, 0)
    return Triple(subject, IRIS[0], object or IRIS[0])


def random_rows(random: Random, width: int) -> list[Row]:
    nodes = [BlankNode(f"n{i}") for i in range(random.randint(1, 3))]
    size = random.randint(1, 4)
    return [tuple(random_term(random, nodes) for _ in range(width)) for _ in range(size)]


def disguised(random: Random, rows: Sequence[Row], numbers: Numbers) -> list[Row]:
    """ROWS in another order, with other blank nodes and other numbers that mostly agree.

    At times one of them is missing, or is there twice.
    """
    names = [BlankNode(f"m{i}") for i in range(4)]
    random.shuffle(names)
    renamed = {BlankNode(f"n{i}"): name for i, name in enumerate(names)}
    if random.random() < 0.2:
        renamed[BlankNode("n0")] = renamed[BlankNode("n1")]

    def other(term: Term | None) -> Term | None:
        if isinstance(term, BlankNode):
            return renamed[term]
        if isinstance(term, Triple):
            return Triple(other(term.subject), term.predicate, other(term.object))  # type: ignore[arg-type]
        if isinstance(term, Literal):
            near = [one for one in LITERALS if naive_agree(term, one, numbers)]
            return random.choice(near if random.random() < 0.8 else LITERALS)
        return term

    found = [tuple(other(term) for term in row) for row in rows]
    random.shuffle(found)
    if random.random() < 0.1:
        found = random.choice((found[1:], [*found, found[0]]))
    return found


@pytest.mark.parametrize("numbers", DIALS, ids=str)
def test_rows_agree_iff_an_order_and_a_bijection_say_so(numbers: Numbers) -> None:
    random = Random(f"rows {numbers}")
    agreeing = 0
    for _ in range(2500):
        width = random.randint(1, 3)
        expected = random_rows(random, width)
        observed = disguised(random, expected, numbers)
        same = naive_same_rows(expected, observed, numbers)
        assert same_rows(expected, observed, numbers) is same, (expected, observed)
        assert same_rows(observed, expected, numbers) is same, (observed, expected)
        agreeing += same
    assert 800 < agreeing < 2300


@pytest.mark.parametrize("numbers", DIALS, ids=str)
def test_tables_agree_by_the_names_of_columns_and_the_order_of_rows(numbers: Numbers) -> None:
    random = Random(f"tables {numbers}")
    kinds = {None: 0, Kind.ORDER: 0, Kind.ROWS: 0}
    for _ in range(1500):
        rows = random_rows(random, 2)
        ties = tuple(sorted(random.randrange(3) for _ in rows))
        expected = Rows(("x", "y"), tuple(rows), ties)
        shown = disguised(random, rows, numbers) if random.random() < 0.5 else list(rows)
        if random.random() < 0.3:
            more = None if random.random() < 0.8 else IRIS[0]
            observed = Rows(("y", "z", "x"), tuple((y, more, x) for x, y in shown))  # type: ignore[misc]
        elif all(row[1] is None for row in shown):
            observed = Rows(("x",), tuple(row[:1] for row in shown))
        else:
            observed = Rows(("x", "y"), tuple(shown))
        found = difference(expected, observed, numbers)
        assert (found is None) is naive_same_table(expected, observed, numbers)
        free = Rows(expected.variables, expected.rows)
        assert (found is not Kind.ROWS) is naive_same_table(free, observed, numbers)
        kinds[found] += 1
    assert min(kinds.values()) > 100


def random_graph(random: Random, nodes: int, edges: int) -> list[Triple]:
    pool = [BlankNode(f"n{i}") for i in range(nodes)]
    found = {Triple(random.choice(pool), IRIS[0], random.choice(pool)) for _ in range(edges)}
    return sorted(found, key=repr)


def test_graphs_of_blank_nodes_agree_iff_they_are_isomorphic() -> None:
    """Few edges among few nodes: many are alike, and many differ late in a search."""
    random = Random(7)
    graphs = [random_graph(random, *random.choice(((4, 4), (5, 5)))) for _ in range(60)]
    agreeing = 0
    for one in graphs:
        for other in graphs:
            nodes = sorted({n for t in one for n in (t.subject, t.object)}, key=repr)
            others = sorted({n for t in other for n in (t.subject, t.object)}, key=repr)
            target = set(other)
            same = (
                len(one) == len(other)
                and len(nodes) == len(others)
                and any(
                    {Triple(m[t.subject], t.predicate, m[t.object]) for t in one} == target  # type: ignore[index, arg-type]
                    for image in permutations(others)
                    for m in [dict(zip(nodes, image, strict=True))]
                )
            )
            left, right = Triples(frozenset(one)), Triples(frozenset(other))
            assert (difference(left, right, "term") is None) is same
            agreeing += same
    assert 60 < agreeing < 3000


def test_regular_graphs_that_only_individualisation_tells_apart() -> None:
    """K3,3 and the prism have six nodes of degree three each; no colour parts them."""

    def graph(edges: Sequence[tuple[int, int]], prefix: str) -> list[Row]:
        both = [*edges, *((b, a) for a, b in edges)]
        return [(BlankNode(f"{prefix}{a}"), BlankNode(f"{prefix}{b}")) for a, b in both]

    bipartite = [(a, b) for a in (0, 1, 2) for b in (3, 4, 5)]
    prism = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (0, 3), (1, 4), (2, 5)]
    turned = [((5 * a + 2) % 6, (5 * b + 2) % 6) for a, b in bipartite]
    assert not same_rows(graph(bipartite, "a"), graph(prism, "b"), "term")
    assert same_rows(graph(bipartite, "a"), graph(turned, "b"), "term")


@pytest.mark.parametrize("numbers", DIALS, ids=str)
def test_literals_agree_as_decimals_say(numbers: Numbers) -> None:
    classes = literal_classes(MORE_LITERALS, numbers) if numbers != "term" else {}
    for one in MORE_LITERALS:
        for other in MORE_LITERALS:
            same = naive_agree(one, other, numbers)
            assert agree(one, other, numbers) is same, (one, other)
            if same and one != other:
                assert classes[one] == classes[other]
            if is_numeric(one) and one == other:
                assert key(one, numbers) == key(other, numbers)


def test_a_matching_is_found_iff_there_is_one() -> None:
    random = Random(3)
    found = 0
    for _ in range(1500):
        size = random.randint(0, 5)
        edges = {(i, j) for i in range(size) for j in range(size) if random.random() < 0.45}
        exists = any(
            all((i, j) in edges for i, j in enumerate(order)) for order in permutations(range(size))
        )
        assert has_perfect_matching(size, lambda i, j, e=edges: (i, j) in e) is exists  # type: ignore[misc]
        found += exists
    assert 400 < found < 1300
