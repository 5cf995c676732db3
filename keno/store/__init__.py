"""The ledger, which holds all facts of the house; only this package contains SQL."""
