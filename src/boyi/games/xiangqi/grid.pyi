"""All of it is for Cython; Python sees nothing."""
