"""Running a location's games: the conductor, its schedule, timers of expiry and authorisation."""
