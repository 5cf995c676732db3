"""The independent draw: the generator (R) selects twenty numbers, the witness (W) records them.

The package imports nothing of the other packages, so that it can be built, certified and run alone.
"""
