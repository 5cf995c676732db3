"""The station program against a served house, with the virtual printer."""
