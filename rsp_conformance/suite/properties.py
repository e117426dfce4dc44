"""The properties of the suite, as data: what each asserts, and which definition says so.

Every one of PROPERTIES asserts Definition 26 on cases that exercise one aspect, so that a failure
says where to look; ``check`` says what is done with a case besides judging its answer. RELATIONAL
are those that assert a relation between the answers to several cases.
"""

from __future__ import annotations

from dataclasses import dataclass

from rsp_conformance.judge.vacuity import Need
from rsp_conformance.metamorphic.registry import RELATIONS
from rsp_conformance.metamorphic.relation import MetamorphicRelation
from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.policy import StrategyKind


@dataclass(frozen=True, slots=True)
class Property:
    """One test of the suite.

    ``name`` is stable: the test id is ``rsp::test_<name>``. ``focus`` is the strategies' focus.
    ``check``: ``answer`` judges a burst run, ``settled`` a settled one, ``repeat`` two runs;
    ``relation`` holds what ``relation`` says between the answers to several cases.
    ``needs`` is what a case must have, else its answer is no test (``judge.vacuity``);
    ``policies`` are report strategies of which the profile's policy must use one.
    """

    name: str
    aspect: str
    definition: str
    focus: str
    check: str = "answer"
    needs: Need = "answers"
    policies: tuple[StrategyKind, ...] = ()
    relation: MetamorphicRelation | None = None


PROPERTIES: tuple[Property, ...] = (
    Property("windows", "bounds, width and slide of windows", "RSP-QL Def. 11-13", "windows"),
    Property("t0", "where the first window starts", "RSP-QL Def. 26", "windows", needs="starts"),
    Property("gaps", "windows with gaps, long silences", "RSP-QL Def. 13", "gaps"),
    Property("silence", "silences longer than any window", "RSP-QL Def. 23, 26", "silence"),
    Property(
        "report_close",
        "an answer when a window closes",
        "RSP-QL Def. 23, SECRET",
        "report",
        policies=("WC",),
    ),
    Property(
        "report_change",
        "an answer when the content changes",
        "RSP-QL Def. 23, SECRET",
        "report",
        policies=("CC",),
    ),
    Property(
        "report_non_empty",
        "no answer while a window is empty",
        "RSP-QL Def. 23, SECRET",
        "report",
        policies=("NC",),
    ),
    Property(
        "report_periodic",
        "an answer every n instants",
        "RSP-QL Def. 23, SECRET",
        "report",
        policies=("P", "COMPUTED EVERY"),
    ),
    Property(
        "empty_answers", "evaluations without rows", "CSRBench Table 1", "report", needs="emptiness"
    ),
    Property(
        "contemporaneous", "several elements at one instant", "SECRET tick", "contemporaneous"
    ),
    Property("duplicates", "equal elements, sets and bags", "RSP-QL Def. 12", "duplicates"),
    Property("long", "drift and silence after many windows", "RSP-QL Def. 26", "long"),
    Property("join", "joins of elements of one window", "RSP-QL Def. 16", "join"),
    Property("multi_window", "windows over several streams", "RSP-QL Def. 14-16", "multi-window"),
    Property(
        "same_stream_windows",
        "several windows over one stream",
        "RSP-QL Def. 14-16",
        "same-stream-windows",
    ),
    Property("window_variable", "WINDOW ?x", "RSP-QL Def. 16", "window-variable"),
    Property("static", "background data in the default graph", "RSP-QL Def. 14", "static"),
    Property("named_graphs", "background data in named graphs", "RSP-QL Def. 14", "named-graphs"),
    Property("time_varying", "background data that changes", "RSP-QL Def. 10", "time-varying"),
    Property(
        "named_elements",
        "stream elements that are named graphs",
        "RSP-QL* Def. 6",
        "named-elements",
    ),
    Property("filter", "FILTER and its errors", "SPARQL 1.1, 17", "filter"),
    Property("optional", "OPTIONAL", "SPARQL 1.1, 6", "optional"),
    Property("union", "UNION", "SPARQL 1.1, 7", "union"),
    Property("literals", "numbers and their lexical forms", "SPARQL 1.1, 17.1", "values-literals"),
    Property("blank_nodes", "blank nodes in the data", "RDF 1.1, 3.4", "blank-nodes"),
    Property("aggregates", "GROUP BY, HAVING, aggregates", "SPARQL 1.1, 11", "aggregates"),
    Property("distinct", "DISTINCT within one evaluation", "SPARQL 1.1, 15.3", "distinct"),
    Property("minus", "MINUS, with and without a shared variable", "SPARQL 1.1, 8.3", "minus"),
    Property("exists", "EXISTS and NOT EXISTS", "SPARQL 1.1, 8.1, 18.6", "exists"),
    Property("subqueries", "subqueries, what they hide", "SPARQL 1.1, 12", "subqueries"),
    Property("values", "VALUES, several columns, UNDEF", "SPARQL 1.1, 10.2", "values"),
    Property("paths", "property paths", "SPARQL 1.1, 9, 18.4", "paths"),
    Property(
        "functions", "functions and casts, their errors", "SPARQL 1.1, 17.4, 17.5", "functions"
    ),
    Property(
        "errors", "aggregates of errors, orders across types", "SPARQL 1.1, 11, 15.1", "errors"
    ),
    Property("quoted_triples", "quoted triples (RDF-star)", "RSP-QL* Def. 1, 4-6", "rdf-star"),
    Property("triple_terms", "RDF 1.2 triple terms", "RDF 1.2 Concepts, 3.1", "triple-terms"),
    Property("uncertainty", "uncertainty functions", "Uncertainty Def. 3-7, 14", "uncertainty"),
    Property("order", "ORDER BY, LIMIT and OFFSET", "SPARQL 1.1, 15", "order"),
    Property("rstream", "RSTREAM", "RSP-QL Def. 20", "rstream"),
    Property("istream", "ISTREAM", "RSP-QL Def. 21", "istream"),
    Property("dstream", "DSTREAM", "RSP-QL Def. 22", "dstream"),
    Property("construct", "CONSTRUCT", "SPARQL 1.1, 16.2", "construct"),
    Property("ask", "ASK", "SPARQL 1.1, 16.3", "ask"),
    Property("anything", "all of it together", "RSP-QL Def. 26", "any"),
    Property(
        "settled", "waiting between elements changes nothing", "RSP-QL Def. 26", "long", "settled"
    ),
    Property("repeat", "the same case twice gives one answer", "RSP-QL Def. 26", "any", "repeat"),
)


RELATIONAL: tuple[Property, ...] = tuple(
    Property(
        relation.property_name,
        relation.title,
        relation.source,
        focus="",
        check="relation",
        relation=relation,
    )
    for relation in RELATIONS
)
"""The laws and the relations, which hold between an engine's own answers."""

SUITE = PROPERTIES + RELATIONAL
"""All of the suite, in the order in which it runs."""


def property_named(name: str) -> Property:
    """The property NAME; ValueError where there is none."""
    for property in SUITE:
        if property.name == name:
            return property
    hint = did_you_mean(name, [property.name for property in SUITE])
    raise ValueError(f"unknown property {name!r}{hint}")
