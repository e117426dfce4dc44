"""LARS beside the specification: ``python -m tools.lars.agree`` and ``tools.lars.agreement``."""
