"""The generator (R) that draws twenty numbers, the witness (W) that records them, and the verifier.

The package also has their keys and ceremonies. It imports nothing of the other packages, so that it
can be built, certified and run alone.
"""
