"""Scalar functions and operators by the terms that they are about (SPARQL 1.1, 17.4)."""
