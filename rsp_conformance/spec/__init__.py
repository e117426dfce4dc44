"""RSP-QL as an executable specification: one definition, one function, for clarity.

The reading order is that of the papers: ``windows`` (which window is evaluated at an instant),
``content`` (what it holds), ``dataset`` (what the query sees), ``strategies`` and ``reporting``
(when the query is evaluated), ``r2s`` (streaming operators), ``ans`` (the answer of a fully
defined query), ``starts`` (the t0 that Definition 26 allows), ``compare`` (when two answers are
the same) and ``correctness`` (Definition 26). The Spark plan is the second implementation; neither
calls the other.
"""
