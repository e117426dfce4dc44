"""A test's query as a continuous query, and its dataset as background data.

SPARQL's tests know neither streams nor windows. ``COMPUTED EVERY 1`` looks at no window, so a query
without windows is evaluated once an instant (decision 7): registered at 0 and compared until 1 it
is evaluated once, over the background data alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rsp_conformance.corpora.w3c.graphs import read_triples
from rsp_conformance.corpora.w3c.layout import Checkout
from rsp_conformance.corpora.w3c.results import Expected, read_expected
from rsp_conformance.corpora.w3c.tests import SuiteTest
from rsp_conformance.files.files import read_text
from rsp_conformance.model.background import Background, BackgroundEntry
from rsp_conformance.model.case import Case
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.query import Query
from rsp_conformance.model.terms import IRI
from rsp_conformance.text.parse import parse_query
from rsp_conformance.text.printer.rspql import print_query

DIALS = Dials()
"""Plain RSP-QL: the dials are about windows, reports and streams, and there are none."""

REGISTERED, UNTIL = 0, 1


class Failed(Exception):
    """A test that did not pass; the message says why."""


@dataclass(frozen=True, slots=True)
class EvaluationCase:
    """A query evaluation test, ready to be evaluated."""

    case: Case
    expected: Expected


def round_trip(text: str, base: str) -> Query:
    """The query that TEXT writes, parsed, printed and parsed again.

    Raises:
        Failed: it is not parsed, or what is printed is another query.
    """
    try:
        query = parse_query(text, base)
    except ValueError as error:
        raise Failed(f"does not parse: {_first_line(error)}") from None
    again = printed_and_parsed(query)
    if again != query or again.base != query.base:
        raise Failed("what is printed is another query")
    return again


def printed_and_parsed(query: Query) -> Query:
    """QUERY as its text means it.

    Raises:
        Failed: the text does not parse, or one line of it means something else.
    """
    try:
        found = [
            parse_query(print_query(query, one_clause_a_line=lines)) for lines in (True, False)
        ]
    except ValueError as error:
        raise Failed(f"what is printed does not parse: {_first_line(error)}") from None
    if found[0] != found[1]:
        raise Failed("the query printed on one line is another one")
    return found[0]


def evaluation_case(test: SuiteTest, checkout: Checkout) -> EvaluationCase:
    """TEST, a query evaluation test, as a case with what it expects.

    Raises:
        Failed: the query does not survive parser and printer.
        FileError: a file of the test cannot be read.
    """
    assert test.query is not None and test.result is not None
    query = round_trip(read_text(test.query.path), test.query.iri)
    # The clause goes through parser and printer as well.
    continuous = printed_and_parsed(replace(query, computed_every=1))
    data = _background(test, query, checkout)
    case = Case(continuous, background=data, registered=REGISTERED, until=UNTIL)
    return EvaluationCase(case, read_expected(test.result))


def _background(test: SuiteTest, query: Query, checkout: Checkout) -> Background:
    """The test's dataset, and the files that FROM and FROM NAMED name."""
    named = {IRI(document.iri): document for document in test.graphs}
    for name in (*query.default_graphs, *query.named_graphs):
        document = checkout.find(name.value)
        if name not in named and document is not None:
            named[name] = document
    default = dict.fromkeys(t for document in test.data for t in read_triples(document))
    entries = [BackgroundEntry(tuple(default))] if test.data else []
    entries += [BackgroundEntry(read_triples(d), name) for name, d in named.items()]
    return Background(tuple(entries))


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
