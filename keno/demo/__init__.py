"""The demonstration: a house as processes on one machine, with test keys and made-up patrons."""
