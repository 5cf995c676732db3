"""Writes one-bit PNG pictures, and reads PNG files that this module wrote."""

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

Dots = NDArray[np.uint8]
"""A picture: an array of rows of dots, in which 1 is black."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ONE_BIT_GREY = (1, 0, 0, 0, 0)


def write_png(dots: Dots, dots_an_inch: int = 203) -> bytes:
    """Return a picture as the bytes of a PNG file with this resolution in dots per inch."""
    height, width = dots.shape
    rows = np.packbits(1 - dots, axis=1)
    plain = np.zeros((height, rows.shape[1] + 1), np.uint8)
    plain[:, 1:] = rows
    dots_a_metre = round(dots_an_inch / 0.0254)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", struct.pack(">II5B", width, height, *_ONE_BIT_GREY)),
            _chunk(b"pHYs", struct.pack(">IIB", dots_a_metre, dots_a_metre, 1)),
            _chunk(b"IDAT", zlib.compress(plain.tobytes())),
            _chunk(b"IEND", b""),
        )
    )


def read_png(content: bytes) -> Dots:
    """Return the dots of a PNG file that `write_png` wrote.

    A file that is no PNG, is not of one bit a dot, or has filtered rows raises a ValueError. One
    that is cut off or damaged may raise struct.error or zlib.error; checksums are not checked.
    """
    if content[:8] != _SIGNATURE:
        raise ValueError("not a PNG picture")
    header, packed, at = b"", b"", 8
    while at < len(content):
        (length,) = struct.unpack_from(">I", content, at)
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    width, height, *form = struct.unpack(">II5B", header)
    if tuple(form) != _ONE_BIT_GREY:
        raise ValueError("not a picture of one bit a dot")
    plain = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, -1)
    if plain[:, 0].any():
        raise ValueError("a row is filtered")
    return 1 - np.unpackbits(plain[:, 1:], axis=1, count=width)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
