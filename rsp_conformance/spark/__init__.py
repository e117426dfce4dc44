"""The same semantics at scale: Spark hands out cases whole, a worker judges those of its share."""
