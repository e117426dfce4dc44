"""LARS, a third semantics: rules over streams instead of windows, computed by an answer-set solver.

Dao-Tran, Beck and Eiter (*Towards Comparing RDF Stream Processing Semantics*, 2015) translate
continuous queries to LARS programs. ``program`` defines the programs as values, ``streams`` the
streams and window functions. ``asp`` and ``solve`` compute the answer stream at an instant, by
clingo. ``modes`` adds push and pull. ``queries`` and ``translation`` make programs of queries, and
``answers`` evaluates them. ``text`` reads and writes programs. docs/lars.md has the definitions and
how they are interpreted.
"""
