"""Hypothesis strategies for RDF stream processing: terms, streams, windows, queries, cases."""

from rsp_conformance.strategies.cases import GENERATED, cases
from rsp_conformance.strategies.focus import FOCUSES, Focus, applicable

__all__ = ["FOCUSES", "GENERATED", "Focus", "applicable", "cases"]
