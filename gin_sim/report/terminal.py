"""How cards and notices reach a terminal: suit symbols where the stream can show them."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from typing import TextIO

from gin_sim.cards import SUIT_SYMBOLS, by_rank, card_names, cards_of

_WIDTH_OFF_TERMINAL = 120


def shows_symbols(stream: TextIO | None = None) -> bool:
    """Return whether a stream (standard output by default) can hold the suit symbols."""
    stream = stream or sys.stdout
    if isinstance(stream, io.StringIO):
        return True
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        (SUIT_SYMBOLS + "·→±").encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


_ASCII = str.maketrans({"±": "+-", "·": "|", "→": ">", "×": "x", "…": "..."})


class _AsciiStream:
    """A stream that writes the few typographic signs of the tables as ASCII."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(text.translate(_ASCII))

    def __getattr__(self, name: str):
        return getattr(self._stream, name)


def console(stderr: bool = False):
    """Return a rich console that prints text as it stands, wide enough for a table in a file."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    made = Console(
        file=stream if shows_symbols(stream) else _AsciiStream(stream),
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
    )
    if not made.is_terminal:
        made.width = _WIDTH_OFF_TERMINAL
    return made


def cards_text(cards: int | Iterable[int], symbols: bool) -> str:
    """Return cards by rank, "7♠ 7♥", from a mask or ids."""
    ids = cards_of(cards) if isinstance(cards, int) else list(cards)
    return " ".join(card_names(by_rank(ids), symbols))


def note_cache() -> bool:
    """Say on standard error what became of the kept compiled code; return whether anything did."""
    cache = sys.modules.get("gin_sim.engine.compile_cache")  # nothing without the engine
    sentences = cache.take_notices() if cache else []
    for sentence in sentences:
        print(sentence, file=sys.stderr, flush=True)
    return bool(sentences)
