"""Short ways to write terms, graphs, queries, cases, findings and engines in a test."""
