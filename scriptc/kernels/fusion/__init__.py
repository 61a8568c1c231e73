"""Array expressions to loop nests, and their fusion."""
