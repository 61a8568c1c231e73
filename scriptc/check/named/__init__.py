"""Values of the user's enumerations and named tuples."""
