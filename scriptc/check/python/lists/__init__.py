"""Lists: what they hold, their methods, slices and operators."""

from scriptc_runtime.later import load_later

load_later(__name__)
