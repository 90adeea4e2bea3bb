"""The table of operations as plain data. Refuses to import any room or third-party module."""
