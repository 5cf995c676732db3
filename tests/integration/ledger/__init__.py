"""Every command of the ledger, over a real SQLite file."""
