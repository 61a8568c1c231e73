"""What makes machine code callable in this process. Loads no compiler."""
