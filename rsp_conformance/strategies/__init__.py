"""Hypothesis strategies for streams, windows, background data and queries."""
