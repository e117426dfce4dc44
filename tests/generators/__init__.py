"""Random terms, queries and cases: wider than the kit's own strategies, and apart from them."""
