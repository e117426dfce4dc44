"""The comparison of answers."""
