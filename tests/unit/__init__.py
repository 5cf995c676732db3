"""Tests of one module each: no event loop, no files, no clock."""
