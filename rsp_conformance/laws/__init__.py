"""Equivalences of graph patterns, as data (*Uncertainty* Table 1; SEMANTICS 8).

A law is a pair of schemes over metavariables with a side condition and the semantics, sets or
bags, under which it holds. ``LAWS`` are the eighteen of the table, ``HEURISTICS`` rewrites of the
same kind that the sources claim in words. ``rewritings`` applies a law within a pattern.
"""

from rsp_conformance.laws.binding import Binding
from rsp_conformance.laws.law import BAGS, SETS, Law, rewritings
from rsp_conformance.laws.table import HEURISTICS, LAWS, law_named

__all__ = ["BAGS", "HEURISTICS", "LAWS", "SETS", "Binding", "Law", "law_named", "rewritings"]
