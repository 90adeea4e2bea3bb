"""Rule files of other tools, in and out. Refuses to decide what becomes canonical."""
