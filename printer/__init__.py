"""The driver of the ticket printer: lays documents out, encodes them as ESC/POS, prints them.

Each print job ends with an outcome: printed, not printed, or unknown.
"""
