"""What engines do wrong, as behaviours; ``faults`` names them."""
