"""The line on standard error while the engine compiles: what, how many of how many, how long.

On a terminal it is rewritten as time goes by and gone in the end; elsewhere it is written once.  It
comes after a second of compiling only, so that small pieces pass without a word.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from gin_sim.report.terminal import console, note_cache

_SOON = 1.0  # seconds

#: What the functions do that are compiled by themselves, in a player's words.
_TITLES = {
    "gin_sim.advice.explanation._deadwoods": "counting deadwood",
    "gin_sim.advice.explanation._defences": "laying off on a knock",
    "gin_sim.belief.class_weights._count_classes": "learning which hands are likely",
    "gin_sim.belief.class_weights._deal_hands": "sampling the opponent's hand",
    "gin_sim.belief.class_weights._fill_words": "sampling the opponent's hand",
    "gin_sim.belief.likelihood._watch": "going over the history",
    "gin_sim.belief.likelihood.draw_prior": "sampling the opponent's hand",
    "gin_sim.belief.likelihood.log_of_acts": "how likely a discard is",
    "gin_sim.belief.likelihood.log_of_take": "how likely a draw is",
    "gin_sim.belief.replica_exchange.drive_chain": "reading the opponent's hand",
    "gin_sim.belief.test_positions._below": "choosing positions",
    "gin_sim.belief.test_positions._best_discard": "finding the best discard",
    "gin_sim.belief.test_positions._settle_all": "settling knocks",
    "gin_sim.checks.bench._best_discard_loop": "timing discards",
    "gin_sim.checks.bench._deadwood_loop": "timing deadwood",
    "gin_sim.checks.bench._layoff_loop": "timing layoffs",
    "gin_sim.engine.deadwood.improving_cards": "finding the cards that would help",
    "gin_sim.engine.deadwood.least_deadwood": "counting deadwood",
    "gin_sim.engine.deal._deal_hand": "dealing",
    "gin_sim.engine.layoff.choose_spread": "choosing a spread",
    "gin_sim.engine.round.settle": "settling a knock",
    "gin_sim.knock.induction.follow": "following a knock rule",
    "gin_sim.knock.induction.respond": "finding the best knock rule",
    "gin_sim.payoff.game_solver._fill_backward": "solving the game",
    "gin_sim.play.actions.play_worlds": "playing out each action",
    "gin_sim.play.games.play_games": "playing games",
    "gin_sim.play.hand_results.count_results": "counting how hands end",
    "gin_sim.play.hand_table.fill_hands": "listing hands",
    "gin_sim.play.knock_trace._note": "what a knock would score",
    "gin_sim.play.knock_trace.trace_paths": "tracing knocks",
    "gin_sim.play.loop._play_hand": "playing a hand",
    "gin_sim.play.loop._start_deal": "shuffling",
    "gin_sim.play.loop.play_chunk": "playing many hands",
    "gin_sim.play.luck.play_chunk_with_luck": "weighing luck",
    "gin_sim.play.pairings.play_game_pairings": "playing games of many pairs",
    "gin_sim.play.pairings.play_pairings": "playing hands of many pairs",
    "gin_sim.play.record._play_hand": "recording a hand",
    "gin_sim.play.replay_steps.replay_steps": "replaying a hand",
    "gin_sim.play.threshold_walk.play_paths": "playing by many knock limits at once",
    "gin_sim.play.turn.begin_turn": "beginning a turn",
    "gin_sim.play.turn.carry_out": "taking a turn",
    "gin_sim.play.turn.discard_without_knock": "discarding",
    "gin_sim.play.turn.draw": "drawing",
    "gin_sim.policies.decide._discards_any": "discarding at random",
    "gin_sim.policies.decide._discards_by_score": "how strong discards",
    "gin_sim.policies.decide._discards_like_marjj": "how marjj discards",
    "gin_sim.policies.decide._discards_like_simple": "how simple discards",
    "gin_sim.policies.decide._knocks_by_coin": "knocking at random",
    "gin_sim.policies.decide._knocks_like_heisenbot": "how heisenbot knocks",
    "gin_sim.policies.decide._takes_by_coin": "taking at random",
    "gin_sim.policies.decide._takes_by_score": "how strong takes the upcard",
    "gin_sim.policies.decide._takes_like_marjj": "how marjj takes the upcard",
    "gin_sim.policies.probabilities._discard_by_score": "how likely strong discards a card",
    "gin_sim.policies.probabilities._discard_like_marjj": "how likely marjj discards a card",
    "gin_sim.policies.probabilities._discard_like_simple": "how likely simple discards a card",
    "gin_sim.policies.probabilities._take_by_score": "how likely strong takes the upcard",
    "gin_sim.policies.shipped.family_scores.take_score": "what strong sees in the upcard",
    "gin_sim.policies.shipped.knock_table.out_class": "counting outs",
    "gin_sim.single_hands.arrangement.arrange_hands": "arranging hands",
    "gin_sim.single_hands.settlement.settle_knocks": "settling knocks",
}


def title_of(unit: str) -> str:
    """Return what a unit of compiling does; of a user's its file."""
    return _TITLES.get(unit, "a small part") if _is_ours(unit) else unit.rpartition(".")[0]


def _is_ours(unit: str) -> bool:
    return unit.startswith("gin_sim.")


class CompilingLine:
    """The line of one question.

    Parameters
    ----------
    bar : callable, optional
        Returns the bar that is shown, or None: it makes place for the line.
    """

    def __init__(self, bar: Callable[[], Any] = lambda: None) -> None:
        self._bar = bar
        self._guard = threading.RLock()
        self._expected: dict[str, None] = {}
        self._open: list[str] = []
        self._done: set[str] = set()
        self._title = ""
        self._before: float | None = None  # seconds of compiling before the question
        self._timer: threading.Timer | None = None
        self._live: Any = None
        self._paused: Any = None
        self._listens = False
        self._is_written = False

    @contextmanager
    def expecting(self, functions: Iterable[Any]) -> Iterator[None]:
        """Show the line while something compiles, and count what functions need.

        Parameters
        ----------
        functions : iterable of kernels and functions compiled apart
        """
        from gin_sim.engine.compiling import compile_seconds, listening
        from gin_sim.engine.reach import to_compile

        with self._guard:
            if self._before is None:
                self._before = compile_seconds()
            self._expected |= dict.fromkeys(to_compile(functions))
        if self._listens:
            yield
            return
        self._listens = True
        try:
            with listening(self):
                yield
        finally:
            self._listens = False

    def begun(self, unit: str) -> None:
        """Take a unit that begins to compile."""
        with self._guard:
            if unit in _TITLES or not _is_ours(unit):  # helpers are not counted
                self._expected[unit] = None
            self._open.append(unit)
            self._title = title_of(unit)
            if len(self._open) == 1:
                self._timer = threading.Timer(max(_SOON - self._seconds(), 0.0), self._show)
                self._timer.daemon = True
                self._timer.start()

    def ended(self, unit: str) -> None:
        """Take a unit that has been compiled."""
        with self._guard:
            if unit in self._open:
                self._open.remove(unit)
                self._done |= {unit} & self._expected.keys()
            if self._open:
                self._title = title_of(self._open[-1])
            else:
                self._hide()

    def words(self) -> str:
        """Return the line as it stands."""
        total = len(self._expected)
        n = min(len(self._done) + 1, total)  # one that two processes wait for is done once
        of = f"{n} of {total}, " if total else ""
        # A narrow terminal cuts the end, and the seconds are what moves.
        return f"Compiling, once for this version: {of}{self._seconds():.0f} s · {self._title}"

    def _seconds(self) -> float:
        from gin_sim.engine.compiling import compile_seconds

        return compile_seconds() - (self._before or 0.0)

    def _show(self) -> None:
        with self._guard:
            if not self._open or self._live is not None:
                return
            stream = console(stderr=True)
            if not self._is_written:
                self._is_written = True
                note_cache()
                if not stream.is_terminal:
                    n = len(self._expected)
                    parts = f"{n} parts" if n > 1 else "one part"
                    print(f"Compiling {parts}, once for this version ...", file=sys.stderr)
                    sys.stderr.flush()
            if stream.is_terminal:
                self._paused = self._bar()
                if self._paused is not None:
                    self._paused.stop()
                self._live = _live(stream, self.words)
                self._live.start()

    def _hide(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._live is not None:
            self._live.stop()
            self._live = None
        if self._paused is not None:
            self._paused.start()
            self._paused = None


def _live(stream: Any, words: Callable[[], str]) -> Any:
    """Return what writes and rewrites a line of words on a terminal, and takes it away in the end.

    The words are cut to the terminal's width.
    """
    from rich.live import Live
    from rich.text import Text

    def shown() -> Text:
        return Text(f"  {words()}", no_wrap=True, overflow="ellipsis")

    return Live(get_renderable=shown, console=stream, refresh_per_second=4, transient=True)
