"""Run the tests from a fresh checkout: python3 scripts/test.py [ARGUMENTS OF pytest]

Makes the project's environment on the first start, then hands all arguments to pytest, which
starts in the project's folder.

    python3 scripts/test.py                         all but the slow tests
    python3 scripts/test.py --quick                 without the long tests either: for every change
    python3 scripts/test.py -m slow                 the slow tests only
    python3 scripts/test.py -m "slow or not slow"   all tests
    python3 scripts/test.py -n 0                    in one process, not one for each core

A long test is one that takes about a second or more of processor time once all is compiled; one
that starts a program of its own is long, too. Before a commit, run all but the slow ones.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import _environment

EXTRAS = ("parquet", "test")
QUICK = ["-m", "not slow and not long"]


def main(arguments):
    if "-h" in arguments or "--help" in arguments:
        _environment.say(__doc__ + "\nThe arguments of pytest:\n")
    told = any(argument.startswith(("-n", "--numprocesses")) for argument in arguments)
    # Each process begins with a half of its own, so that what a file's tests share is made once.
    workers = [] if told else ["-n", "auto", "--dist", "worksteal"]
    chosen = QUICK if "--quick" in arguments else []
    arguments = [argument for argument in arguments if argument != "--quick"]
    return _environment.start(
        ["python", "-m", "pytest", *workers, *chosen, *arguments],
        extras=EXTRAS,
        folder=_environment.ROOT,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
