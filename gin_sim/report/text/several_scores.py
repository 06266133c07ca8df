"""Knock rules at several scores in text: letters side by side, and where they differ."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from gin_sim.report.text.knocks import (
    cut_words,
    end_words,
    lead_words,
    rows_until,
    table_notes,
    turn_names,
    value_words,
)
from gin_sim.report.text.solution import NOTE_OF_HALVES, SIGN_WORDS, SIGNS
from gin_sim.report.wording import aligned
from gin_sim.results.common import Estimate
from gin_sim.results.knocks import SHOWN_FROM
from gin_sim.results.objective import CHANCE_TO_WIN
from gin_sim.results.several_scores import ScoreDifference, SeveralScores
from gin_sim.results.solution import Ending, KnockCell, Solution
from gin_sim.words import counted

_ACROSS = 3  # panels side by side
_CELL = 3  # characters of a letter with its room


def summary(found: SeveralScores) -> str:
    """Return how many scores were solved, where they differ, and what that rests on, in a line."""
    first = found.panels[0]
    differ = sum(
        any(each.panel == panel for each in found.differences)
        for panel in range(1, len(found.panels))
    )
    return (
        f"the best knock of {found.play.spec} against {found.against.spec} at "
        f"{counted(len(found.panels), 'score')}, clearly different from {words_of(first)} at "
        f"{differ} of them; {found.rules.name} rules, {first.deals:,} deals, seed {found.seed}"
    )


def show(found: SeveralScores, console: Console, more: bool = True) -> None:
    """Print what each score is worth, the decisions side by side, and where they differ."""
    first = found.panels[0]
    console.print(
        f"When to knock, by score: {found.play.spec} against {found.against.spec} · "
        f"{found.shown_unit.shown} · {found.rules.name} rules · {first.deals:,} deals "
        f"traced{cut_words(found.cut)}\n"
    )
    for line in [*_value_rows(found), "", *_letters(found), *verdicts(found)]:
        console.print(line)
    for line in _notes(found) if more else []:
        console.print(line)


def _notes(found: SeveralScores) -> list[str]:
    return [
        "",
        *table_notes(found.panels[0]),
        "The rules here look only at turn and deadwood. Where the policy's own rule is better, it "
        "looks at more: --by outs with that --score shows it.",
        f"{SIGN_WORDS} -: fewer than {SHOWN_FROM} knocks. Blank: no knock.",
        NOTE_OF_HALVES,
        end_words(found.seed, found.seconds),
    ]


def words_of(panel: Solution) -> str:
    """Return the score of a panel."""
    return panel.score.words if panel.score else ""


def _value_rows(found: SeveralScores) -> list[str]:
    """Return a table: what the rule wins at each score, and what three results lead to."""
    unit = found.shown_unit
    rows = [
        [
            "  at",
            "the rule wins" if unit == CHANCE_TO_WIN else "the rule",
            f"more than {found.play.spec}'s own",
            "always knocking - only gin",
            f"after a knock for {found.small_knock} points",
            f"an undercut for {found.least_undercut} points",
            "no winner",
        ]
    ]
    for panel in found.panels:
        rows.append(
            [
                f"  {words_of(panel)}",
                value_words(panel.value, unit),
                lead_words(panel.gain, unit),
                lead_words(panel.plain.knock_less_gin, unit),
                *(_ending_text(each, unit.scale) for each in _endings(panel)),
            ]
        )
    return aligned(rows)


def _endings(panel: Solution) -> list[Ending]:
    return list((panel.endings or {}).values())


def _ending_text(ending: Ending, scale: int) -> str:
    return f"{ending.value * scale:.1f}{', over' if ending.game_over else ''}"


def _letters(found: SeveralScores) -> list[str]:
    cells = [cell for panel in found.panels for cell in panel.cells]
    n_turns = rows_until([cell.turn for cell in cells if cell.knocks])
    deadwoods = max(cell.deadwood for cell in cells)
    width = max(_CELL * deadwoods, *(len(words_of(panel)) for panel in found.panels))
    names = turn_names(n_turns, max(cell.turn for cell in cells))
    head = "".join(f"{deadwood:>{_CELL}}" for deadwood in range(1, deadwoods + 1))
    lines = []
    for first in range(0, len(found.panels), _ACROSS):
        some = found.panels[first : first + _ACROSS]
        rows = [
            ["", *map(words_of, some)],
            ["  deadwood", *[head] * len(some)],
            *(
                [name, *(_letters_of(panel, turn) for panel in some)]
                for turn, name in enumerate(names, 1)
            ),
        ]
        lines += [
            "    ".join([row[0].ljust(12), *(each.ljust(width) for each in row[1:])]).rstrip()
            for row in rows
        ]
        lines.append("")
    return lines


def _letters_of(panel: Solution, turn: int) -> str:
    return "".join(_letter(cell) for cell in panel.cells if cell.turn == turn)


def _letter(cell: KnockCell) -> str:
    if not cell.is_shown:
        return f"{'-' if cell.knocks else '':>{_CELL}}"
    return f"{SIGNS[cell.decision]:>{_CELL}}"


def verdicts(found: SeveralScores) -> list[str]:
    """Say at which scores a knock is right that is not at the first, and where an undercut loses.

    A line for each score but the first, and one for all; of a single score, the undercut alone.
    """
    lines, closing, losing = [], [], []
    undercut_words = f"an undercut for {found.least_undercut} points"
    for number, panel in enumerate(found.panels):
        small, undercut, _ = _endings(panel)
        name = words_of(panel)
        if undercut.game_over and undercut.value == 0:
            losing.append(name)
        if not number:
            continue
        knock, play_on = (found.differing(number, which) for which in ("knock", "play on"))
        if knock:
            closing.append(name)
        parts = [
            _places_words(found, knock, "a knock", "playing on"),
            _places_words(found, play_on, "playing on", "a knock"),
            _ending_words(small, f"a knock for {found.small_knock} points", found),
            _ending_words(undercut, undercut_words, found),
        ]
        lines.append(f"At {name}: {'; '.join(part for part in parts if part)}.")
    start = words_of(found.panels[0])
    best = f"Some knocks are right that are wrong at {start}: {_list_words(closing)}. "
    if len(found.panels) == 1:
        best = ""
    loses = f"{undercut_words} ends the game and loses it"
    lines.append(f"{best}{loses[0].upper()}{loses[1:]}: {_list_words(losing)}.")
    return lines


def _list_words(names: Sequence[str]) -> str:
    return f"at {'; '.join(names)}" if names else "nowhere here"


def _places_words(
    found: SeveralScores, places: Sequence[ScoreDifference], what: str, other: str
) -> str:
    start = words_of(found.panels[0])
    if not places:
        return f"nowhere is {what} clearly right where {other} is right at {start}"
    gains = [(each, _gain_at(found, each.panel, each), _gain_at(found, 0, each)) for each in places]
    most, here, there = max(gains, key=lambda row: abs(row[1].estimate - row[2].estimate))
    unit = found.shown_unit
    return (
        f"{what} is right in {counted(len(places), 'place')} where {other} is right at {start}, as "
        f"on turn {most.turn} with deadwood {most.deadwood}: a knock gains "
        f"{lead_words(here, unit)} {unit.shown}, at {start} {lead_words(there, unit)}"
    )


def _gain_at(found: SeveralScores, panel: int, place: ScoreDifference) -> Estimate:
    """Return what a knock gains in a panel at the place of a difference."""
    return next(
        cell.gain
        for cell in found.panels[panel].cells
        if (cell.turn, cell.deadwood) == (place.turn, place.deadwood)
    )


def _ending_words(ending: Ending, what: str, found: SeveralScores) -> str:
    if not ending.game_over:
        return ""
    if found.shown_unit != CHANCE_TO_WIN:
        return f"{what} ends the game, worth {ending.value:+.1f} {found.shown_unit.shown}"
    if ending.value in (0, 1):
        return f"{what} {'wins' if ending.value else 'ends the game and loses it'}"
    return f"{what} ends the game and is worth {ending.value * 100:.1f} {CHANCE_TO_WIN.shown}"
