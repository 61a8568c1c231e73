"""Indexing and reshaping: elements at computed places, masks, slices, views."""
