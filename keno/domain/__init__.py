"""The rules that decide money: pure and exact functions, without clock, chance, sockets or SQL."""
