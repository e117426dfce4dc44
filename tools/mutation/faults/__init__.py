"""`make faults`: which property finds which seeded fault, how soon, and how small it shrinks."""
