"""Passwords with their limit on failed sign-ins, sessions, and the rate limits of all requests."""
