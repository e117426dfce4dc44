"""The packaged suite: one property for each aspect of the semantics."""
