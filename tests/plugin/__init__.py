"""Tests of the pytest plugin, run as its users run it."""
