"""What makes machine code callable in this process. Loads no compiler."""

from scriptc_runtime.later import load_later

load_later(__name__)
