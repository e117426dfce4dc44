"""What must hold between an engine's own answers: laws of patterns, and relations between cases.

No oracle is needed to see a contradiction. Before an engine is accused the kit asks its own
specification all the same (``judging``), so that nobody pays for a relation that is not one.
"""
