"""The demonstration: a whole house of processes with keys of its own and made-up patrons."""
