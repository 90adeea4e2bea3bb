"""Source code as Git holds it: what a file imports, and which files that reaches. Refuses to know of rules."""
