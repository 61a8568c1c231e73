"""What is known of a function and never changes it; passes and kernels ask."""

from scriptc_runtime.later import load_later

load_later(__name__)
