"""Metamorphic tests: how an engine's answers to related cases must compare.

The laws of graph patterns are one kind, relations between whole cases another. A contradiction
shows without an oracle. Before the engine is reported, the reference model answers the same cases
(``judging``), so that a wrong relation is never taken for a bug of the engine.
"""
