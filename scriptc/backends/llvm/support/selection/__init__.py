"""Selection of elements by their place in order, as parts of the support code."""
