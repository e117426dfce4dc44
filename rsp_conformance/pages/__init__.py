"""A run's result as pages: HTML that opens offline, Markdown, a badge; all from its document."""
