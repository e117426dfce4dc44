"""RSP-QL as text: the grammar, the parser and the printer."""
