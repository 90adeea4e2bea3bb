"""What is known about a piece of text on its own: words, tokens, secrets, unsafe signs. Refuses files and Git."""
