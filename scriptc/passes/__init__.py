"""Passes over core IR."""

from scriptc_runtime.later import load_later

load_later(__name__)
