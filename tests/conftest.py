"""For the whole suite: Hypothesis tries the same examples everywhere, and how commands are run.

``HYPOTHESIS_PROFILE=explore`` tries other, and more, examples each time.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from gin_sim.cli import main

settings.register_profile("stable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "stable"))


@pytest.fixture
def run(capsys):
    """Run the command line; return its exit code, its output, and its notes but of compiling."""

    def run_main(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leaving:
            main(list(arguments))
        out, err = capsys.readouterr()
        notes = [line for line in err.splitlines() if not line.startswith("Compiling")]
        return leaving.value.code, out, "\n".join(notes)

    return run_main
