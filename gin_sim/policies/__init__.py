"""What a policy is, the shipped ones, and those of the user's files and functions."""

import gin_sim.engine  # noqa: F401 - it checks Numba's environment, before Numba is imported here
