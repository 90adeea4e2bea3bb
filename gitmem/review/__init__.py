"""What becomes of a change before it counts: merges. Refuses to move refs and to open files."""
