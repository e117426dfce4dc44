"""Which profile an engine really has, by experiments that tell the values of its dials apart.

What the engine says of itself is one hypothesis among others. The engine is asked cases on which
hypotheses differ, and the setting that explains the most of its answers is what it does.
"""
