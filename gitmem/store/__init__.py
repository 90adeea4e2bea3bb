"""Bytes in Git and how they change: the only room that opens files or runs Git.

Refuses to judge what the bytes mean.
"""
