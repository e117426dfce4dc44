"""The tables from which foci are mixed: clauses and their features, rhythms, window sizes.

Every table lists the simplest entry first, where shrinking leads, and frequent entries repeatedly.
"""

from __future__ import annotations

from typing import TypeAlias

from rsp_conformance.model.tables import read_table

Clauses: TypeAlias = tuple[str, ...]
"""Clauses that come together, by name."""

Mix: TypeAlias = tuple[Clauses, ...]
"""A table of clauses, of which a case draws one entry."""

SILENCE = -1
"""In a rhythm: a gap that is longer than any window."""

# Gaps between elements, the simplest first: 1 is the gap that a person would write.
STEADY = (1, 0, 1, 2, 1, 3, 1, 0)
SLOW = (1, 2, 3, 4, 2, 1, 3, 2)
BURSTS = (1, 0, 0, 0, 0, 3, 0, 1)
SILENT = (1, 0, 2, 1, 0, SILENCE, 1, 2)
RHYTHMS = (STEADY, STEADY, SLOW, BURSTS, SILENT)

# Slides; None is RANGE without STEP. |Z| is the product of the slides and is kept small.
SLIDES: tuple[int | None, ...] = (1, 2, 3, 2, 1, 2, 3, 4)
# By how much the width exceeds the slide: 0 is tumbling, a negative number leaves gaps.
EXTRAS = (0, 1, 2, 3, 0, 4)
WIDE = (0, 1, 3, 4, 5, 3)  # for wide windows
SIZES = (0, 3, 4, 5, 6, 4, 5, 6)
"""The least number of elements of a stream: few cases are useful with an empty stream."""


def mix(entries: str) -> Mix:
    """Parse a table of clauses.

    ``join+static*3`` is three entries with these two clauses, and ``*6`` six entries with none.
    """
    table: list[Clauses] = []
    for entry in entries.split() or ("*",):
        names, _, weight = entry.partition("*")
        table.extend([tuple(names.split("+")) if names else ()] * int(weight or 1))
    return tuple(table)


REQUIRED: dict[str, frozenset[str]] = {
    clause: frozenset(needs)
    for clause, needs in read_table(__name__, "clauses.toml")["needs"].items()
}
"""The features that each clause or head needs."""

NAMED_ONLY = frozenset({"window-variable", "window-graph", "named-elements"})
"""Clauses without a meaning if the profile merges every window into the default graph."""

ANY = mix(
    "*2 join*2 window*2 again static*2 varying graph graph-varying window-variable optional*2 "
    "union*2 filter*3 bind values numbers lexical tags blank-nodes multi-triple named-elements "
    "bystander more idle minus exists subquery inline paths "
    "function-filter function-bind errors quoted "
    "uncertain+filter repeated-variables pattern-literals predicate-variables pattern-nodes*2 "
    "odd-strings keyword-names*2 odd-names prefixes+filter "
    "nested*4 nested+static nested+graph nested+window nested+graph+static"
)
"""One of all clauses."""

RARELY = mix(
    "*20 join window static optional union filter*2 values numbers blank-nodes multi-triple"
)
"""Mostly no clause, else one of the common ones."""
PLAIN = ("select",)
"""The only head of most foci."""
