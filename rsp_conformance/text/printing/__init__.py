"""From the algebra to text, one module a part of the grammar."""
