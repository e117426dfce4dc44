"""The features a hello may declare (section "hello", the table)."""

from __future__ import annotations

from typing import Final

FEATURES: Final[dict[str, str]] = {
    "select": "the form SELECT",
    "ask": "the form ASK",
    "construct": "the form CONSTRUCT",
    "rstream": "RSTREAM written in the query",
    "istream": "ISTREAM written in the query",
    "dstream": "DSTREAM written in the query",
    "filter": "FILTER",
    "optional": "OPTIONAL",
    "union": "UNION",
    "bind": "BIND",
    "minus": "MINUS",
    "values": "VALUES",
    "exists": "EXISTS and NOT EXISTS",
    "paths": "property paths",
    "subqueries": "SELECT inside a pattern",
    "functions": "functions in expressions",
    "aggregates": "aggregates and GROUP BY",
    "having": "HAVING",
    "distinct": "DISTINCT",
    "order": "ORDER BY",
    "limit": "LIMIT and OFFSET",
    "multi-window": "several windows over several streams",
    "same-stream-windows": "several windows over one stream",
    "window-variable": "WINDOW ?x",
    "gap-windows": "a slide greater than the width",
    "static-data": "background data in the default graph",
    "named-graphs": "background data in named graphs",
    "time-varying-data": "background data that changes in time",
    "named-elements": "stream elements that are named graphs with a timestamp triple",
    "rdf-star": "quoted triples",
    "triple-terms": "triple terms of RDF 1.2",
    "uncertainty": "the functions on distributions",
    "multi-triple-elements": "stream elements of several triples",
    "blank-nodes": "blank nodes in the data",
    "typed-literals": "literals with a datatype",
    "language-tags": "literals with a language",
    "count-windows": "windows by count",
    "now-window": "NOW windows",
    "unbounded-window": "UNBOUNDED windows",
}
"""Every feature with what the query or the case may use if it is declared."""

EXPERIMENTAL: Final = "x-"
"""Names that begin so are a driver's own and are ignored."""
