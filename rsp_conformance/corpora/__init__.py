"""Public test data: W3C's suites and CSRBench."""
