"""Run the tests from a fresh checkout: python3 scripts/test.py [ARGUMENTS OF pytest]

Makes the project's environment on the first start, then hands all arguments to pytest, which
starts in the project's folder.

    python3 scripts/test.py                         all but the slow tests
    python3 scripts/test.py -m slow                 the slow tests only
    python3 scripts/test.py -m "slow or not slow"   all tests
    python3 scripts/test.py -n 0                    in one process, not one for each core
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import _environment

EXTRAS = ("parquet", "test")


def main(arguments):
    if "-h" in arguments or "--help" in arguments:
        _environment.say(__doc__ + "\nThe arguments of pytest:\n")
    told = any(argument.startswith(("-n", "--numprocesses")) for argument in arguments)
    workers = [] if told else ["-n", "auto"]
    return _environment.start(
        ["python", "-m", "pytest", *workers, *arguments],
        extras=EXTRAS,
        folder=_environment.ROOT,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
