"""Draws QR codes as dots, for printers without QR codes and for the virtual printer."""

from functools import lru_cache

import numpy as np
import zxingcpp

from printer.png import Dots


@lru_cache(maxsize=64)
def qr(text: str) -> Dots:
    """Return the modules of a text's QR code as a picture of one dot each; 1 is black.

    Its error correction is M, and it has no white border.
    """
    code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    picture = np.asarray(zxingcpp.write_barcode_to_image(code, scale=1, add_quiet_zones=False))
    return (picture < 128).astype(np.uint8)


def qr_dots(text: str, module: int) -> Dots:
    """Return a text's QR code as dots; each module is a square with sides of `module` dots."""
    return np.kron(qr(text), np.ones((module, module), np.uint8))
