"""Sets and frozen sets."""

from scriptc_runtime.later import load_later

load_later(__name__)
