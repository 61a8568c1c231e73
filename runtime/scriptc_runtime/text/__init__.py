"""IR as text, written and read."""

from scriptc_runtime.later import load_later

load_later(__name__)
