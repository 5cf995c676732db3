"""One module of tests for each module of the draw; none of them opens a socket."""
