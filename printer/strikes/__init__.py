"""Glyphs of the typeface House in a few sizes, as dots, for printed pictures; see make.py."""
