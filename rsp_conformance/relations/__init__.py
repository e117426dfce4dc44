"""Relations: a rewriting of a case, and how the answers must compare.

The laws of graph patterns are one kind, relations between whole cases another: a contradiction
shows without an oracle (metamorphic tests). Two engines that get the same case, each in its own
language, are a third (differential testing): they must agree if their profiles say so, and if not,
Definition 26 says under each engine's profile which of the two is wrong.

Before an engine is reported, the reference model answers the same cases (``judging``), so that a
wrong relation is never taken for a bug of the engine.
"""
