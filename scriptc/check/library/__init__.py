"""How a call of a library function is described, read and refused."""
