"""Which rules apply to which files, and how much of them fits: pure. Refuses files, Git and clocks."""
