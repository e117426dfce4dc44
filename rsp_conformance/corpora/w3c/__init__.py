"""W3C's SPARQL test suites, run by every way to evaluate a query that the kit has."""
