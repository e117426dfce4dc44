"""RSP-QL as Spark SQL: S2R, report, R2S and comparison, over rows that are pieces of cases."""
