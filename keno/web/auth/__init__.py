"""Authentication: passwords, sessions and rate limits."""
