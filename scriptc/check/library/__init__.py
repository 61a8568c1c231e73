"""How a call of a library function is described, read and refused."""

from scriptc_runtime.later import load_later

load_later(__name__)
