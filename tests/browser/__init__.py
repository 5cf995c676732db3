"""Tests of every page in a real Chromium, against real programs."""
