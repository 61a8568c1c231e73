"""The pool of threads that share launches, and how much work a launch is."""
