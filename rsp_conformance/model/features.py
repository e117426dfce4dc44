"""Features: what a query or a case may use (ENGINE_PROTOCOL, table of features).

An engine declares them, the generator obeys them, and profiles' overrides ask for them.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

FEATURES: dict[str, str] = {
    "select": "SELECT queries",
    "ask": "ASK queries",
    "construct": "CONSTRUCT queries",
    "rstream": "RSTREAM written in the query",
    "istream": "ISTREAM written in the query",
    "dstream": "DSTREAM written in the query",
    "filter": "FILTER",
    "optional": "OPTIONAL",
    "union": "UNION",
    "bind": "BIND and expressions in SELECT",
    "minus": "MINUS",
    "values": "VALUES",
    "exists": "EXISTS and NOT EXISTS",
    "paths": "property paths",
    "subqueries": "subqueries",
    "functions": "SPARQL's functions and casts",
    "aggregates": "GROUP BY and aggregates",
    "having": "HAVING",
    "distinct": "DISTINCT",
    "order": "ORDER BY",
    "limit": "LIMIT and OFFSET",
    "multi-window": "several windows over several streams",
    "same-stream-windows": "several windows over one stream",
    "window-variable": "WINDOW ?x",
    "gap-windows": "windows with a slide greater than the width",
    "static-data": "background data in the default graph",
    "named-graphs": "background data in named graphs",
    "time-varying-data": "background data that changes in time",
    "named-elements": "stream elements that are named graphs (RSP-QL*)",
    "rdf-star": "quoted triples as subjects and objects, written << s p o >>",
    "triple-terms": "RDF 1.2 triple terms, objects only, written <<( s p o )>>",
    "uncertainty": "rspu functions",
    "multi-triple-elements": "stream elements of several triples",
    "blank-nodes": "blank nodes in the data",
    "typed-literals": "literals with a datatype",
    "language-tags": "literals with a language tag",
    "count-windows": "windows by count",
    "now-window": "NOW windows",
    "unbounded-window": "UNBOUNDED windows",
}


def check_features(names: Iterable[str]) -> frozenset[str]:
    """NAMES as a set; ValueError for one outside the table. Names beginning ``x-`` are dropped."""
    known = frozenset(name for name in names if not name.startswith("x-"))
    for name in sorted(known):
        if name not in FEATURES:
            near = get_close_matches(name, FEATURES, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(
                f"unknown feature {name!r}{hint} (the features are {', '.join(FEATURES)})"
            )
    return known


def quoted_positions(features: Iterable[str]) -> frozenset[str]:
    """Where FEATURES let a quoted triple stand: ``subject``, ``object``, both or nowhere.

    RDF-star (``rdf-star``) has quoted triples in both places. RDF 1.2 (``triple-terms``) has them
    as objects only: its ``<< s p o >>`` as a subject is a node that reifies the triple.
    """
    known = frozenset(features)
    if "rdf-star" in known:
        return frozenset({"subject", "object"})
    return frozenset({"object"} if "triple-terms" in known else ())


def writes_triple_terms(features: Iterable[str]) -> bool:
    """Whether an engine with FEATURES is sent ``<<( s p o )>>`` rather than ``<< s p o >>``.

    It is where it has RDF 1.2's triple terms and not RDF-star, whose spelling covers both places.
    """
    known = frozenset(features)
    return "triple-terms" in known and "rdf-star" not in known


def with_implied(features: Iterable[str]) -> frozenset[str]:
    """FEATURES, and ``triple-terms`` where ``rdf-star`` is among them.

    What uses ``triple-terms`` alone has quoted triples as objects only, and an engine with
    ``rdf-star`` takes those as well, in its own spelling. So a case may be sent to an engine if
    ``case_features(case) <= with_implied(declared)``.
    """
    known = frozenset(features)
    return known | {"triple-terms"} if "rdf-star" in known else known
