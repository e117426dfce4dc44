"""The eighteen equivalences of *Uncertainty* Table 1, and its heuristics as rewritings.

The laws without GRAPH, WINDOW and BIND come from Schmidt, Meier and Lausen, *Foundations of SPARQL
Query Optimization* (ICDT 2010). Their operators are Pérez': an operand of OPT is a group of its
own.

"Lazy variables, caches, H1–H4 and the order of windows never change an answer" (SEMANTICS 8). An
optimiser applies a heuristic in many steps; each law here is one step: two neighbours change
places, or two conditions move to the operands that they are about. H3 is what FDecompI, FJPush and
JComm do together, and H4 works against H3. A lazy variable is computed where it is needed, so a
FILTER reads the expression in place of the variable.
"""

from __future__ import annotations

from functools import partial

from rsp_conformance.laws.conditions import (
    NAME_NOT_ASSIGNED,
    NAME_NOT_READ,
    SELECTIVE_LAST,
    VARIABLE_FIRST,
    absent,
    bound_by,
    deterministic,
    only_of,
    reads_no_graph,
    uncertain,
)
from rsp_conformance.laws.law import SETS, Law

_OWN = "Uncertainty Table 1"
_SCHMIDT = f"{_OWN}, after Schmidt et al. 2010, Figure 3"
_HEURISTIC = "Uncertainty, heuristics"
_ONE_FILTER = (deterministic("R"),)
_TWO_FILTERS = (deterministic("R1"), deterministic("R2"))
_BINDS = (deterministic("C"),)
_ONLY_SETS = frozenset({SETS})

_law = partial(Law, source=_SCHMIDT)
_binds_inside = partial(
    Law,
    source=_OWN,
    missing=(NAME_NOT_READ, NAME_NOT_ASSIGNED, reads_no_graph("C")),
    assumed=_BINDS,
    printed_holds_on=frozenset(),
)
_binds_left = partial(Law, source=_OWN, printed=(only_of("C"), absent("v", "P2")), assumed=_BINDS)

LAWS: tuple[Law, ...] = (
    _law("UAss", "(P1 UNION P2) UNION P3 ≡ P1 UNION (P2 UNION P3)"),
    _law("JAss", "(P1 AND P2) AND P3 ≡ P1 AND (P2 AND P3)"),
    _law("UComm", "P1 UNION P2 ≡ P2 UNION P1"),
    _law("JComm", "P1 AND P2 ≡ P2 AND P1"),
    _law("JUDistR", "(P1 UNION P2) AND P3 ≡ (P1 AND P3) UNION (P2 AND P3)"),
    _law("LUDistR", "(P1 UNION P2) OPT P3 ≡ (P1 OPT P3) UNION (P2 OPT P3)"),
    _law("FDecompI", "P FILTER (R1 ∧ R2) ≡ (P FILTER R1) FILTER R2", assumed=_TWO_FILTERS),
    _law(
        "FDecompII",
        "P FILTER (R1 ∨ R2) ≡ (P FILTER R1) UNION (P FILTER R2)",
        assumed=_TWO_FILTERS,
        holds_on=_ONLY_SETS,
        printed_holds_on=_ONLY_SETS,
    ),
    _law("FReordI", "P FILTER (R1 ∧ R2) ≡ P FILTER (R2 ∧ R1)", assumed=_TWO_FILTERS),
    _law("FReordII", "P FILTER (R1 ∨ R2) ≡ P FILTER (R2 ∨ R1)", assumed=_TWO_FILTERS),
    _law(
        "FUPush",
        "(P1 UNION P2) FILTER R ≡ (P1 FILTER R) UNION (P2 FILTER R)",
        assumed=_ONE_FILTER,
    ),
    _law(
        "FJPush",
        "(P1 AND P2) FILTER R ≡ (P1 FILTER R) AND P2",
        printed=(only_of("R"),),
        assumed=_ONE_FILTER,
    ),
    _law(
        "FLPush",
        "(P1 OPT P2) FILTER R ≡ (P1 FILTER R) OPT P2",
        printed=(only_of("R"),),
        assumed=_ONE_FILTER,
    ),
    _law(
        "FWPush",
        "(WINDOW n P) FILTER R ≡ WINDOW n (P FILTER R)",
        source=_OWN,
        printed=(bound_by("P", "R"),),
        missing=(reads_no_graph("R"),),
        assumed=_ONE_FILTER,
    ),
    _binds_inside("BGPush", "(GRAPH n P) BIND C AS ?v ≡ GRAPH n (P BIND C AS ?v)"),
    _binds_inside("BWPush", "(WINDOW n P) BIND C AS ?v ≡ WINDOW n (P BIND C AS ?v)"),
    _binds_left("BJPush", "(P1 AND P2) BIND C AS ?v ≡ (P1 BIND C AS ?v) AND P2"),
    _binds_left("BLPush", "(P1 OPT P2) BIND C AS ?v ≡ (P1 BIND C AS ?v) OPT P2"),
)
"""The laws of Table 1, in its order."""

HEURISTICS: tuple[Law, ...] = (
    Law(
        "H1",
        "t1 . t2 ≡ t2 . t1",
        f"{_HEURISTIC}: triple patterns by selectivity, the most selective first",
        printed=(SELECTIVE_LAST,),
    ),
    Law(
        "H2",
        "(GRAPH m P1) AND (GRAPH n P2) ≡ (GRAPH n P2) AND (GRAPH m P1)",
        f"{_HEURISTIC}: graph patterns with a name before those with a variable",
        printed=(VARIABLE_FIRST,),
    ),
    Law(
        "H3",
        "(P1 AND P2) FILTER (R1 ∧ R2) ≡ (P1 FILTER R1) AND (P2 FILTER R2)",
        f"{_HEURISTIC}: conjunctions broken up, each condition as early as it may be",
        printed=(only_of("R1"), only_of("R2", "P2", "P1")),
        assumed=_TWO_FILTERS,
    ),
    Law(
        "H4",
        "(P1 FILTER R) AND P2 ≡ (P1 AND P2) FILTER R",
        f"{_HEURISTIC}: uncertainty filters as late as possible",
        printed=(bound_by("P1", "R"), uncertain("R")),
        assumed=_ONE_FILTER,
    ),
    Law(
        "WReord",
        "(WINDOW n P1) AND (WINDOW m P2) ≡ (WINDOW m P2) AND (WINDOW n P1)",
        "Uncertainty, the order of windows",
    ),
    Law(
        "Lazy",
        "(P BIND C AS ?v) FILTER (?v = k) ≡ (P FILTER (C = k)) BIND C AS ?v",
        "Uncertainty, lazy variables",
        assumed=(deterministic("C"), reads_no_graph("C")),
    ),
)
"""Rewritings of the same kind as the table's, which the sources describe in words."""


def law_named(name: str) -> Law:
    """Return the law or heuristic of this name.

    Raises:
        KeyError: no law has this name.
    """
    return {law.name: law for law in (*LAWS, *HEURISTICS)}[name]
