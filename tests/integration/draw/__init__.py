"""The server's half of the draw, with the real generator and witness as processes beside it."""
