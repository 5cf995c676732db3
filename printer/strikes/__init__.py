"""The glyphs the printer's pictures are made of: House in a few sizes, as dots; see make.py."""
