"""Glyphs of the typeface House in several sizes, as dots, for printed pictures.

`make.py` renders them; `printer/raster.py` reads them.
"""
