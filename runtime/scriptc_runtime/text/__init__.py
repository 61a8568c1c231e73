"""IR as text, written and read."""
