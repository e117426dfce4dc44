"""The pattern evaluator, from relations to relations, that both semantics use."""
