"""End-to-end tests of whole houses: real processes, real sockets, real files, nothing faked."""
