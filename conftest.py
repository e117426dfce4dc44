"""Keeps pytest out of the links at the root, whose files it would collect twice."""

collect_ignore = ["strategies", "adapters"]
