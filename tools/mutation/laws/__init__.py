"""The table of laws, measured: rule × {sets, bags} × {specification, Spark} (``make laws``)."""
