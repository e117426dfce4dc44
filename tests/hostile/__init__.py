"""Hostile inputs, by the border that they come to: each ends in one clear line, soon."""
