"""Saved modules of scriptc on NumPy alone, and the IR that the compiler shares with them."""

from scriptc_runtime.budget import Budget
from scriptc_runtime.errors import BudgetExceededError, LoadError
from scriptc_runtime.later import load_later
from scriptc_runtime.saved import load, save
from scriptc_runtime.saved.loaded import LoadedModule

__all__ = ["Budget", "BudgetExceededError", "LoadError", "LoadedModule", "load", "save"]

load_later(__name__)
