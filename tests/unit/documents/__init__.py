"""The documents of the booth, read back from their PDF by readers that are not ours."""
