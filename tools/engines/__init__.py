"""What the real engines come to: runs of the suite on those that are installed, and their page."""
