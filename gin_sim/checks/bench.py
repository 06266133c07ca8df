"""How fast the engine is, measured only after its sums are found right.

Each figure is the median of several runs, since machines are shared.  A pairing is played by the
same plans and threads as any simulation; a kernel's figure is the time of a loop over hands made
beforehand, divided by their number.
"""

from __future__ import annotations

import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import resources

import numpy as np

from gin_sim.engine.deadwood import best_discards, least_deadwood
from gin_sim.engine.deal import shuffle_deck
from gin_sim.engine.jit import CACHE_VARIABLE, jit
from gin_sim.engine.layoff import defence
from gin_sim.engine.table import new_state, rule_record
from gin_sim.errors import InputError
from gin_sim.play.loop import play_leg, start_deal
from gin_sim.play.plans import Plan
from gin_sim.play.run import available_cores, simulate
from gin_sim.policies.catalogue import parse_policy
from gin_sim.policies.decide import players_of
from gin_sim.rules import KNOCK, Rules, parse_rules
from gin_sim.words import listed, nearest

#: Pairings by name: policies, rules, and hands a run on one thread.
PAIRINGS = {
    "greedy-greedy": (("greedy", "greedy"), "eaai", 1_000_000),
    "greedy-greedy-gin-only": (("greedy:knock=0", "greedy:knock=0"), "eaai", 500_000),
    "simple-simple": (("simple", "simple"), "eaai", 1_000_000),
}
KERNELS = ("deadwood", "best_discard", "layoff")
COLD_COMPILE = "cold_compile"
#: What is run with an empty cache, so small that compiling is all it does.
COLD_COMMANDS = {
    "simulate": "simulate greedy:knock=10 greedy:knock=5 --hands 2 --quiet",
    "sweep": "sweep --play greedy --param knock=0:10 --against simple --hands 2 --quiet",
    "equity": "equity --play greedy --against simple --hands 1000 --quiet",
    "solve": (
        "solve --play strong --against simple --by none --deals 2000 --proof-hands 2000 --quiet"
    ),
    "knock": (
        "knock '5s 5d 5h 8c 9c Tc Ac 2d 3h 3s Kd' --first 7h --history 'p p s' --worlds 32 "
        "--panel none --quiet"
    ),
}
NAMES = (*PAIRINGS, *KERNELS, COLD_COMPILE)

_RUNS = 5
_N_HANDS = 1 << 16
_SEED = 1


class GoldenError(RuntimeError):
    """The engine's sums are not the golden ones: no time is worth measuring."""


def golden_tallies() -> list[dict]:
    """Return the golden plans with the sums that every machine must get."""
    text = resources.files("gin_sim.checks").joinpath("golden.json").read_text("utf-8")
    return json.loads(text)


def play_golden(entry: dict, threads: int | None = None) -> dict[str, list]:
    """Play a golden plan and return its sums, comparable with the entry's ``sums``."""
    policies = tuple(parse_policy(spec) for spec in entry["policies"])
    plan = Plan(policies, parse_rules(entry["rules"]), entry["hands"], entry["seed"])
    tally = simulate(plan, threads).tally[0]
    return {name: np.asarray(tally[name]).tolist() for name in tally.dtype.names}


def check_golden() -> int:
    """Play every golden plan and return how many there are.

    Raises
    ------
    GoldenError
        If a sum differs; the message says which.
    """
    entries = golden_tallies()
    for entry in entries:
        got = play_golden(entry)
        for name, expected in entry["sums"].items():
            if got[name] != expected:
                raise GoldenError(
                    f"{' against '.join(entry['policies'])} under {entry['rules']}: {name} is "
                    f"{got[name]} where {expected} is right."
                )
    return len(entries)


def run_bench(
    threads: int | None = None,
    only: str | None = None,
    on_step: Callable[[str], None] = lambda name: None,
) -> dict:
    """Check the golden tallies, then time what is asked for.

    Parameters
    ----------
    threads : int, optional
        The larger thread count to time pairings at, beside 1; all cores by default.
    only : str, optional
        One of :data:`NAMES`.
    on_step : callable
        Called with the name of each figure before it is measured.

    Returns
    -------
    dict
        ``golden_tallies`` (how many were right), ``hands_per_second`` by pairing and thread
        count, ``ns`` by kernel, ``cold_compile_cpu_seconds`` by command; what was not asked for is
        left out.
    """
    if only is not None and only not in NAMES:
        raise InputError(
            f"nothing here is called '{only}'.{nearest(only, NAMES)} It can be {listed(NAMES)}."
        )
    wanted = NAMES if only is None else (only,)
    on_step("golden tallies")
    found: dict = {"golden_tallies": check_golden()}
    counts = sorted({1, threads or available_cores()})
    for name in wanted:
        on_step(name)
        if name in PAIRINGS:
            speeds = found.setdefault("hands_per_second", {})
            speeds[name] = {str(count): round(_hands_per_second(name, count)) for count in counts}
        elif name in KERNELS:
            found.setdefault("ns", {})[name] = round(_kernel_ns(name), 2)
        else:
            found["cold_compile_cpu_seconds"] = {
                command: round(_cold_compile_seconds(command), 1) for command in COLD_COMMANDS
            }
    return found


def _hands_per_second(name: str, threads: int) -> float:
    specs, rules, hands = PAIRINGS[name]
    plan = Plan(
        tuple(map(parse_policy, specs)),
        parse_rules(rules),
        hands * min(threads, available_cores()),
        _SEED,
    )
    simulate(plan, threads)
    return plan.hands / statistics.median(simulate(plan, threads).seconds for _ in range(_RUNS))


def _kernel_ns(name: str) -> float:
    loop, arrays, repeats = _kernel_work(name)
    loop(1, *arrays)
    times = []
    for _ in range(_RUNS):
        started = time.perf_counter()
        loop(repeats, *arrays)
        times.append((time.perf_counter() - started) / (repeats * len(arrays[0])))
    return statistics.median(times) * 1e9


def _kernel_work(name: str):
    if name == "deadwood":
        return _deadwood_loop, (random_hands(_SEED, _N_HANDS, 10),), 64
    if name == "best_discard":
        return _best_discard_loop, (random_hands(_SEED, _N_HANDS, 11),), 64
    return _layoff_loop, end_of_hand_knocks(_SEED, _N_HANDS), 16


@jit
def _deadwood_loop(repeats, hands):
    total = 0
    for _ in range(repeats):
        for i in range(len(hands)):
            total += least_deadwood(hands[i])
    return total


@jit
def _best_discard_loop(repeats, hands):
    total = 0
    for _ in range(repeats):
        for i in range(len(hands)):
            deadwood, discards = best_discards(hands[i], 0)
            total += deadwood ^ discards
    return total


@jit
def _layoff_loop(repeats, defenders, sets, runs):
    total = 0
    for _ in range(repeats):
        for i in range(len(defenders)):
            deadwood, laid_off = defence(defenders[i], sets[i], runs[i])
            total += deadwood ^ laid_off
    return total


LOOPS = (_deadwood_loop, _best_discard_loop, _layoff_loop)


def compile_loops() -> None:
    """Compile what is timed of single hands."""
    for name in KERNELS:
        loop, arrays, _ = _kernel_work(name)
        loop(1, *arrays)


@jit
def _fill_random_hands(tables, seed, n_cards, hands):
    table = tables[0]
    for i in range(len(hands)):
        shuffle_deck(table, seed, i)
        hand = 0
        for place in range(n_cards):
            hand |= 1 << np.int64(table.deck[place])
        hands[i] = hand


def random_hands(seed: int, n_hands: int, n_cards: int) -> np.ndarray:
    """Return uniformly random hands as int64 masks, shape (n_hands,)."""
    hands = np.empty(n_hands, np.int64)
    _fill_random_hands(new_state()[0], seed, n_cards, hands)
    return hands


@jit
def _fill_knocks(tables, views, rules, players, seed, defenders, sets, runs):
    table = tables[0]
    n_found = 0
    deal_index = 0
    while n_found < len(defenders):
        start_deal(table, views, seed, deal_index)
        play_leg(table, views, rules, players, deal_index, 0)
        if table.ending == KNOCK:
            defenders[n_found] = views[1 - table.knocker].hand
            sets[n_found] = table.spread_sets
            runs[n_found] = table.spread_runs
            n_found += 1
        deal_index += 1


def end_of_hand_knocks(seed: int, n_knocks: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the knocks that ended greedy hands: defenders' cards, and spreads as two masks."""
    greedy = parse_policy("greedy")
    defenders, sets, runs = (np.empty(n_knocks, np.int64) for _ in range(3))
    _fill_knocks(
        *new_state(),
        rule_record(Rules()),
        players_of((greedy, greedy)),
        seed,
        defenders,
        sets,
        runs,
    )
    return defenders, sets, runs


def _cold_compile_seconds(command: str) -> float:
    """Return the CPU seconds that a command takes in a new process with an empty cache."""
    program = (
        "import atexit, sys, time; from gin_sim.cli import main; "
        "atexit.register(lambda: print(time.process_time(), file=sys.stderr)); "
        f"main({shlex.split(COLD_COMMANDS[command])!r})"
    )
    with tempfile.TemporaryDirectory(prefix="gin-sim-") as folder:
        ran = subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, CACHE_VARIABLE: folder},
            capture_output=True,
            text=True,
            check=True,
        )
    return float(ran.stderr.split()[-1])
