"""Findings over a parsed knowledge tree, pure. Refuses to read or write anything."""
