"""The solutions of a query over a dataset, by the way that covers it."""
