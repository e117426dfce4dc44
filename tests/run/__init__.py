"""Tests of the suite without pytest around it."""
