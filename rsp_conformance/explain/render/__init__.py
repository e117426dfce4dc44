"""Arguments and cases as text, HTML and pictures."""
