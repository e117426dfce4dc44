"""The same semantics at scale: one fixed Spark plan for any batch of cases."""
