"""Sign-in to the server: passwords, sessions and rate limits."""
