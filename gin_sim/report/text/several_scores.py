"""Knock rules at several scores: letters side by side, what differs, and plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from gin_sim.knock.best_response import Cell, Solved
from gin_sim.knock.several_scores import SMALL, ByScore, Difference, Ending
from gin_sim.policies.shipped.knock_table import TABLE_TURNS
from gin_sim.report.text.knocks import cut_words, rows_until, score_words, table_notes, worth_text
from gin_sim.report.text.matchups import interval_text
from gin_sim.report.text.solution import NOTE_OF_HALVES, SIGNS, SolvedAnswer, solved_json
from gin_sim.report.wording import aligned, counted, estimate_object

_ACROSS = 3  # panels side by side
_CELL = 3  # characters of a letter with its room


def print_by_score(found: ByScore, seconds: float, cut: Sequence[str], console: Console) -> None:
    """Print what each score is worth, the decisions side by side, and where they differ.

    ``cut`` names what is missing, or not whole, because it was stopped.
    """
    first = found.solved[0]
    plan = first.traced.plan
    console.print(
        f"When to knock, by score: {plan.policies[0].spec} play against {plan.policies[1].spec} · "
        f"{first.worth.unit} · {plan.rules.name} rules · {len(first.traced.ends):,} deals "
        f"traced{cut_words(cut)}\n"
    )
    for line in [*_worth_rows(found), "", *_letters(found)]:
        console.print(line)
    for line in verdicts(found):
        console.print(line)
    console.print()
    for line in [
        *table_notes(first.worth),
        "The rules here know turn and deadwood alone: where the policy's own is better, it is by "
        "more than these, and --by outs at that --score says what.",
        "K knock, . go on, ~ too close to tell (its own 95% interval spans zero), - too few "
        "knocks; nothing: none.",
        NOTE_OF_HALVES,
        f"seed {plan.seed} · {seconds:.1f} s",
    ]:
        console.print(line)


def words_of(found: Solved) -> str:
    """Return the score of a solved rule."""
    return score_words(found.worth.state, found.worth.equity.box)


def _undercut(found: Solved) -> int:
    return max(1, found.traced.plan.rules.undercut_bonus)


def _worth_rows(found: ByScore) -> list[str]:
    """Return a table: what the rule is worth at each score, and what three results lead to."""
    worth = found.solved[0].worth
    rows = [
        [
            "  at",
            "the rule wins" if worth.level else "the rule",
            "more than its own",
            "always knocking - only gin",
            f"after a knock for {SMALL}",
            f"an undercut by {_undercut(found.solved[0])}",
            "no winner",
        ]
    ]
    for solved, plain, endings in zip(found.solved, found.plain, found.endings, strict=True):
        rows.append(
            [
                f"  {words_of(solved)}",
                worth_text(solved.value, worth),
                interval_text(solved.gain),
                interval_text(plain.knock_less_gin),
                *map(_ending_text, endings.values()),
            ]
        )
    return aligned(rows)


def _ending_text(ending: Ending) -> str:
    return f"{ending.worth:.1f}{', over' if ending.over else ''}"


def _letters(found: ByScore) -> list[str]:
    met = [
        turn
        for solved in found.solved
        for turn, classes in enumerate(solved.chart)
        if any(cell.n for cells in classes for cell in cells)
    ]
    deadwoods = len(found.solved[0].chart[0][0])
    width = max(_CELL * deadwoods, *(len(words_of(solved)) for solved in found.solved))
    names = [
        f"  turn {turn}{'+' * (turn == TABLE_TURNS)}" for turn in range(1, rows_until(met) + 1)
    ]
    head = "".join(f"{deadwood:>{_CELL}}" for deadwood in range(1, deadwoods + 1))
    lines = []
    for first in range(0, len(found.solved), _ACROSS):
        some = found.solved[first : first + _ACROSS]
        rows = [
            ["", *(words_of(solved) for solved in some)],
            ["  deadwood", *[head] * len(some)],
            *(
                [name, *("".join(map(_letter, solved.chart[turn][0])) for solved in some)]
                for turn, name in enumerate(names)
            ),
        ]
        lines += [
            "    ".join([row[0].ljust(12), *(each.ljust(width) for each in row[1:])]).rstrip()
            for row in rows
        ]
        lines.append("")
    return lines


def _letter(cell: Cell) -> str:
    if cell.decision == "few":
        return f"{'-' if cell.n else '':>{_CELL}}"
    return f"{SIGNS[cell.decision]:>{_CELL}}"


def verdicts(found: ByScore) -> list[str]:
    """Say at which scores a knock is right that is not at the first, and where an undercut loses.

    A line for each score but the first, and one for all; of a single score, the undercut alone.
    """
    lines, closing, losing = [], [], []
    start = words_of(found.solved[0])
    for number, solved in enumerate(found.solved):
        small, undercut, _ = found.endings[number].values()
        name = words_of(solved)
        if undercut.over and undercut.worth == 0:
            losing.append(name)
        if not number:
            continue
        differences = found.differences(number)
        knock = [each for each in differences if each.here.decision == "knock"]
        go_on = [each for each in differences if each.here.decision == "play on"]
        if knock:
            closing.append(name)
        parts = [
            _places_words(knock, "a knock", start),
            _places_words(go_on, "going on", start),
            _ending_words(small, f"a knock for {SMALL}", solved),
            _ending_words(undercut, f"an undercut by {_undercut(solved)}", solved),
        ]
        lines.append(f"At {name}: {'; '.join(part for part in parts if part)}.")
    best = f"A knock is right that is not at {start}: {_list_words(closing)}. "
    if len(found.solved) == 1:
        best = ""
    loses = f"an undercut by {_undercut(found.solved[0])} ends the game and loses it"
    lines.append(f"{best}{loses[0].upper()}{loses[1:]}: {_list_words(losing)}.")
    return lines


def _list_words(names: Sequence[str]) -> str:
    return f"at {'; '.join(names)}" if names else "nowhere here"


def _places_words(places: Sequence[Difference], what: str, start: str) -> str:
    other = "going on" if what == "a knock" else "a knock"
    if not places:
        return f"{what} is nowhere clearly right where {other} is at {start}"
    most = max(places, key=lambda each: abs(each.here.gain.estimate - each.there.gain.estimate))
    return (
        f"{what} is right in {counted(len(places), 'place')} where {other} is at {start}, as on "
        f"turn {most.turn} with deadwood {most.deadwood}: a knock gains "
        f"{interval_text(most.here.gain)}, there {interval_text(most.there.gain)}"
    )


def _ending_words(ending: Ending, what: str, solved: Solved) -> str:
    if not ending.over:
        return ""
    if not solved.worth.level:
        return f"{what} ends the game, for {ending.worth:+.1f}"
    if ending.worth in (0, 100):
        return f"{what} {'wins' if ending.worth else 'ends the game and loses it'}"
    return f"{what} ends the game and is worth {ending.worth:.1f} %"


def by_score_json(found: ByScore, seconds: float, cut: Sequence[str]) -> dict[str, Any]:
    """Return the result as plain values; timing stands under ``seconds`` alone."""
    panels = []
    for number, solved in enumerate(found.solved):
        panel = solved_json(SolvedAnswer(solved, None, None, 0.0, cut))
        del panel["seconds"]
        panel |= {"undercuts": [], "defenders": []}  # of the trace, not of the score
        differences = found.differences(number)
        panels.append(
            {
                **panel,
                "endings": {
                    name: {"worth": ending.worth, "game_over": ending.over}
                    for name, ending in found.endings[number].items()
                },
                "plain": {
                    name: estimate_object(figure)
                    for name, figure in vars(found.plain[number]).items()
                },
                "knocks_here_alone": _places(differences, "knock"),
                "goes_on_here_alone": _places(differences, "play on"),
            }
        )
    shared = ("objective", "unit", "sample", "seed", "rules", "confidence", "play", "against")
    return {
        **{name: panels[0][name] for name in shared},
        "compared_with": words_of(found.solved[0]),
        "small_knock": SMALL,
        "least_undercut": _undercut(found.solved[0]),
        "panels": panels,
        "verdicts": verdicts(found),
        "partial": bool(cut),
        "cut": list(cut),
        "seconds": {"all": round(seconds, 3)},
    }


def _places(differences: Sequence[Difference], decision: str) -> list[dict[str, int]]:
    return [
        {"turn": each.turn, "deadwood": each.deadwood}
        for each in differences
        if each.here.decision == decision
    ]
