"""The properties of the suite, as data: what each asserts, and which definition says so.

Every one of PROPERTIES asserts Definition 26 on cases that exercise one aspect, so that a failure
says where to look; ``check`` says what is done with a case besides judging its answer. RELATIONAL
are those that assert a relation between the answers to several cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rsp_conformance.differential.relations import against
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


def _of(name: str, aspect: str, definition: str, focus: str = "", **more: Any) -> Property:
    """A property of cases whose focus has its name, unless another is given."""
    return Property(name, aspect, definition, focus or name.replace("_", "-"), **more)


def _report(name: str, aspect: str, *policies: StrategyKind) -> Property:
    """A property of the report strategies POLICIES."""
    definition = "RSP-QL Def. 23, SECRET"
    return Property(name, aspect, definition, "report", policies=policies)


PROPERTIES: tuple[Property, ...] = (
    _of("windows", "bounds, width and slide of windows", "RSP-QL Def. 11-13"),
    _of("t0", "where the first window starts", "RSP-QL Def. 26", "windows", needs="starts"),
    _of("gaps", "windows with gaps, long silences", "RSP-QL Def. 13"),
    _of("silence", "silences longer than any window", "RSP-QL Def. 23, 26"),
    _report("report_close", "an answer when a window closes", "WC"),
    _report("report_change", "an answer when the content changes", "CC"),
    _report("report_non_empty", "no answer while a window is empty", "NC"),
    _report("report_periodic", "an answer every n instants", "P", "COMPUTED EVERY"),
    _of(
        "empty_answers", "evaluations without rows", "CSRBench Table 1", "report", needs="emptiness"
    ),
    _of("contemporaneous", "several elements at one instant", "SECRET tick"),
    _of("duplicates", "equal elements, sets and bags", "RSP-QL Def. 12"),
    _of("long", "drift and silence after many windows", "RSP-QL Def. 26"),
    _of("join", "joins of elements of one window", "RSP-QL Def. 16"),
    _of("multi_window", "windows over several streams", "RSP-QL Def. 14-16"),
    _of("same_stream_windows", "several windows over one stream", "RSP-QL Def. 14-16"),
    _of("window_variable", "WINDOW ?x", "RSP-QL Def. 16"),
    _of("static", "background data in the default graph", "RSP-QL Def. 14"),
    _of("named_graphs", "background data in named graphs", "RSP-QL Def. 14"),
    _of("time_varying", "background data that changes", "RSP-QL Def. 10"),
    _of("named_elements", "stream elements that are named graphs", "RSP-QL* Def. 6"),
    _of("filter", "FILTER and its errors", "SPARQL 1.1, 17"),
    _of("optional", "OPTIONAL", "SPARQL 1.1, 6"),
    _of("union", "UNION", "SPARQL 1.1, 7"),
    _of("literals", "numbers and their lexical forms", "SPARQL 1.1, 17.1", "values-literals"),
    _of("terms", "variables twice in a pattern, literals in it, odd strings", "SPARQL 1.1, 4"),
    _of("blank_nodes", "blank nodes in the data", "RDF 1.1, 3.4"),
    _of("aggregates", "GROUP BY, HAVING, aggregates", "SPARQL 1.1, 11"),
    _of("distinct", "DISTINCT within one evaluation", "SPARQL 1.1, 15.3"),
    _of("minus", "MINUS, with and without a shared variable", "SPARQL 1.1, 8.3"),
    _of("exists", "EXISTS and NOT EXISTS", "SPARQL 1.1, 8.1, 18.6"),
    _of("subqueries", "subqueries, what they hide", "SPARQL 1.1, 12"),
    _of("values", "VALUES, several columns, UNDEF", "SPARQL 1.1, 10.2"),
    _of("paths", "property paths", "SPARQL 1.1, 9, 18.4"),
    _of("functions", "functions and casts, their errors", "SPARQL 1.1, 17.4, 17.5"),
    _of("errors", "aggregates of errors, orders across types", "SPARQL 1.1, 11, 15.1"),
    _of("quoted_triples", "quoted triples (RDF-star)", "RSP-QL* Def. 1, 4-6", "rdf-star"),
    _of("triple_terms", "RDF 1.2 triple terms", "RDF 1.2 Concepts, 3.1"),
    _of("uncertainty", "uncertainty functions", "Uncertainty Def. 3-7, 14"),
    _of("order", "ORDER BY, LIMIT and OFFSET", "SPARQL 1.1, 15"),
    _of("rstream", "RSTREAM", "RSP-QL Def. 20"),
    _of("istream", "ISTREAM", "RSP-QL Def. 21"),
    _of("dstream", "DSTREAM", "RSP-QL Def. 22"),
    _of("construct", "CONSTRUCT", "SPARQL 1.1, 16.2"),
    _of("ask", "ASK", "SPARQL 1.1, 16.3"),
    _of("anything", "all of it together", "RSP-QL Def. 26", "any"),
    _of(
        "settled",
        "waiting between elements changes nothing",
        "RSP-QL Def. 26",
        "long",
        check="settled",
    ),
    _of("repeat", "the same case twice gives one answer", "RSP-QL Def. 26", "any", check="repeat"),
)


RELATIONAL: tuple[Property, ...] = tuple(
    Property(r.property_name, r.title, r.source, "", "relation", relation=r) for r in RELATIONS
)
"""The laws and the relations, which hold between an engine's own answers."""

AGAINST: tuple[Property, ...] = tuple(
    Property(r.property_name, r.title, r.source, "", "relation", relation=r)
    for r in (
        against(p.focus, p.name, p.aspect)
        for p in PROPERTIES
        if p.check == "answer" and p.needs == "answers"
    )
)
"""What holds between the answers of two engines, one a property of a single one."""

SUITE = PROPERTIES + RELATIONAL
"""All of the suite, in the order in which it runs."""


def property_named(name: str) -> Property:
    """The property NAME; ValueError where there is none."""
    for property in SUITE + AGAINST:
        if property.name == name:
            return property
    hint = did_you_mean(name, [property.name for property in SUITE])
    raise ValueError(f"unknown property {name!r}{hint}")
