"""Lists: what they hold, their methods, slices and operators."""
