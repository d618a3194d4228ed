"""What each game has of its own. A game without a module here is played by its family alone."""
