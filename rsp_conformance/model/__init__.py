"""The values everything else speaks of: terms, streams, windows, queries, dials, answers, cases.

Immutable and hashable throughout; this package imports nothing else of the kit.
"""
