"""Run gin-sim from a fresh checkout: python3 scripts/run.py [ARGUMENTS OF gin-sim]

Makes the project's environment on the first start, then hands all arguments to `gin-sim`. Without
arguments it runs the documented main job, a million hands of early against late knocking.

    python3 scripts/run.py
    python3 scripts/run.py simulate greedy:knock=10 greedy:knock=5 --hands 2e4 --seed 1 --json
    python3 scripts/run.py --help
    python3 scripts/run.py --with parquet           once: from then on --out writes Parquet too
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import _environment

COMPILES = (
    "Each question compiles what it needs, the first time only; to compile everything at once:"
    " python3 scripts/run.py warm"
)
MAIN_JOB = ["simulate", "greedy:knock=10", "greedy:knock=5", "--hands", "1e6", "--seed", "1"]
EXTRAS = ("parquet",)


def main(arguments):
    extras = []
    if arguments[:1] == ["--with"]:
        extras = arguments[1:2]
        arguments = arguments[2:]
        if not extras or extras[0] not in EXTRAS:
            _environment.say("--with needs one of: {}.".format(", ".join(EXTRAS)))
            return 2
        arguments = arguments or ["--version"]
    if not arguments:
        arguments = MAIN_JOB
        _environment.say("Running: gin-sim " + " ".join(arguments))
    hint = "" if arguments[0] == "warm" else COMPILES
    return _environment.start(["gin-sim", *arguments], extras=extras, after_setup=hint)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
