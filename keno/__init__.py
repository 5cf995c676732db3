"""The keno computer system of N.J.A.C. 19:47-15: rules, ledger, games, payouts, pages, commands."""

__version__ = "0.1.0"
