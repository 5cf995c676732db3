"""`keno audit` on ledgers that are sound, damaged and forged."""
