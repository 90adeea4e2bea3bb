"""What gitmem costs beside what it would cost otherwise, measured in one run. Refuses a number on its own."""
