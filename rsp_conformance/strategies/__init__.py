"""Hypothesis strategies for RDF stream processing: terms, streams, windows, queries, cases.

``cases`` draws everything that a conformance test needs, within an engine's features and profile;
name a ``focus`` to get cases about one aspect. Its parts are strategies too, for tests of your own:
``terms``, ``triples``, ``graphs``, ``streams``, ``windows``, ``backgrounds`` and ``queries``.
``law_cases`` draws queries to which a law applies, together with their rewriting.
``case_from_bytes`` makes a case from a fuzzer's bytes. All values shrink towards what a person
would write, and print as RSP-QL and in the papers' notation of streams.
"""

from rsp_conformance.strategies.background import backgrounds
from rsp_conformance.strategies.cases import GENERATED, case_from_bytes, cases, queries, some_cases
from rsp_conformance.strategies.focus import FOCUSES, Focus, applicable
from rsp_conformance.strategies.laws import LawCase, applicable_law, law_cases, law_instances
from rsp_conformance.strategies.streams import streams
from rsp_conformance.strategies.terms import graphs, terms, triples
from rsp_conformance.strategies.windows import windows

__all__ = [
    "FOCUSES",
    "GENERATED",
    "Focus",
    "LawCase",
    "applicable",
    "applicable_law",
    "backgrounds",
    "case_from_bytes",
    "cases",
    "graphs",
    "law_cases",
    "law_instances",
    "queries",
    "some_cases",
    "streams",
    "terms",
    "triples",
    "windows",
]
