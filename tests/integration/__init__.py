"""Tests of parts working together: real processes and real files."""
