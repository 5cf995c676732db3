"""Everything that decides money: pure, exact and free of clocks, chance, sockets and SQL."""
