"""The server that pages, stations and boards talk to."""
