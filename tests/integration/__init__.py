"""Tests with real files, processes and sockets."""
