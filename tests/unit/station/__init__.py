"""The pure parts of the station program."""
