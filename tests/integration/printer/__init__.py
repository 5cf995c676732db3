"""The printer against a decoder, a simulator, a disk and a kill."""
