"""Everything that checks the project: tests, the tidy rules, measurements."""
