"""The server's HTTP routes and websockets, for pages, stations, consoles and boards."""
