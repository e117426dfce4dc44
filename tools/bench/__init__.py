"""Timings of the kit, as ratios within one run: ``python -m tools.bench``."""
