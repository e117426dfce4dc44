"""Which profile an engine really has, by experiments that tell the values of its dials apart.

The engine's own declaration is one setting among others. The engine is asked cases on which
settings differ, and the setting that explains the most of its answers is its profile.
"""
