"""Runs a location's games: the conductor, its schedule, timers for expiry and authorisations."""
