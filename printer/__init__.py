"""The ticket printer: lays a ticket out in lines, encodes them and brings them to paper.

Whether the paper really came out is part of the answer; silence from a printer is a fault.
"""
