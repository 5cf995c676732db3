"""The server for pages, stations, consoles and boards."""
