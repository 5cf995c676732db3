"""Printed documents as PDFs: rate card, request form, gaming guide, new-card notice, listings.

A document is a function of its arguments, such as a rate card, to the bytes of a PDF. It reads no
clock and no chance: the same card gives the same bytes, so a printed sheet can be compared with its
source.
"""
