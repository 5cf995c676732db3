"""The keno computer system of N.J.A.C. 19:47-15: ledger, games, payouts and pages."""

__version__ = "0.1.0"
