"""Git hooks: installing them and what they call. Refuses to write anything when a hook runs."""
