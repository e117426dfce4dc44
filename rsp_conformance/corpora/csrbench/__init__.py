"""CSRBench: a public benchmark's stream and queries, and what real engines answered."""
