"""How cards and notices reach a terminal: suit symbols where the stream can show them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TextIO

from gin_sim.cards import SUIT_SYMBOLS, by_rank, card_names, cards_of


def shows_symbols(stream: TextIO | None = None) -> bool:
    """Return whether a stream (standard output by default) can encode the suit symbols."""
    encoding = getattr(stream or sys.stdout, "encoding", None) or "ascii"
    try:
        (SUIT_SYMBOLS + "·→±").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def cards_text(cards: int | Iterable[int], symbols: bool) -> str:
    """Return cards by rank, "7♠ 7♥", from a mask or ids."""
    ids = cards_of(cards) if isinstance(cards, int) else list(cards)
    return " ".join(card_names(by_rank(ids), symbols))


def note_compiling(kernel) -> None:
    """Say on standard error that a kernel is about to be compiled, unless it already is."""
    from gin_sim.engine.jit import is_compiled

    if not is_compiled(kernel):
        print("Compiling the engine (once) ...", file=sys.stderr, flush=True)
