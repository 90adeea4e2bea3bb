"""From results to text for a reader, the same on every surface. Refuses to print and to decide anything."""
