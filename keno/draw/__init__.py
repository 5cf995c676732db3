"""The server's half of the draw: coordinator, links to R and W, key files, proofs."""
