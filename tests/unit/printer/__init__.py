"""Tests of the printer without a printer."""
