"""How Sphinx builds the site of these pages: `make docs`, into build/docs."""

project = "scriptc"
author = "the authors of scriptc"
extensions = ["myst_parser"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "scriptc"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
