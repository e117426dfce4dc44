"""The packaged suite: what is asserted of an engine, and how Hypothesis goes about it."""
