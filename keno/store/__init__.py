"""The ledger: the one source of truth, and the only place that knows SQL."""
