"""Rewrites of the same kind as Table 1's, which the sources claim in words (SEMANTICS 8).

"Lazy variables, caches, H1–H4 and the order of windows never change an answer." The paper's text
on H1–H4 is not public. Its prototype (github.com/keski/RSPUEngine, ``TransformHeuristics.java``)
names three: H1 windows by the time property, H2 filters that join time variables, H3 triple
patterns by selectivity; and it can pull uncertainty filters to the top of a group, which is called
H4 here. What each may do to a pattern is read as the rewrite below: a reordering is right whatever
leads an engine to it. A lazy variable is computed where it is needed, so that a FILTER reads the
expression in place of the variable.
"""

from __future__ import annotations

from rsp_conformance.laws.conditions import bound_by, deterministic, reads_no_graph, uncertain
from rsp_conformance.laws.law import Law
from rsp_conformance.laws.schemes import (
    Metavariable,
    basic,
    bound,
    equal,
    join,
    restricted,
    window,
)

P, P1, P2 = (Metavariable(name) for name in ("P", "P1", "P2"))
R, C, V, K = (Metavariable(name) for name in ("R", "C", "v", "k"))
N, M, T1, T2 = (Metavariable(name) for name in ("n", "m", "t1", "t2"))

_HEURISTIC = "Uncertainty, heuristics, as the prototype's TransformHeuristics has them"

HEURISTICS: tuple[Law, ...] = (
    Law(
        "H1",
        join(window(N, P1), window(M, P2)),
        join(window(M, P2), window(N, P1)),
        f"{_HEURISTIC}: the order of windows",
    ),
    Law(
        "H2",
        restricted(join(P1, P2), R),
        join(restricted(P1, R), P2),
        f"{_HEURISTIC}: a filter as soon as its variables are bound",
        printed=(bound_by("P1", "R"),),
        assumed=(deterministic("R"),),
    ),
    Law(
        "H3",
        basic(T1, T2),
        basic(T2, T1),
        f"{_HEURISTIC}: the order of triple patterns",
    ),
    Law(
        "H4",
        join(restricted(P1, R), P2),
        restricted(join(P1, P2), R),
        f"{_HEURISTIC}: uncertainty filters last (PULL_RSPU_FILTERS)",
        printed=(bound_by("P1", "R"), uncertain("R")),
        assumed=(deterministic("R"),),
    ),
    Law(
        "Lazy",
        restricted(bound(P, C, V), equal(V, K)),
        bound(restricted(P, equal(C, K)), C, V),
        "Uncertainty, lazy variables",
        assumed=(deterministic("C"), reads_no_graph("C")),
    ),
)
