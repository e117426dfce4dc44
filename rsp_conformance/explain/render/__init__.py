"""Arguments and cases in text."""
