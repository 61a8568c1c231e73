"""Array expressions to loop nests, and their fusion."""

from scriptc_runtime.later import load_later

load_later(__name__)
