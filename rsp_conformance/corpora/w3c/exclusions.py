"""Which groups and types of tests are not about queries over data, and why."""

from __future__ import annotations

from collections.abc import Mapping

from rsp_conformance.corpora.w3c.tests import Kind

KINDS: Mapping[str, Kind] = {
    "PositiveSyntaxTest": Kind.POSITIVE_SYNTAX,
    "PositiveSyntaxTest11": Kind.POSITIVE_SYNTAX,
    "NegativeSyntaxTest": Kind.NEGATIVE_SYNTAX,
    "NegativeSyntaxTest11": Kind.NEGATIVE_SYNTAX,
    "QueryEvaluationTest": Kind.EVALUATION,
}
"""The types of tests that are run, by their local names."""

UPDATE = "SPARQL Update: the kit asks queries"
"""Why updates are not run."""

_FORMAT = "its subject is a format of results, which the kit does not write"

TYPES: Mapping[str, str] = {
    "PositiveUpdateSyntaxTest11": UPDATE,
    "NegativeUpdateSyntaxTest11": UPDATE,
    "UpdateEvaluationTest": UPDATE,
    "CSVResultFormatTest": _FORMAT,
    "ProtocolTest": "SPARQL Protocol: the kit is no server",
    "GraphStoreProtocolTest": "Graph Store Protocol: the kit is no server",
    "ServiceDescriptionTest": "SPARQL Service Description: the kit is no server",
}
"""Types that are not run, with the reason."""

GROUPS: Mapping[str, str] = {
    "entailment": "entailment regimes: RSP-QL's patterns are matched by simple entailment",
    "service": "SERVICE asks other endpoints, and is refused by name",
    "csv-tsv-res": _FORMAT,
    "json-res": _FORMAT,
}
"""Folders whose evaluation tests are not run, with the reason; their syntax tests are."""
