"""The data model: terms, elements, streams, windows, queries, profiles and answers."""
