"""The ledger: the SQLite file with all facts of the house. Only this package contains SQL."""
