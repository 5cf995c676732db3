"""Who is signed in: passwords, sessions and rate limits."""
