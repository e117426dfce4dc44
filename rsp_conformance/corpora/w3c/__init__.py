"""W3C's SPARQL test suites, run by the grammar and by the two implementations."""
