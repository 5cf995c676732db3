"""The server's half of the draw: the coordinator, links to R and W, key files, proofs."""
