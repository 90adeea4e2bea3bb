"""What is derived from a knowledge tree and may be deleted at any time. Refuses to be a source of truth."""
