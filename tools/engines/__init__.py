"""What the real engines come to: runs of the suite on those installed, their page and site."""
