"""RSP-QL as an executable specification: one definition, one function, for clarity.

The reading order is that of the papers: ``windows`` (which window is evaluated at an instant),
``content`` (its elements), ``dataset`` (the data that the query sees), ``report_strategies`` and
``reporting`` (when the query is evaluated), ``evaluate`` (the solutions of its patterns and
modifiers, as SPARQL 1.1 defines them), ``r2s`` (streaming operators), ``forms`` (the content of an
answer), ``trace`` (Ans, the answer of a fully defined query), ``starts`` (the t0 that Definition 26
allows), ``alignment`` (which answer belongs to which evaluation) and ``correctness``
(Definition 26). The package ``spark`` is the second implementation; neither calls the other.

``evaluate`` follows section 18 of SPARQL 1.1, and uses ``solutions`` (18.3, 18.5), ``bgp`` (18.3),
``paths`` (18.4), ``expressions`` (17), ``grouping`` (18.5.1) and ``modifiers`` (15).
"""
