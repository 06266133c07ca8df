"""What to do in a position: one that is typed, one of a hand record, or each of a file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from gin_sim.api.advising import Questions, position_of, read_settings, settings_of
from gin_sim.api.playing import rules_of
from gin_sim.api.progress import progress_of
from gin_sim.errors import InputError
from gin_sim.positions import (
    Moment,
    Position,
    parse_position,
    position_in_records,
    positions_in,
)
from gin_sim.positions.parsing import parse_pair
from gin_sim.records.rows import source_name
from gin_sim.results.advice import Advice
from gin_sim.results.advice_list import AdviceList, PositionAdvice
from gin_sim.rules import Rules
from gin_sim.words import listed

__all__ = ["advise", "advise_file", "advise_record", "parse_position"]


def advise(
    position: Position | Mapping[str, Any] | str | None,
    *,
    play: Any = "strong",
    against: Any = "strong",
    objective: str = "points",
    precision: float | None = None,
    time: float | None = None,
    worlds: float | None = None,
    deviation: str | float | Sequence[float] = "alike",
    panel: Any = None,
    rules: str | Rules | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: Any = None,
    stop: threading.Event | None = None,
    **fields: Any,
) -> Advice:
    """Say what to do in a position: the verdict, and what every action is worth.

    Parameters
    ----------
    position : Position, mapping or str
        What :func:`gin_sim.parse_position` returns, its fields by name, or the cards of the hand,
        with the other fields as arguments: ``first``, ``history``, ``turn``, ``pile``, ``took``,
        ``discarded``, ``score``, ``boxes`` and ``dealer``.
    play, against : str, path, or Policy
        The policy that the player follows after the action, and the one that the opponent is
        assumed to follow, before and after it.
    objective : str
        ``points`` of the hand; ``points+boxes``, with the box for a hand won; ``win``, the chance
        to win the game from the position's score; or ``stakes``, the points settled at its end.
    precision : float, optional
        Play until half the width of the margin's interval is no more than this, in the unit of the
        result: by default 0.5 points per hand, 0.005 of a chance to win, or 1 point per game.
    time : float, optional
        The most seconds to play, 10 by default, and a quarter of that more for each opponent of the
        panel.
    worlds : int, optional
        Deals to sample, in blocks of 400, instead of precision and time: the same answer on any
        machine.
    deviation : str, float or sequence of float
        How often the opponent deviates from its policy: ``known`` (hardly ever), ``alike`` (it
        only resembles the policy), one chance for takes and discards, or three for takes, discards
        and knocks.
    panel : sequence of str, path, or Policy, optional
        Other opponents to give the verdict for, ``()`` or "none" for none; by default the opponent
        with other knock rules.
    rules : str or Rules, optional
        "standard" if the position does not say.
    seed : int
        Same seed and worlds, same numbers, for any number of threads.
    threads : int, optional
        All cores by default.
    **fields : optional
        Fields of the position for :func:`parse_position`: first, history, turn, pile ...
    progress : bool or callable, optional
        True for a line on the terminal, or a function of (done, total, unit).
    stop : threading.Event, optional
        Once set, the answer so far is returned.

    Raises
    ------
    InputError
        If there is no such position or policy, or an option is out of range.

    Examples
    --------
    >>> import gin_sim
    >>> advice = gin_sim.advise(
    ...     "As Ad Ah 2c 3c 4c Th Jh Qh 9c Kd", first="5s", history="p p s", worlds=800
    ... )
    >>> advice.verdict.answer
    'play on'
    """
    settings = read_settings(
        play, against, objective, precision, time, worlds, deviation, panel, seed, threads
    )
    found = position_of(position, fields, rules)
    return Questions(settings, progress_of(progress), stop).answer(found)


def advise_record(
    records: str | Path,
    *,
    hand: int = 1,
    turn: int | None = None,
    player: int | None = None,
    moment: Moment = "discard",
    score: str | Sequence[int] | None = None,
    boxes: str | Sequence[int] | None = None,
    rules: str | Rules | None = None,
    progress: Any = None,
    stop: threading.Event | None = None,
    **options: Any,
) -> Advice:
    """Say what to do in a position of a hand record, and note which position that is.

    Parameters
    ----------
    records : str or path
        A file of hand records.
    hand : int
        Which hand of the file, from 1.
    turn : int, optional
        The player's own turn; the last by default.
    player : int, optional
        Whose turn, seat 0 or 1; by default the player who knocked, or else acted last.
    moment : str
        ``discard``, with a card to discard; ``draw``, before the draw; or ``offer``, at the offer
        of the first upcard.
    score, boxes : str or pair of int, optional
        Points and hands won so far, the player's first, which a record does not say.
    rules : str or Rules, optional
        The record's by default.
    progress, stop : optional
        As for :func:`advise`.
    **options : optional
        The other arguments of :func:`advise`.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.advise_record("hands.jsonl", hand=3, against="simple")
    """
    settings = settings_of(options)
    if moment not in get_args(Moment):
        raise InputError(f"no moment is called '{moment}': give {listed(get_args(Moment))}.")
    if player not in (None, 0, 1):
        raise InputError(f"the player is {player}: give seat 0 or 1.")
    shown = progress_of(progress)
    position, words = position_in_records(
        str(records),
        hand,
        turn,
        player,
        moment,
        rules=None if rules is None else rules_of(rules),
        score=(0, 0) if score is None else parse_pair("score", score),
        boxes=None if boxes is None else parse_pair("boxes", boxes),
    )
    shown.note(words)
    return Questions(settings, shown, stop).answer(position)


def advise_file(
    path: str | Path,
    *,
    score: str | Sequence[int] | None = None,
    boxes: str | Sequence[int] | None = None,
    rules: str | Rules | None = None,
    on_answer: Callable[[PositionAdvice], None] | None = None,
    progress: Any = None,
    stop: threading.Event | None = None,
    **options: Any,
) -> AdviceList:
    """Say what to do in each position of a file.

    Parameters
    ----------
    path : str or path
        CSV or JSON Lines, whose fields are those of :func:`gin_sim.parse_position`.
    on_answer : callable, optional
        Called with each answer as it comes.
    rules : str or Rules, optional
        For positions that do not name any.
    score, boxes : str or pair of int, optional
        For positions that do not name any.
    **options : optional
        The other arguments of :func:`advise`.
    progress, stop : optional
        As for :func:`advise`; once stopped, no further position is asked about.

    Raises
    ------
    InputError
        If a line is bad (all bad lines are named, before any work), or the first position has no
        answer.  A later position without an answer ends the list, which says why.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.advise_file("positions.csv", worlds=4000).table()
    """
    settings = settings_of(options)
    shown = progress_of(progress)
    positions = positions_in(str(path), {"score": score, "boxes": boxes, "rules": rules})
    questions = Questions(settings, shown, stop)
    answers: list[PositionAdvice] = []
    fault, stopped = "", False
    for line, position in positions:
        try:
            advice = questions.answer(position)
        except InputError as error:
            fault = f"line {line} of {source_name(str(path))}: {error}"
            break
        except KeyboardInterrupt:  # no answer to this one; those before are kept
            stopped = True
            shown.note(f"Stopped before line {line}.")
            break
        answers.append(PositionAdvice(line=line, advice=advice))
        if on_answer is not None:
            on_answer(answers[-1])
        is_last = len(answers) == len(positions)
        stopped = stop is not None and stop.is_set() and (advice.partial or not is_last)
        if stopped:
            break
    if not answers:
        raise InputError(fault) if fault else KeyboardInterrupt
    return AdviceList(
        rules=positions[0][1].rules,
        seed=settings.asked.seed,
        partial=stopped,
        seconds={"all": round(sum(each.advice.seconds["all"] for each in answers), 3)},
        positions=answers,
        wanted=len(positions),
        fault=fault,
    )
