"""Whole houses from the outside: real processes, real sockets, real files, nothing faked."""
