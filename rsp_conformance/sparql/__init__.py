"""What both evaluators share: values of terms, scalar functions, casts (SPARQL 1.1, 17)."""
