"""The data model."""
