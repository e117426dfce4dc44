"""RSP-QL's definitions, transcribed one function each."""
