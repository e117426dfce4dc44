"""Distributions, sums of them and probabilities of comparisons (*Uncertainty*, Definitions 3-7)."""
