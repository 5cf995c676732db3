"""The independent draw: the generator that selects twenty numbers and the witness that records it.

Imports nothing of the other packages, so that it can be built, certified and run alone.
"""
