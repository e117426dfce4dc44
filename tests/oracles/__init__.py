"""Slow and plain implementations that a test holds the kit against."""
