"""What was told, tried and missed, and how it is found again: pure. Refuses files, Git and clocks."""
