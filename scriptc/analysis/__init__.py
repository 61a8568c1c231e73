"""What is known of a function and never changes it; passes and kernels ask."""
