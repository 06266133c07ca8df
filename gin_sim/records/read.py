"""Reading hand records: each line is checked, and refused in a sentence that names it.

What a record must be to make sense at all is decided here: its types, its cards, a deal of 52
different cards, rules that exist.  Whether the hand was played by its rules is not: that is
:mod:`gin_sim.play.replay`'s question.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
from collections.abc import Iterator
from typing import IO, get_args

import msgspec

from gin_sim.atomic import STANDARD_STREAM
from gin_sim.cards import HAND_SIZE, STOCK_SIZE, card_name, parse_card
from gin_sim.errors import InputError
from gin_sim.records.schema import FORMAT, Draw, HandRecord, Kind
from gin_sim.rules import RulesError, parse_rules
from gin_sim.words import listed


class RecordError(InputError):
    """Hand records that cannot be read; the sentence names the file and the line."""


def read_records(path: str | os.PathLike[str]) -> Iterator[tuple[int, HandRecord]]:
    """Read hand records one by one; blank lines are skipped.

    Parameters
    ----------
    path : str or path
        A file of hand records, or ``"-"`` for standard input.

    Yields
    ------
    line : int
        Line number from 1.
    record : HandRecord

    Raises
    ------
    RecordError
        If there is no such file, it holds no record, or a line is not a hand record; the
        sentence names the line.
    """
    name = "standard input" if str(path) == STANDARD_STREAM else str(path)
    decode = msgspec.json.Decoder(HandRecord).decode
    n_records = 0
    with _opened(path) as lines:
        for number, line in enumerate(lines, 1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")  # some editors' mark of UTF-8
            if not line.strip():
                continue
            try:
                record = decode(line)
                _check_deal(record)
                _check_rules(record.rules)
                if record.priced is not None:
                    _check_rules(record.priced)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, InputError) as error:
                raise RecordError(f"{name}, line {number}: {_reason(error, line)}") from None
            n_records += 1
            yield number, record
    if not n_records:
        raise RecordError(f"{name} is empty: a hand record is one JSON object a line.")


@contextlib.contextmanager
def _opened(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    if str(path) == STANDARD_STREAM:
        yield sys.stdin.buffer
        return
    try:
        with open(path, "rb") as file:
            yield file
    except FileNotFoundError:
        raise RecordError(f"there is no file '{path}'.") from None
    except IsADirectoryError:
        raise RecordError(f"'{path}' is a folder, not a file of hand records.") from None
    except OSError as error:
        raise RecordError(f"'{path}' cannot be read: {error.strerror or error}.") from None


@functools.lru_cache(maxsize=64)
def _check_rules(spec: str) -> None:
    parse_rules(spec)


def _check_deal(record: HandRecord) -> None:
    for seat, hand in enumerate(record.deal):
        if len(hand) != HAND_SIZE:
            raise RecordError(f"seat {seat} is dealt {len(hand)} cards, not {HAND_SIZE}.")
    if len(record.stock) != STOCK_SIZE:
        raise RecordError(f"the stock has {len(record.stock)} cards, not {STOCK_SIZE}.")
    cards = [*record.deal[0], *record.deal[1], record.upcard, *record.stock]
    if len(set(cards)) != len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise RecordError(
            f"{twice} is dealt twice: hands, upcard and stock are 52 different cards."
        )


_EXPECTED = re.compile(r"Expected `(?P<expected>.*)`, got `(?P<got>.*)`$")
_INVALID = re.compile(r"Invalid enum value '?(?P<value>.*?)'?$", re.DOTALL)
_LENGTH = re.compile(r"Expected `array` of length (?P<length>\d+)")
_MISSING = re.compile(r"Object missing required field `(?P<field>.*)`$")
_TURN = re.compile(r"^turns\[(\d+)\]\.?")
_JSON_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number with decimals",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def _reason(error: Exception, line: bytes) -> str:
    """Return why a line is not a hand record, as the end of a sentence."""
    if isinstance(error, RulesError):
        return f"the rules: {error}"
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, RecursionError):
        return "lists are nested too deeply for a hand record."
    if not _is_utf8(line):
        return "it is not UTF-8 text."
    message, _, path = str(error).partition(" - at `$")
    if not isinstance(error, msgspec.ValidationError):
        if message.startswith("Input data was truncated"):
            what = "line" if line.endswith(b"\n") else "file"
            return f"the record is cut off: the {what} ends inside it."
        return f"it is not JSON ({message.removeprefix('JSON is malformed: ')})."
    where = _place(path.rstrip("`").lstrip("."))
    if found := _INVALID.match(message):
        return _not_among(where, path.rstrip("`"), found["value"])
    if found := _MISSING.match(message):
        return f"{where} has no '{found['field']}'."
    if found := _LENGTH.match(message):
        return f"{where} is a list whose length is not {found['length']}."
    if found := _EXPECTED.match(message):
        expected = listed(_JSON_WORDS.get(word, word) for word in found["expected"].split(" | "))
        got = _JSON_WORDS.get(found["got"], found["got"])
        return f"{where} is {got} where {expected} is expected."
    return f"{where}: {message.replace('`', '')}."


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _place(path: str) -> str:
    """Return a path into a record as prose, with turns counted from 1."""
    if not path:
        return "the record"
    found = _TURN.match(path)
    if not found:
        return path
    rest = path[found.end() :]
    return f"turn {int(found[1]) + 1}" + (f"'s {rest}" if rest else "")


def _not_among(where: str, path: str, value: str) -> str:
    field = path.rpartition(".")[2]
    if field == "format":
        return f"its format is '{value}', and this reads '{FORMAT}'."
    if field == "draw":
        return f"{where} is '{value}': it can be {listed(get_args(Draw))}."
    if field == "kind":
        return f"{where} is '{value}': it can be {listed(get_args(Kind))}."
    if field in ("player", "dealer", "knocker", "leg"):
        return f"{where} is {value}: it can be 0 or 1."
    try:
        written = card_name(parse_card(value))
    except InputError:
        return f"{where} is '{value}', which is not a card: a card is like Td, rank then suit."
    return f"{where} is '{value}': a record writes that card {written}."
