"""Whole days and years of a house over a real ledger, checked against plain reckoning."""
