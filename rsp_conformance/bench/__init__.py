"""Timings of the kit, as ``make bench`` prints them: ratios of one run where they can be."""
