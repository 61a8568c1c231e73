"""Constructs that are short for others: each is checked as what it stands for."""

from scriptc_runtime.later import load_later

load_later(__name__)
