"""The ledger under SIGKILL, races, full disks, damaged files and jumping clocks."""
