"""A batch of cases: what is asked of Spark, as one table, and what comes back."""
