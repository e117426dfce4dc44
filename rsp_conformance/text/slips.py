"""Notes on parts of a query that are legal but hardly ever meant, in words."""

from __future__ import annotations

from collections.abc import Iterator

from rsp_conformance.model.errors import did_you_mean
from rsp_conformance.model.query import Query
from rsp_conformance.model.slips import names_in_having, undeclared_windows
from rsp_conformance.text.printer.rspql import QueryPrinter

HAVING_FIRST = "HAVING comes before SELECT names it (SPARQL 1.1, 18.2.4.2 and 18.2.4.4)"


def slips(query: Query) -> Iterator[str]:
    """Yield a line about each slip of a query; the slips do not change its answers."""
    yield from unknown_windows(query)
    printer = QueryPrinter(query.prefixes)
    for variable, expression in names_in_having(query).items():
        meant = printer.expression(expression)
        yield f"?{variable.name} is not bound in HAVING: {HAVING_FIRST}; write {meant} there"


def unknown_windows(query: Query) -> Iterator[str]:
    """Yield a line about each name in WINDOW that is not a window of the query."""
    declared = [query.shorten(window.name) for window in query.windows]
    for name in map(query.shorten, undeclared_windows(query)):
        hint = did_you_mean(name, declared)
        yield f"no window of the query is called {name}, so WINDOW {name} finds nothing{hint}"
