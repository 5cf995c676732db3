"""The pages' own unit tests: written in JavaScript, run in node."""
