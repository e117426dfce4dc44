"""What runs in Spark's Python workers: Arrow in and out, the compiled patterns, the alignment."""
