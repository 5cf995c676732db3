"""The command line `keno`: one module for each topic."""
