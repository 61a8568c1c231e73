"""What people look at: dumps of stages, traces of passes, times of compilations."""
