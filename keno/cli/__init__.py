"""The command line of keno: one module a topic."""
