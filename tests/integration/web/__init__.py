"""The server over real sockets: its rules, its document, its enemies and its broken lines."""
