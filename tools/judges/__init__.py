"""Whether all judges of the kit say one of random cases: ``python -m tools.judges``."""
