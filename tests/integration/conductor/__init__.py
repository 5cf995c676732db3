"""The conductor: games by a clock that the test turns, and by real processes that are killed."""
