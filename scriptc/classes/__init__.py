"""Scripted classes: instances, and how Python sees their fields."""
