"""Equivalences of graph patterns, as data (*Uncertainty* Table 1; SEMANTICS 8).

A law consists of two schemes over metavariables, a side condition, and the semantics (sets or bags)
under which it holds. ``LAWS`` are the eighteen laws of the table. ``HEURISTICS`` are rewritings of
the same kind that the sources describe in words. ``rewritings`` applies a law within a pattern.
"""

from rsp_conformance.laws.binding import Binding
from rsp_conformance.laws.law import BAGS, SETS, Law, rewritings
from rsp_conformance.laws.table import HEURISTICS, LAWS, law_named

__all__ = ["BAGS", "HEURISTICS", "LAWS", "SETS", "Binding", "Law", "law_named", "rewritings"]
