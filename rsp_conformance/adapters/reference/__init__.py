"""The reference engine: a streaming engine in Python, independent of both semantics.

It is fed element by element, keeps its windows incrementally as engines do, and leaves patterns
to pyoxigraph. A profile says how it reads the open points of RSP-QL; a seeded fault makes it
wrong in the way some real engine is.
"""
