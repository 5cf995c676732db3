"""What a keno booth hands out on paper: rate card, request form, gaming guide, new-card notice.

Each document is a function from a rate card to the bytes of a PDF. No clock and no chance: the
same card gives the same bytes, so a printed sheet can be compared with the file it came from.
"""
