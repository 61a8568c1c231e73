"""Deques: how they are made, their methods, and what syntax does with them."""
