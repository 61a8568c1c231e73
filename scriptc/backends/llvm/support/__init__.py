"""Code that is compiled once for all programs: memory, threads, products, selection."""

from scriptc_runtime.later import load_later

load_later(__name__)
