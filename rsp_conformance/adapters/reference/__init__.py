"""The reference engine: a streaming engine in Python, independent of the two implementations.

It takes element by element, updates its windows incrementally as engines do, and leaves patterns to
pyoxigraph. So it has two uses: it is the third opinion on the two implementations, and the host of
mutants. A profile settles the open points of RSP-QL for it; a mutant gives it the bug of a real
engine.
"""
