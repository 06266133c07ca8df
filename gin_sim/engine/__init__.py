"""The jitted core: masks and numbers in, numbers out; no I/O, no pandas, no policy names.

Numba refuses a number of threads below one by a traceback when it is first imported, so the
variable is looked at before.
"""

import os

from gin_sim.errors import InputError

_THREADS_VARIABLE = "NUMBA_NUM_THREADS"


def _check_threads() -> None:
    given = os.environ.get(_THREADS_VARIABLE)
    if given is None:
        return
    try:
        is_positive = int(given) >= 1
    except ValueError:
        is_positive = False
    if not is_positive:
        raise InputError(
            f"the environment variable {_THREADS_VARIABLE} is '{given}': give it a whole number of "
            "at least 1, or unset it to use every core."
        )


_check_threads()
