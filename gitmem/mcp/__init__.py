"""The MCP server, a thin reading of the operations table. Refuses to hold behaviour of its own."""
