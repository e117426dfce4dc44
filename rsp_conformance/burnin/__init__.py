"""Long streams against one engine: answers, memory and latency over a million elements."""
