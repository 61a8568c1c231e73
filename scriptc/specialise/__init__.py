"""From a call to a specialisation: the types of the parameters, and who runs the code."""
