"""A case's query in the forms in which engines of other kinds take it.

Some engines merge what windows hold into the default graph and have no WINDOW, so a query that
names its windows tells them nothing; others evaluate only where the query says how often. An engine
that evaluates at each arrival has no use for a slide, and its language may have none; one that only
streams what is new has no query without ISTREAM. Each form is a query of its own, and its answers
are found by evaluating it: nothing is translated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rsp_conformance.model.algebra import Window
from rsp_conformance.model.dials import Dials
from rsp_conformance.model.policy import strategies
from rsp_conformance.model.query import Query, StreamOperator
from rsp_conformance.model.terms import IRI
from rsp_conformance.model.walk import rewritten, within


def forms(query: Query) -> Iterator[Query]:
    """Yield a query as it is, and then in the other forms that it has.

    Args:
        query: the query, with its durations in instants.
    """
    yield query
    for other in (_merged(query), _apart(query)):
        if other is not None:
            yield other
    if query.computed_every is None and query.windows:
        slide = query.windows[0].slide
        yield replace(query, computed_every=slide if isinstance(slide, int) else 1)


def as_written_under(query: Query, dials: Dials) -> Query:
    """Return a query as engines with some dials have it, with the slides and operators they write.

    Args:
        query: one form of the query.
        dials: the dials of the engines for it.
    """
    if query.operator is None and len(dials.stream_operators) == 1:
        operator = next(o for o in StreamOperator if o.letter in dials.stream_operators)
        query = replace(query, operator=operator)
    if query.computed_every is None and {own.kind for own in strategies(dials.report)} == {"CC"}:
        windows = (replace(w, slide=1) if w.is_by_time else w for w in query.windows)
        query = replace(query, windows=tuple(windows))
    return query


def _merged(query: Query) -> Query | None:
    """The query without names of windows: all that they hold is in the default graph."""
    windows = [part for part in within(query) if isinstance(part, Window)]
    if not any(w.named for w in query.windows) or not all(
        isinstance(one.name, IRI) for one in windows
    ):
        return None
    merged: Query = rewritten(query, lambda p: p.pattern if isinstance(p, Window) else p)
    return replace(merged, windows=tuple(replace(w, named=False) for w in query.windows))


def _apart(query: Query) -> Query | None:
    """The query with a name for its only window, which is merged in it."""
    if len(query.windows) != 1 or query.windows[0].named:
        return None
    window = replace(query.windows[0], named=True)
    return replace(query, windows=(window,), pattern=Window(window.name, query.pattern))
