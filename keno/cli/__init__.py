"""The command line program `keno`: one module for each topic of commands."""
