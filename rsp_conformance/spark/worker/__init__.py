"""What runs in Spark's workers, in plain Python: from a case to its answers and its verdict."""
