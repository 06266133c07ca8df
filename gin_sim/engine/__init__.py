"""The jitted core: masks and numbers in, numbers out; no I/O, no pandas, no policy names."""
