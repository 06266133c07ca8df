"""Results of played matches as JSON objects with made-up numbers, for charts, tables and texts."""

from __future__ import annotations

import copy
import dataclasses
import itertools

from gin_sim.results.games import GamesSide
from gin_sim.results.kinds import read_object
from gin_sim.results.match import MatchSide
from gin_sim.rules import PRESETS

COMMAND = "gin-sim sweep --play greedy --param knock=0:3 --against simple --out results/knock"
LONG = "heuristic:first=10,middle=7,late=3,live_outs=0.75,danger=0.33,refused=0.2,taken=1.5,x=1"
RULES = dataclasses.asdict(PRESETS["classic"])  # 20 a box, no big gin


def changed(described, *path_and_value):
    """A copy with one value replaced: its place by names and numbers, then the value."""
    *path, last, value = path_and_value
    described = copy.deepcopy(described)
    place = described
    for step in path:
        place = place[step]
    place[last] = value
    return described


def interval(estimate, reach=0.25):
    return {"estimate": estimate, "low": estimate - reach, "high": estimate + reach}


def policy(spec):
    return {"spec": spec, "policy": spec.partition(":")[0], "parameters": {}}


def run(**more):
    """What every result has."""
    return {
        "rules": RULES,
        "seed": 7,
        "confidence": 0.95,
        "partial": False,
        "command": COMMAND,
        "seconds": {"play": 1.0, "hands_per_second": 2000},
        "stopping": None,
        "verdict": "",
        **more,
    }


def study(objective="points", **more):
    return {
        **run(),
        "objective": objective,
        "unit": "share of games" if objective == "win" else "points per hand",
        "hands": 2000,
        "games": None,
        "units": 1000,
        "mirrored": True,
        "one_pass": True,
        "hands_played": 8000,
        "correction": "simultaneous over all cells",
        **more,
    }


def knock(values):
    meaning = "greatest deadwood to knock with"
    return {"name": "knock", "unit": "pips", "meaning": meaning, "values": list(values)}


# ------------------------------------------------------------------- sweeps


def swept(leads, against="simple", parameters=None, like_best=(), reach=0.25):
    """A table of the leads by their place; the best one, and the places tied with it."""
    tried = list(itertools.product(*(parameter["values"] for parameter in parameters)))
    best = max(range(len(leads)), key=leads.__getitem__)
    among = {best, *like_best}
    cells = [
        {
            "values": list(values),
            "policy": "greedy",
            "figure": interval(lead, reach),
            "to_best": interval(lead - leads[best], 0 if i == best else reach),
            "among_best": i in among,
        }
        for i, (values, lead) in enumerate(zip(tried, leads, strict=True))
    ]
    among_best = [list(tried[i]) for i in sorted(among)]
    return {"against": against, "best": list(tried[best]), "among_best": among_best, "cells": cells}


def sweep(parameters, tables, play="greedy", **more):
    against = [table["against"] for table in tables if table["against"]]
    return {
        "kind": "sweep",
        **study(**more),
        "play": policy(play),
        "parameters": parameters,
        "against": list(map(policy, against)),
        "by_opponent": tables,
        "score": None,
        "later_hands": [],
    }


def one_parameter(values=(0, 1, 2, 3), leads=(-1.0, 0.5, 2.0, 1.9), like_best=(3,), **more):
    parameters = [knock(values)]
    table = swept(list(leads), parameters=parameters, like_best=like_best)
    return sweep(parameters, [table], **more)


def two_parameters(n=3, m=2, against=("simple",), **more):
    parameters = [{**knock(range(n)), "name": "early"}, {**knock(range(m)), "name": "late"}]
    leads = [float(i + j) for i in range(n) for j in range(m)]
    # The best is the last cell; the one before it in the same row is tied with it.
    like_best = (n * m - 2,) if m > 1 else ()
    tables = [swept(leads, spec, parameters, like_best) for spec in against]
    return sweep(parameters, tables, play="two-threshold", **more)


def value_matrix(values=(0, 5, 10), scale=1.0, reach=0.25, **more):
    """Rock, paper, scissors: each value beats the one before it, and the first beats the last."""
    n = len(values)

    def lead(i, j):
        return scale * ({0: 0.0, 1: 1.0, n - 1: -1.0}.get((i - j) % n, 0.0))

    cells = [
        {
            "row": values[i],
            "column": values[j],
            "lead": interval(lead(i, j), 0 if i == j else reach),
        }
        for i in range(n)
        for j in range(n)
    ]
    replies = [
        {
            "to": values[j],
            "best": values[(j + 1) % n],
            "lead": interval(lead((j + 1) % n, j), reach),
            "among_best": [values[(j + 1) % n]],
        }
        for j in range(n)
    ]
    weight = {"estimate": 1 / n, "low": max(0, 1 / n - 0.1), "high": 1 / n}
    return {
        "kind": "value-matrix",
        **study(**more),
        "play": policy("greedy"),
        "parameter": knock(values),
        "cells": cells,
        "best_replies": replies,
        "dominated": [],
        "equilibrium": {
            "mixture": [{"value": v, "weight": weight} for v in values],
            "value": interval(0.0, 0.0),
            "payoffs": [{"value": v, "lead": interval(0.0, reach)} for v in values],
        },
    }


# ----------------------------------------------------------------- rankings


def ranking(specs=("strong", "marjj", "greedy"), leads=(4.0, 0.1, 0.0), **more):
    """Each policy's strength; two differ where their strengths do by more than 0.5."""
    n = len(specs)
    mean = [leads[i] - (sum(leads) - leads[i]) / max(1, n - 1) for i in range(n)]
    return {
        "kind": "ranking",
        **study(**more),
        "policies": list(map(policy, specs)),
        "ranking": [
            {"policy": spec, "lead": interval(x)} for spec, x in zip(specs, mean, strict=True)
        ],
        "differences": [
            {
                "policy": specs[i],
                "against": specs[j],
                "lead": interval(leads[i] - leads[j], 0.5),
                "in_ranking": interval(leads[i] - leads[j], 0.5),
            }
            for i, j in itertools.combinations(range(n), 2)
        ],
    }


# -------------------------------------------------------------- two policies


def side(kind, spec, won, **rates):
    figures = {name: interval(rates.get(name, 0.0), 0.0) for name in kind.MEASURES}
    return {"policy": spec, **figures, "win_rate": interval(won, 0.01)}


def match():
    rates = {"gin_rate": 0.05, "undercut_made_rate": 0.1}
    return {
        "kind": "match",
        **run(),
        "policies": [policy("greedy"), policy("simple")],
        "hands": 2000,
        "pairs": 1000,
        "deals": 1000,
        "mirrored": True,
        "sides": [
            {**side(MatchSide, "greedy", 0.6, **rates), "hands_won": 1200},
            {**side(MatchSide, "simple", 0.375, **rates), "hands_won": 750},
        ],
        "difference": {
            "points": {**interval(1.5), "variance_reduction": 2.0},
            "points+boxes": {**interval(6.0), "variance_reduction": 2.0},
        },
        "hands_won_lead": interval(0.225, 0.02),
        "wash_rate": interval(0.025, 0.005),
        "stall_rate": interval(0.0, 0.0),
        "turns_per_hand": interval(12.0),
        "luck_adjusted": False,
    }


def games():
    return {
        "kind": "games",
        **run(partial=True),
        "policies": [policy("greedy"), policy("simple")],
        "games": 100,
        "hands": 240,
        "pairs": 50,
        "mirrored": True,
        "sides": [
            {**side(GamesSide, "greedy", 0.6), "games_won": 60},
            {**side(GamesSide, "simple", 0.4), "games_won": 40},
        ],
        "difference": {
            "win": {**interval(0.2, 0.1), "variance_reduction": 1.5},
            "stakes": {**interval(30.0), "variance_reduction": 1.5},
        },
        "tie_rate": interval(0.0, 0.0),
        "upset_rate": interval(0.02, 0.01),
        "unfinished": 0,
        "hands_per_game": interval(2.4),
        "wash_rate": interval(0.0, 0.0),
        "stall_rate": interval(0.0, 0.0),
        "games_by_hands": [0, 10, 40, 50],
        "longest_or_more": False,
    }


RESULTS = {
    "match": match,
    "games": games,
    "ranking": ranking,
    "sweep": one_parameter,
    "value-matrix": value_matrix,
}


def result(described):
    """The Struct of a result's JSON object."""
    return read_object(described)


def without_intervals(value):
    """The same object with null for the ends of every interval."""
    if isinstance(value, dict):
        return {k: None if k in ("low", "high") else without_intervals(v) for k, v in value.items()}
    return [without_intervals(v) for v in value] if isinstance(value, list) else value


def without_estimates(value):
    if isinstance(value, dict):
        missing = ("low", "high", "estimate")
        return {k: None if k in missing else without_estimates(v) for k, v in value.items()}
    return [without_estimates(v) for v in value] if isinstance(value, list) else value
