"""Files and messages: streams, answers, cases and crash files."""
