"""One long stream, judged chunk by chunk."""
