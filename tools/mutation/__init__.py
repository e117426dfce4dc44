"""How well the kit finds mutants, alone and several at once."""
