"""What goes with what in questions of when to knock, and how several scores are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from gin_sim.api.playing import count_of
from gin_sim.errors import InputError
from gin_sim.knock.cells import CLASSES
from gin_sim.knock.several_scores import usual_states
from gin_sim.payoff.score import State, check_rules, read_state
from gin_sim.records import check_output
from gin_sim.results.objective import OF_THE_GAME, check_objective
from gin_sim.rules import Rules
from gin_sim.words import listed

#: By what else than turn and deadwood a rule may differ.
BY = (*CLASSES, "score")
#: Those that a knock table knows, so that the rule can be played.
_PLAYED = ("outs", "none")
_PROOF_HANDS = 200_000
_ONE_SCORE = re.compile(r"\s*([^:]*?)\s*(?::\s*([^:]*?)\s*)?")


def check_by(by: str) -> None:
    """Refuse what a rule cannot differ by; :class:`InputError`."""
    if by not in BY:
        raise InputError(f"a rule cannot differ by '{by}': give --by {listed(BY)}.")


def check_by_score(objective: str, given: dict[str, Any]) -> None:
    """Refuse what does not go with ``--by score``.

    Parameters
    ----------
    objective : str
    given : dict of str to object
        What is for one score, by option; None or False where it is not given.

    Raises
    ------
    InputError
    """
    check_objective(objective)
    if objective not in OF_THE_GAME:
        raise InputError(
            f"--by score needs --objective win or stakes: {objective} do not depend on the score."
        )
    for name, value in given.items():
        if value is not None and value is not False:
            raise InputError(
                f"{name} is for one score, and --by score compares several: leave it out, or give "
                "--score instead of --by score."
            )


def check_iterate(objective: str, by: str) -> None:
    """Refuse what does not go with ``--iterate``; :class:`InputError`."""
    check_objective(objective)
    if objective not in OF_THE_GAME:
        raise InputError(
            f"--iterate needs --objective win or stakes: by {objective}, later hands do not count."
        )
    if by not in _PLAYED:
        raise InputError(
            f"--iterate plays a knock table, which cannot hold a rule by {by}: give --by outs or "
            "none."
        )


def check_equilibrium(by: str) -> None:
    """Refuse what an equilibrium cannot differ by; :class:`InputError`."""
    check_by(by)
    if by == "score":
        raise InputError(
            "--by score needs --against POLICY: an equilibrium is found at one score, by --score."
        )


def proof_hands_of(given: float | None, by: str) -> int:
    """Return how many fresh hands to prove a rule on, whole mirrored pairs.

    Raises
    ------
    InputError
        If they were asked for, and the rule cannot be played.
    """
    if by not in _PLAYED:
        if given:
            raise InputError(
                f"--proof-hands plays a knock table, which cannot hold a rule by {by}: give --by "
                "outs or none, or leave it out."
            )
        return 0
    hands = _PROOF_HANDS if given is None else count_of(given, "proof_hands")
    if hands < 0:
        raise InputError(f"--proof-hands {hands} cannot be played: give 0 for none, or more.")
    return hands + hands % 2


def check_save(path: str | Path, by: str) -> None:
    """Refuse a policy file that cannot be written, or a rule that it cannot hold.

    Raises
    ------
    InputError
    """
    save = str(path)
    if by not in _PLAYED:
        raise InputError(
            f"--save writes a knock table, which cannot hold a rule by {by}: give --by outs or "
            "none."
        )
    if not save.lower().endswith(".toml"):
        raise InputError(f"--save '{save}' does not end in .toml: give a name that does.")
    if not Path(save).stem.strip(".") or not Path(save).suffix:
        raise InputError(f"--save '{save}' has no name before .toml: give one, like solved.toml.")
    if Path(save).exists():
        raise InputError(f"'{save}' is there already: give another name, or remove it first.")
    check_output(Path(save))


def states_of(scores: str | Sequence[Any] | None, rules: Rules) -> list[State]:
    """Return the states that ``--scores`` names, each once, or the usual ones.

    Parameters
    ----------
    scores : str or sequence, optional
        Scores with commas between them, or a sequence of such texts, of pairs of points, or of
        pairs of a score and hands won; hands won follow a colon: "90-0:3-0".
    rules : Rules

    Raises
    ------
    InputError
        If one of them is no score, or no game is there.
    """
    check_rules(rules)
    if scores is None:
        return usual_states(rules)
    given = scores.split(",") if isinstance(scores, str) else scores
    states = [_state_of(each, rules) for each in given]
    if not states:
        raise InputError("--scores names no score: give some, like 0-0,90-0:3-0.")
    return list(dict.fromkeys(states))


def _state_of(given: Any, rules: Rules) -> State:
    score, boxes = given, None
    if isinstance(given, str):
        found = _ONE_SCORE.fullmatch(given)
        if not found:
            raise InputError(
                f"--scores has '{given.strip()}': give scores like 90-0 or, with the hands won so "
                "far, 75-50:2-3."
            )
        score, boxes = found.groups()
    elif isinstance(given, Sequence) and len(given) == 2 and not isinstance(given[0], int):
        score, boxes = given
    return read_state(score, boxes, None, rules, "--scores")
