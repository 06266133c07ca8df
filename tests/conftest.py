"""For the whole suite: Hypothesis tries the same examples everywhere, and how commands are run.

``HYPOTHESIS_PROFILE=explore`` tries other, and more, examples each time.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings
from numba import config

from gin_sim.cli import main

settings.register_profile("stable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "stable"))


@pytest.fixture(
    params=[pytest.param(5, id="some"), pytest.param(1, id="all", marks=pytest.mark.slow)]
)
def some(request):
    """Of so many cases, how many to try: a fifth by default, and all in the test's slow twin.

    For random cases that are each compared exactly, with an oracle mostly, and for samples.  With
    200 cases a fault that shows in one of 50 is missed once in 60 times; what is rarer is left to
    the twin, to Hypothesis and to the vectors of tests/data.  Where a fifth is too few for a check,
    ``least`` says how many there must be.
    """
    if request.param == 1 and config.DISABLE_JIT:
        pytest.skip("all cases are tried with the JIT only")
    return lambda n, least=0: max(-(-n // request.param), min(least, n))


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


@pytest.fixture
def works(run, request):
    """Run a command without a note on standard error; return what was printed.

    Where a test file has a COMMAND, its words come before all others.
    """
    command = getattr(request.module, "COMMAND", ())

    def check(*arguments: str) -> str:
        code, out, err = run(*command, *arguments)
        assert (code, err) == (0, "")
        return out

    return check


@pytest.fixture
def shows(run):
    """Run a command; return what was printed and what was noted on standard error."""

    def check(*arguments: str) -> tuple[str, str]:
        code, out, err = run(*arguments)
        assert code == 0, err
        return out, err

    return check


@pytest.fixture
def fails(run, request):
    """Run a command that refuses its input in one sentence; return it.  COMMAND as in ``works``."""
    command = getattr(request.module, "COMMAND", ())

    def check(*arguments: str) -> str:
        code, out, err = run(*command, *arguments)
        assert (code, out) == (2, ""), err
        assert err.startswith("Error: ")
        assert "\n" not in err
        assert "Traceback" not in err
        return err.removeprefix("Error: ")

    return check
