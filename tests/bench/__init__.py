"""Speed, measured as a ratio against a bare limit in the same run. Run with `make bench`."""
