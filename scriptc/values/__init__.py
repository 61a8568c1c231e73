"""Python values at a call: their kinds, their sizes, and what parameters make of them."""
