"""The code of Spark's workers, in plain Python: from a case to its answers and its verdict."""
