"""Everything compiled ahead: the shortest question of each kind, asked in two processes at once.

What a question compiles is found by asking it, so that nothing here has to know how a kernel is
called.  The cache has a lock for each part: where two questions share one, the second process waits
and loads what the first has compiled.
"""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from gin_sim import api
from gin_sim.advice.explanation import KERNELS as EXPLAINING
from gin_sim.api.progress import progress_of
from gin_sim.belief.class_weights import needed_to_weigh
from gin_sim.belief.sampler import needed_to_read
from gin_sim.belief.test_positions import KERNELS as TESTING
from gin_sim.checks.bench import LOOPS, compile_loops
from gin_sim.engine import compile_cache
from gin_sim.engine.compiling import elsewhere, listening
from gin_sim.engine.reach import to_compile
from gin_sim.errors import InputError
from gin_sim.knock.induction import follow, respond
from gin_sim.payoff.game_solver import KERNELS as SOLVING
from gin_sim.play.actions import play_worlds
from gin_sim.play.games import play_games
from gin_sim.play.hand_results import count_results
from gin_sim.play.hand_table import fill_hands
from gin_sim.play.knock_trace import trace_paths
from gin_sim.play.loop import play_chunk
from gin_sim.play.luck import play_chunk_with_luck
from gin_sim.play.pairings import play_game_pairings, play_pairings
from gin_sim.play.record import KERNELS as RECORDING
from gin_sim.play.replay_steps import replay_steps
from gin_sim.play.threshold_walk import play_paths
from gin_sim.policies.catalogue import CATALOGUE, parse_policy
from gin_sim.policies.probabilities import called_to_weigh
from gin_sim.single_hands.arrangement import arrange_hands
from gin_sim.single_hands.settlement import settle_knocks

_PROCESSES = 2
_HAND = "As Ad Ah 2c 3c 4c Th Jh Qh 9c Kd"
_TEN = "As Ad Ah 2c 3c 4c Th Jh Qh 9c"
_DEFENDER = "Ts9s4h6d8c2h5c7d3sQd"


class Task(NamedTuple):
    """A short question, and what is compiled when it has been asked.

    Parameters
    ----------
    needed : iterable of kernels and functions compiled apart
    ask : callable
    """

    needed: Iterable[Any]
    ask: Callable[[], Any]


class Warmed(NamedTuple):
    """What was compiled ahead.

    Parameters
    ----------
    parts : int
        How many; 0 if everything was compiled before.
    seconds : float
    """

    parts: int
    seconds: float


def warm(*, progress: Any = None, stop: threading.Event | None = None) -> Warmed:
    """Compile everything that any question with shipped policies needs, in two processes.

    Parameters
    ----------
    progress : bool or callable, optional
        True for a line on the terminal.
    stop : threading.Event, optional
        Once set, no further question is asked; what is compiled is kept.

    Raises
    ------
    InputError
        If compiled code cannot be kept.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.warm().parts
    """
    if compile_cache.chosen_folder() is None:
        raise InputError(" ".join(compile_cache.notices()))
    tasks = _tasks()
    names = [name for name, task in tasks.items() if to_compile(task.needed)]
    needed = [function for name in names for function in tasks[name].needed]
    n_parts = len(to_compile(needed))
    if not names:
        return Warmed(0, 0.0)
    begun = time.monotonic()
    with progress_of(progress).compiling(*needed), elsewhere() as pass_on:
        _share_out(names, pass_on, stop or threading.Event())
    if left := [name for name in names if to_compile(tasks[name].needed)]:
        if stop is not None and stop.is_set():
            raise KeyboardInterrupt
        raise RuntimeError(f"not everything was compiled: {', '.join(left)}")
    return Warmed(n_parts, time.monotonic() - begun)


def _tasks() -> dict[str, Task]:
    """Return what is asked, by name, the longest first: nothing long is then left for the end."""
    policies = dict.fromkeys(["strong", *CATALOGUE])
    reading = needed_to_read(parse_policy("greedy"))
    weighing = needed_to_weigh([parse_policy("greedy")])
    alike = ("greedy", "greedy")
    few = {"deals": 1000, "threads": 1}
    return {
        "reading": Task([*reading, play_worlds, *EXPLAINING], _advise_by_history),
        **{f"policy {name}": _of_policy(name) for name in policies},
        "simulate": Task([play_chunk], lambda: api.simulate(*alike, hands=2)),
        "by turn": Task([*weighing, play_worlds], _advise_by_turn),
        "solve": Task(
            [trace_paths, play_pairings, follow, respond],
            lambda: api.solve(*alike, proof_hands=2, **few),
        ),
        "equilibrium": Task([trace_paths, follow], lambda: api.equilibrium("greedy", **few)),
        "sweep": Task(
            [play_paths], lambda: api.sweep("greedy", "knock=0:1", against="greedy", hands=2)
        ),
        "compare": Task([play_pairings], lambda: api.compare("greedy", "greedy:knock=5", hands=2)),
        "compare games": Task(
            [play_game_pairings],
            lambda: api.compare("greedy", "greedy:knock=5", objective="win", games=2),
        ),
        "games": Task([play_games], lambda: api.simulate(*alike, games=2)),
        "luck": Task(
            [play_chunk_with_luck], lambda: api.simulate(*alike, hands=1000, luck_adjusted=True)
        ),
        "equity": Task([count_results, *SOLVING], lambda: api.equity("greedy", hands=1000)),
        "hands": Task([fill_hands], lambda: api.hands(*alike, hands=2)),
        "belief": Task(
            [*TESTING, *reading, *weighing],
            lambda: api.calibrate("greedy", positions=5, worlds=4),
        ),
        "record": Task([*RECORDING, replay_steps], _record),
        "deadwood": Task([arrange_hands], lambda: api.deadwood(_HAND)),
        "layoff": Task([settle_knocks], lambda: api.settle("JsQsKs TdTcTh Ac2d3hAd", _DEFENDER)),
        "bench": Task(LOOPS, compile_loops),
    }


def _of_policy(name: str) -> Task:
    needed = called_to_weigh(parse_policy(name))

    def compile_all() -> None:
        for function in needed:
            function.ready()

    return Task(needed, compile_all)


def _advise_by_history() -> None:
    short = {"against": "greedy", "play": "greedy", "panel": "none", "worlds": 1, "threads": 1}
    api.advise(_HAND, first="5s", history="p p s", **short)
    api.advise(_TEN, first="5s", history="", **short)


def _advise_by_turn() -> None:
    short = {"against": "greedy", "play": "greedy", "panel": "none", "worlds": 1, "threads": 1}
    api.advise(_HAND, turn=3, pile="Qs Jd 8c Kh Td", **short)


def _record() -> None:
    with tempfile.TemporaryDirectory(prefix="gin-sim-") as folder:
        path = Path(folder) / "hands.jsonl"
        api.record_hands("greedy", "greedy", path, hands=20)
        api.replay(path)
        api.replay(path, rules="classic")


# ------------------------------------------------------------------------------ the two processes


def _share_out(names: list[str], pass_on: Callable, stop: threading.Event) -> None:
    """Ask each question in one of two processes; each takes the next as it is done with one."""
    waiting = list(reversed(names))
    failed: list[BaseException] = []

    def work() -> None:
        try:
            with _Worker(pass_on) as worker:
                while waiting and not failed and not stop.is_set():
                    worker.ask(waiting.pop())
        except (OSError, RuntimeError, IndexError) as error:
            failed.append(error)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(_PROCESSES)]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    finally:
        waiting.clear()  # after a Ctrl-C nothing more is asked
    if failed:
        raise failed[0]


class _Worker:
    """A process that is asked one question after the other, and says what it compiles."""

    def __init__(self, pass_on: Callable[[str, str], None]) -> None:
        self._pass_on = pass_on
        here = str(Path(__file__).parents[2])  # the same package, whatever the folder holds
        program = (
            f"import sys; sys.path.insert(0, {here!r}); "
            "from gin_sim.api.warming import answer; answer()"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._questions, self._said = self._process.stdin, self._process.stdout

    def __enter__(self) -> _Worker:
        return self

    def __exit__(self, *exception: Any) -> None:
        with contextlib.suppress(OSError):  # it may have ended before
            self._questions.close()
        self._process.wait()
        self._said.close()

    def ask(self, name: str) -> None:
        """Ask a question, and pass on what is said until it is answered."""
        with contextlib.suppress(OSError):  # it has ended: then it says nothing either
            self._questions.write(name + "\n")
            self._questions.flush()
        for line in self._said:
            what, unit = json.loads(line)
            if what == "answered":
                return
            self._pass_on(what, unit)
        raise RuntimeError(f"the process that compiles ended while it was asked about {name}.")


class _Speaker:
    """Says on standard output what begins to compile and what has been compiled."""

    def begun(self, unit: str) -> None:
        self.say("begun", unit)

    def ended(self, unit: str) -> None:
        self.say("ended", unit)

    def say(self, what: str, unit: str) -> None:
        print(json.dumps([what, unit]), flush=True)


def answer() -> None:
    """Answer the questions on standard input until it ends; what a worker's process runs."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the compiler would swallow the exception
    speaker, tasks = _Speaker(), _tasks()
    with listening(speaker):
        for line in sys.stdin:
            tasks[line.strip()].ask()
            speaker.say("answered", line.strip())
