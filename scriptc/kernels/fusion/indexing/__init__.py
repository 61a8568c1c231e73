"""Indexing and reshaping: elements at computed places, masks, slices, views."""

from scriptc_runtime.later import load_later

load_later(__name__)
