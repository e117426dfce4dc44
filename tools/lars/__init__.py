"""LARS beside the reference model: ``python -m tools.lars.agree`` and ``tools.lars.agreement``."""
