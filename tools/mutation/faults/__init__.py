"""`make faults`: which property finds which mutant, how soon, and how small it shrinks."""
