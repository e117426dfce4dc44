"""The values that all other packages use: terms, streams, windows, queries, dials, answers, cases.

The values are immutable and hashable. This package imports no other package of the kit.
"""
