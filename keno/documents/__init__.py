"""PDFs that a keno booth hands out: rate card, request form, gaming guide, new-card notice.

Each document is a function from a rate card to the bytes of a PDF, without clock or randomness. The
same card gives the same bytes, so a printed sheet can be compared with its source.
"""
