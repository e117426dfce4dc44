"""Tests of the judgement: crash files, verdicts in batches, what a case tells."""
