"""Constructs that are short for others: each is checked as what it stands for."""
