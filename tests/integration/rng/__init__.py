"""The generator and the witness as the processes they are."""
