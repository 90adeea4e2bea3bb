"""Values that the other rooms exchange: frozen, without input or output. Refuses clocks, files and Git."""
