"""What to do in a position: one that is typed, one of a hand record, or each of a file."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, get_args

from gin_sim.advice.advise import advise as advise_position
from gin_sim.advice.advise import check_effort
from gin_sim.advice.answer import Asked
from gin_sim.advice.contest import WORLDS_A_BLOCK, Effort
from gin_sim.api.playing import count_of, play, policy_of, rules_of
from gin_sim.api.progress import Progress, progress_of
from gin_sim.belief.deviation import parse_deviation
from gin_sim.errors import InputError
from gin_sim.payoff.equity import Equity
from gin_sim.payoff.equity_cache import keep_results, kept_results, plan_between, results_of
from gin_sim.play.actions import play_worlds
from gin_sim.policies.contract import Policy
from gin_sim.positions import (
    Moment,
    Position,
    parse_position,
    position_from_dict,
    position_in_records,
    positions_in,
)
from gin_sim.positions.parsing import parse_pair
from gin_sim.records.rows import source_name
from gin_sim.results.advice import Advice
from gin_sim.results.advice_list import AdviceList, PositionAdvice
from gin_sim.results.objective import OF_THE_GAME, unit_of
from gin_sim.rules import Rules
from gin_sim.words import listed

__all__ = ["advise", "advise_file", "advise_record", "parse_position"]

NO_PANEL = "none"
_SECONDS = 10.0


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
    """Say what to do in a position: every action's value with its interval, and the verdict.

    Parameters
    ----------
    position : Position, mapping or str
        What :func:`gin_sim.parse_position` returns, its fields by name, or the cards of the hand,
        with the other fields as arguments: ``first``, ``history``, ``turn``, ``pile``, ``took``,
        ``discarded``, ``score``, ``boxes`` and ``dealer``.
    play, against : str, path, or Policy
        How the player plays after the action, and what the opponent is supposed to follow: its
        acts are read by it, and it plays by it.
    objective : str
        ``points`` of the hand; ``points+boxes``, with the box for a hand won; ``win``, the chance
        to win the game from the position's score; or ``stakes``, the points settled at its end.
    precision : float, optional
        Half the width of the margin's interval that is enough, in the unit of the result: by
        default 0.5 points per hand, 0.005 of a chance to win, or 1 point per game.
    time : float, optional
        Seconds that are enough whatever the width, 10 by default; each opponent of the panel has a
        quarter of it more.
    worlds : int, optional
        Deals to sample, in blocks of 400, in place of precision and time: the same answer on any
        machine.
    deviation : str, float or sequence of float
        How often the opponent deviates from its policy: ``known`` (hardly ever), ``alike`` (it is
        only like the policy), one chance for takes and discards, or three of a take, a discard and
        a knock.
    panel : sequence of str, path, or Policy, optional
        Other opponents to give the verdict for, ``()`` or "none" for none; by default the opponent
        with other knock rules.
    rules : str or Rules, optional
        "standard" where the position does not say.
    seed : int
        Same seed and worlds, same numbers, whatever the number of threads.
    threads : int, optional
        All cores by default.
    **fields : optional
        Of the position, as :func:`parse_position` takes them: first, history, turn, pile ...
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
    settings = _settings(
        play, against, objective, precision, time, worlds, deviation, panel, seed, threads
    )
    found = _position_of(position, fields, rules)
    return _Questions(settings, progress_of(progress), stop).answer(found)


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
    """Say what to do in a position of a hand record; which one it is goes to the progress.

    Parameters
    ----------
    records : str or path
        A file of hand records.
    hand : int
        Which hand of the file, from 1.
    turn : int, optional
        The player's own turn; the last by default.
    player : int, optional
        Whose turn, seat 0 or 1; by default who knocked, else who acted last.
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
    settings = _settings_of(options)
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
    return _Questions(settings, shown, stop).answer(position)


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
        For the positions that name none.
    score, boxes : str or pair of int, optional
        For the positions that name none.
    **options : optional
        The other arguments of :func:`advise`.
    progress, stop : optional
        As for :func:`advise`; once stopped, no further position is asked about.

    Raises
    ------
    InputError
        If a line is bad (all bad lines are named, before any work), or the first position has no
        answer; a later one ends the list, which says why.

    Examples
    --------
    >>> import gin_sim
    >>> gin_sim.advise_file("positions.csv", worlds=4000).table()
    """
    settings = _settings_of(options)
    shown = progress_of(progress)
    positions = positions_in(str(path), {"score": score, "boxes": boxes, "rules": rules})
    questions = _Questions(settings, shown, stop)
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


# ---------------------------------------------------------------------------------------------
# What is asked


class _Settings(NamedTuple):
    """What a question does not have from its position."""

    asked: Asked
    panel: tuple[Policy, ...] | None
    threads: int | None


def _settings_of(options: dict[str, Any]) -> _Settings:
    """Return the settings that options of :func:`advise` name."""
    names = (
        "play", "against", "objective", "precision", "time", "worlds", "deviation", "panel", "seed",
        "threads",
    )  # fmt: skip
    for name in options:
        if name not in names:
            raise InputError(f"'{name}' is none of what can be given here: {', '.join(names)}.")
    defaults: dict[str, Any] = {"play": "strong", "against": "strong", "objective": "points"}
    defaults |= {"deviation": "alike", "seed": 1}
    return _settings(*({**dict.fromkeys(names), **defaults, **options}[name] for name in names))


def _settings(
    play: Any,
    against: Any,
    objective: str,
    precision: float | None,
    time: float | None,
    worlds: float | None,
    deviation: Any,
    panel: Any,
    seed: int,
    threads: int | None,
) -> _Settings:
    """Return the settings, checked before any work."""
    blocks = None
    if worlds is not None:
        given = {"--precision": precision, "--time": time}
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    f"--worlds and {name} are both given: play a fixed number of sampled deals, or "
                    "stop by the interval and the time."
                )
        blocks = math.ceil(count_of(worlds, "worlds") / WORLDS_A_BLOCK)
    asked = Asked(
        play=policy_of(play),
        against=policy_of(against),
        objective=objective,
        effort=check_effort(
            Effort(precision, _SECONDS if time is None else time, blocks), objective
        ),
        deviation=parse_deviation(deviation),
        seed=seed,
    )
    return _Settings(asked, _panel(panel), threads)


def _panel(given: Any) -> tuple[Policy, ...] | None:
    """Return other opponents; None for the usual ones."""
    if given is None:
        return None
    several = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    if NO_PANEL in several:
        if len(several) > 1:
            raise InputError("--panel none is given beside other opponents: give one or the other.")
        return ()
    return tuple(map(policy_of, several))


def _position_of(given: Any, fields: dict[str, Any], rules: str | Rules | None) -> Position:
    """Return the position that a caller names."""
    named = {name: value for name, value in fields.items() if value is not None}
    if rules is not None:
        named["rules"] = rules
    if isinstance(given, str):
        if "history" in named and "turn" in named:
            raise InputError(
                "--history and --turn are both given: the turn follows from the history, so give "
                "the history alone, or else the turn and the pile."
            )
        return position_from_dict({"hand": given, **named})
    if given is None:
        raise InputError(
            "no position is given: write the hand with --first and --history, or name --records "
            "or a --file."
        )
    if not isinstance(given, Position | Mapping):
        raise InputError(
            f"{given!r} is no position: give the cards of the hand, a dict of the fields of "
            "parse_position, or what parse_position returns."
        )
    known = given.as_dict() if isinstance(given, Position) else given
    if isinstance(given, Position) and not named:
        return given
    if others := [name for name in named if name != "rules"]:
        raise InputError(f"{others[0]} is given beside a whole position: leave it out.")
    return position_from_dict({**known, **named})


class _Questions:
    """Asks about positions; the tables of the game are kept from one to the next."""

    def __init__(
        self, settings: _Settings, progress: Progress, stop: threading.Event | None
    ) -> None:
        self._settings = settings
        self._progress = progress
        self._stop = stop
        self._equities: dict[Rules, Equity] = {}

    def answer(self, position: Position) -> Advice:
        """Return advice on a position; once it is to stop, the answer so far."""
        asked, panel, threads = self._settings
        equity = None
        if asked.objective in OF_THE_GAME:
            equity = self._equities.get(position.rules) or self._count(position.rules)
        with self._progress.compiling(play_worlds):
            pass  # it compiles at work; a first Ctrl-C then still gives an answer
        unit = unit_of(asked.objective, at_a_score=True)
        with self._progress.advising(asked.effort.blocks, unit) as on_block:
            return advise_position(
                position,
                asked,
                panel=panel,
                threads=threads,
                equity=equity,
                stop=self._stop,
                on_block=on_block,
            )

    def _count(self, rules: Rules) -> Equity:
        """Return the table of the game, its hands counted unless they were before."""
        plan = plan_between(self._settings.asked.play, self._settings.asked.against, rules)
        results = kept_results(plan)
        if results is None:
            results = results_of(play(plan, self._settings.threads, self._progress, self._stop))
            if results.partial:
                raise KeyboardInterrupt  # a table of few hands is none
            if notice := keep_results(results):
                self._progress.note(notice)
        self._equities[rules] = Equity(results)
        return self._equities[rules]
