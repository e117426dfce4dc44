"""Tests of the search for causes."""
