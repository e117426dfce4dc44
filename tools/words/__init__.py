"""The words that the project uses, and those that it has retired."""
