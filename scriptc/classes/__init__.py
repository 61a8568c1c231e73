"""Scripted classes: instances, and how Python sees their fields."""

from scriptc_runtime.later import load_later

load_later(__name__)
