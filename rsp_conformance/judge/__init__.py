"""From an engine's answer to a verdict that nobody needs to doubt: run, judge, confirm, keep."""
