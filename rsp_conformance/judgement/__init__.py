"""Whether an engine's answer is correct, and what kind of error it is otherwise."""
