"""Answers that take more than one room, a module each. Refuses to print and to parse arguments."""
