"""Whether tests notice small changes of the kit's own code: ``python -m tools.code_mutants``."""
