"""Runs a location's games: conductor, schedule, and timers for claims, payouts, clock and audit."""
