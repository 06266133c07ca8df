"""One row for each hand that two policies play, as a DataFrame."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from gin_sim.api.playing import count_of, play, policy_of, rules_of, whole_size
from gin_sim.api.progress import progress_of
from gin_sim.cards import N_CARDS, card_name
from gin_sim.play.hand_table import HandTablePlan
from gin_sim.results.hand_table import PlayedHand
from gin_sim.rules import OUTCOME_NAMES, Rules

if TYPE_CHECKING:
    import pandas as pd

_SIDES = ("a", "b")


def hands(
    policy_a: Any,
    policy_b: Any,
    *,
    hands: float = 1000,
    rules: str | Rules = "standard",
    seed: int = 1,
    mirrored: bool = True,
    threads: int | None = None,
    progress: Any = None,
    stop: threading.Event | None = None,
) -> pd.DataFrame:
    """Play hands between two policies and return a table with one row per hand.

    The hands are those of :func:`gin_sim.simulate` with the same seed, in order.  The columns are
    those of :class:`gin_sim.results.hand_table.PlayedHand`: texts are categories, and numbers that
    a wash does not have are missing.

    Parameters
    ----------
    policy_a, policy_b : str, path, or Policy
        Who plays: a spec such as "greedy:knock=5", a policy file, or a Policy.
    hands : int
        How many hands; whole mirrored pairs where they are mirrored.  Each takes about
        60 bytes of memory.
    rules : str or Rules
        The rule set, with changes after a colon: "standard:gin_bonus=20".
    seed : int
        Same seed, same hands, for any number of threads.
    mirrored : bool
        Whether every deal is played twice, the second time with the seats swapped.
    threads : int, optional
        All cores by default.
    progress : bool or callable, optional
        True for a bar, or a function of (done, total, unit).
    stop : threading.Event, optional
        Once set, the table ends with the hands that are finished.

    Returns
    -------
    pandas.DataFrame
        Its ``attrs`` name the policies, the rules and the seed; Parquet files keep them.

    Raises
    ------
    InputError
        If there is no such policy or rule set, or a policy asks for an illegal step.

    Examples
    --------
    >>> import gin_sim
    >>> table = gin_sim.hands("strong", "simple", hands=1e6)
    >>> table.groupby("outcome", observed=True)["points_a"].mean()
    >>> table.to_parquet("hands.parquet")
    """
    shown = progress_of(progress)
    size = whole_size(count_of(hands, "hands"), mirrored, "hands", shown)
    policies = (policy_of(policy_a), policy_of(policy_b))
    plan = HandTablePlan(policies, rules_of(rules), size, seed, mirrored)
    played = play(plan, threads, shown, stop)
    frame = _frame(plan.rows[: plan.finished(played.tally)])
    frame.attrs = {
        "policies": [policy.spec for policy in policies],
        "rules": plan.rules.name,
        "seed": seed,
    }
    return frame


def _frame(rows: np.ndarray) -> pd.DataFrame:
    """Return the rows of a table (a record array of HAND_ROW) as a frame."""
    import pandas as pd

    no_knock = rows["knocker"] < 0
    sides = pd.CategoricalDtype(_SIDES)

    def category(codes: np.ndarray, dtype: pd.CategoricalDtype) -> pd.Categorical:
        return pd.Categorical.from_codes(codes, dtype=dtype)

    def of_a_knock(numbers: np.ndarray) -> pd.arrays.IntegerArray:
        return pd.arrays.IntegerArray(np.ascontiguousarray(numbers), no_knock.copy())

    columns: dict[str, Any] = {
        "deal_index": rows["deal_index"],
        "leg": rows["leg"],
        "dealer": category(rows["dealer"], sides),
        "first_upcard": category(
            rows["first_upcard"], pd.CategoricalDtype([card_name(card) for card in range(N_CARDS)])
        ),
        "outcome": category(rows["outcome"], pd.CategoricalDtype(OUTCOME_NAMES)),
        "winner": category(rows["winner"], sides),
        "knocker": category(rows["knocker"], sides),
        "knocker_deadwood": of_a_knock(rows["knocker_deadwood"]),
        "defender_deadwood": of_a_knock(rows["defender_deadwood"]),
        "laid_off": of_a_knock(rows["laid_off"]),
        "turns": rows["turns"],
        "stock_left": rows["stock_left"],
    }
    for side, letter in enumerate(_SIDES):
        columns[f"points_{letter}"] = rows["points"][:, side]
        columns[f"dealt_deadwood_{letter}"] = rows["dealt_deadwood"][:, side]
    return pd.DataFrame(columns)[PlayedHand.column_names()]
