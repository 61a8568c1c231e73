"""Random numbers from NumPy's generators: their fields, locks and parameters."""

from scriptc_runtime.later import load_later

load_later(__name__)
