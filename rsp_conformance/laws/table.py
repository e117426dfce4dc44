"""The eighteen equivalences of *Uncertainty* Table 1 (SEMANTICS 8).

Those without GRAPH, WINDOW and BIND come from Schmidt, Meier and Lausen, *Foundations of SPARQL
Query Optimization* (ICDT 2010), whose operators are Pérez': an operand of OPT that is a group of
its own. SEMANTICS names FReordI and FReordII without printing them; FReordI is read as Schmidt's
FReord, FReordII as the same for the operands of a conjunction.
"""

from __future__ import annotations

from rsp_conformance.laws.conditions import (
    NAME_NOT_ASSIGNED,
    NAME_NOT_READ,
    Condition,
    absent,
    bound_by,
    deterministic,
    only_of_left,
    reads_no_graph,
)
from rsp_conformance.laws.law import BOTH, SETS, Law
from rsp_conformance.laws.schemes import (
    Metavariable,
    Scheme,
    bound,
    conjunction,
    disjunction,
    graph,
    join,
    optional,
    restricted,
    union,
    window,
)

P, P1, P2, P3 = (Metavariable(name) for name in ("P", "P1", "P2", "P3"))
R, R1, R2 = (Metavariable(name) for name in ("R", "R1", "R2"))
C, V, N = Metavariable("C"), Metavariable("v"), Metavariable("n")

_SCHMIDT = "Uncertainty Table 1, after Schmidt et al. 2010, Figure 3"
_OWN = "Uncertainty Table 1"
_ONE_FILTER = (deterministic("R"),)
_TWO_FILTERS = (deterministic("R1"), deterministic("R2"))
_BINDS = (deterministic("C"),)
_ONLY_SETS = frozenset({SETS})
_NEVER: frozenset[str] = frozenset()


def _law(
    name: str,
    left: Scheme,
    right: Scheme,
    *printed: Condition,
    source: str = _SCHMIDT,
    missing: tuple[Condition, ...] = (),
    assumed: tuple[Condition, ...] = (),
    holds_on: frozenset[str] = BOTH,
    printed_holds_on: frozenset[str] = BOTH,
) -> Law:
    return Law(name, left, right, source, printed, missing, assumed, holds_on, printed_holds_on)


LAWS: tuple[Law, ...] = (
    _law("UAss", union(union(P1, P2), P3), union(P1, union(P2, P3))),
    _law("JAss", join(join(P1, P2), P3), join(P1, join(P2, P3))),
    _law("UComm", union(P1, P2), union(P2, P1)),
    _law("JComm", join(P1, P2), join(P2, P1)),
    _law("JUDistR", join(union(P1, P2), P3), union(join(P1, P3), join(P2, P3))),
    _law("LUDistR", optional(union(P1, P2), P3), union(optional(P1, P3), optional(P2, P3))),
    _law(
        "FDecompI",
        restricted(P, conjunction(R1, R2)),
        restricted(restricted(P, R1), R2),
        assumed=_TWO_FILTERS,
    ),
    _law(
        "FDecompII",
        restricted(P, disjunction(R1, R2)),
        union(restricted(P, R1), restricted(P, R2)),
        assumed=_TWO_FILTERS,
        holds_on=_ONLY_SETS,
        printed_holds_on=_ONLY_SETS,
    ),
    _law(
        "FReordI",
        restricted(restricted(P, R1), R2),
        restricted(restricted(P, R2), R1),
        assumed=_TWO_FILTERS,
    ),
    _law(
        "FReordII",
        restricted(P, conjunction(R1, R2)),
        restricted(P, conjunction(R2, R1)),
        assumed=_TWO_FILTERS,
        source=_OWN,
    ),
    _law(
        "FUPush",
        restricted(union(P1, P2), R),
        union(restricted(P1, R), restricted(P2, R)),
        assumed=_ONE_FILTER,
    ),
    _law(
        "FJPush",
        restricted(join(P1, P2), R),
        join(restricted(P1, R), P2),
        only_of_left("R"),
        assumed=_ONE_FILTER,
    ),
    _law(
        "FLPush",
        restricted(optional(P1, P2), R),
        optional(restricted(P1, R), P2),
        only_of_left("R"),
        assumed=_ONE_FILTER,
    ),
    _law(
        "FWPush",
        restricted(window(N, P), R),
        window(N, restricted(P, R)),
        bound_by("P", "R"),
        assumed=_ONE_FILTER,
        source=_OWN,
        missing=(reads_no_graph("R"),),
    ),
    _law(
        "BGPush",
        bound(graph(N, P), C, V),
        graph(N, bound(P, C, V)),
        source=_OWN,
        missing=(NAME_NOT_READ, NAME_NOT_ASSIGNED, reads_no_graph("C")),
        assumed=_BINDS,
        printed_holds_on=_NEVER,
    ),
    _law(
        "BWPush",
        bound(window(N, P), C, V),
        window(N, bound(P, C, V)),
        source=_OWN,
        missing=(NAME_NOT_READ, NAME_NOT_ASSIGNED, reads_no_graph("C")),
        assumed=_BINDS,
        printed_holds_on=_NEVER,
    ),
    _law(
        "BJPush",
        bound(join(P1, P2), C, V),
        join(bound(P1, C, V), P2),
        only_of_left("C"),
        absent("v", "P2"),
        assumed=_BINDS,
        source=_OWN,
    ),
    _law(
        "BLPush",
        bound(optional(P1, P2), C, V),
        optional(bound(P1, C, V), P2),
        only_of_left("C"),
        absent("v", "P2"),
        assumed=_BINDS,
        source=_OWN,
    ),
)
"""The table, in its order."""


def law_named(name: str) -> Law:
    """The law NAME of the table or of the heuristics; KeyError where there is none."""
    from rsp_conformance.laws.heuristics import HEURISTICS

    return {law.name: law for law in (*LAWS, *HEURISTICS)}[name]
