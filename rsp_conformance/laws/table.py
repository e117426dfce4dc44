"""The eighteen equivalences of *Uncertainty* Table 1, and heuristics of the same kind.

Those without GRAPH, WINDOW and BIND come from Schmidt, Meier and Lausen, *Foundations of SPARQL
Query Optimization* (ICDT 2010), whose operators are Pérez': an operand of OPT that is a group of
its own. SEMANTICS 8 names FReordI and FReordII without printing them; FReordI is read as Schmidt's
FReord, FReordII as the same for the operands of a conjunction.

"Lazy variables, caches, H1–H4 and the order of windows never change an answer" (SEMANTICS 8). The
paper's text on H1–H4 is not public. Its prototype (github.com/keski/RSPUEngine,
``TransformHeuristics.java``) names three: H1 windows by the time property, H2 filters that join
time variables, H3 triple patterns by selectivity; and it can pull uncertainty filters to the top of
a group, which is called H4 here. What each may do to a pattern is read as the rewrite below: a
reordering is right whatever leads an engine to it. A lazy variable is computed where it is needed,
so that a FILTER reads the expression in place of the variable.
"""

from __future__ import annotations

from functools import partial

from rsp_conformance.laws.conditions import (
    NAME_NOT_ASSIGNED,
    NAME_NOT_READ,
    absent,
    bound_by,
    deterministic,
    only_of_left,
    reads_no_graph,
    uncertain,
)
from rsp_conformance.laws.law import SETS, Law

_OWN = "Uncertainty Table 1"
_SCHMIDT = f"{_OWN}, after Schmidt et al. 2010, Figure 3"
_HEURISTIC = "Uncertainty, heuristics, as the prototype's TransformHeuristics has them"
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
_binds_left = partial(
    Law, source=_OWN, printed=(only_of_left("C"), absent("v", "P2")), assumed=_BINDS
)

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
    _law("FReordI", "(P FILTER R1) FILTER R2 ≡ (P FILTER R2) FILTER R1", assumed=_TWO_FILTERS),
    _law(
        "FReordII",
        "P FILTER (R1 ∧ R2) ≡ P FILTER (R2 ∧ R1)",
        source=_OWN,
        assumed=_TWO_FILTERS,
    ),
    _law(
        "FUPush",
        "(P1 UNION P2) FILTER R ≡ (P1 FILTER R) UNION (P2 FILTER R)",
        assumed=_ONE_FILTER,
    ),
    _law(
        "FJPush",
        "(P1 AND P2) FILTER R ≡ (P1 FILTER R) AND P2",
        printed=(only_of_left("R"),),
        assumed=_ONE_FILTER,
    ),
    _law(
        "FLPush",
        "(P1 OPT P2) FILTER R ≡ (P1 FILTER R) OPT P2",
        printed=(only_of_left("R"),),
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
"""The table, in its order."""

HEURISTICS: tuple[Law, ...] = (
    Law(
        "H1",
        "(WINDOW n P1) AND (WINDOW m P2) ≡ (WINDOW m P2) AND (WINDOW n P1)",
        f"{_HEURISTIC}: the order of windows",
    ),
    Law(
        "H2",
        "(P1 AND P2) FILTER R ≡ (P1 FILTER R) AND P2",
        f"{_HEURISTIC}: a filter as soon as its variables are bound",
        printed=(bound_by("P1", "R"),),
        assumed=_ONE_FILTER,
    ),
    Law("H3", "t1 . t2 ≡ t2 . t1", f"{_HEURISTIC}: the order of triple patterns"),
    Law(
        "H4",
        "(P1 FILTER R) AND P2 ≡ (P1 AND P2) FILTER R",
        f"{_HEURISTIC}: uncertainty filters last (PULL_RSPU_FILTERS)",
        printed=(bound_by("P1", "R"), uncertain("R")),
        assumed=_ONE_FILTER,
    ),
    Law(
        "Lazy",
        "(P BIND C AS ?v) FILTER (?v = k) ≡ (P FILTER (C = k)) BIND C AS ?v",
        "Uncertainty, lazy variables",
        assumed=(deterministic("C"), reads_no_graph("C")),
    ),
)
"""Rewrites of the same kind as the table's, which the sources claim in words."""


def law_named(name: str) -> Law:
    """The law NAME of the table or of the heuristics; KeyError where there is none."""
    return {law.name: law for law in (*LAWS, *HEURISTICS)}[name]
