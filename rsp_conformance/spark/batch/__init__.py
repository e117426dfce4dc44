"""A batch of cases: the tasks for Spark, as one table, and their results."""
