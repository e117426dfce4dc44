"""Why an answer is wrong, as an argument a person can follow."""
