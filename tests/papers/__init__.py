"""What the papers print: numbers, streams, and the profiles of engines."""
