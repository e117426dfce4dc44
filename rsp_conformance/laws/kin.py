"""Rewrites of the same kind as Table 1's, which the sources claim in words (SEMANTICS 8).

"Lazy variables, caches, H1–H4 and the order of windows never change an answer." A lazy variable
is computed where it is needed: a FILTER reads the expression in place of the variable.
"""

from __future__ import annotations

from rsp_conformance.laws.law import Law

KIN: tuple[Law, ...] = ()
