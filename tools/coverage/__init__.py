"""`make coverage`: which cells of the language the cases of the suite meet, and how often."""
