"""Find what the score of a game changes about the knock: results/score_charts.

    .venv/bin/python scripts/score_charts.py

takes about five minutes on two cores.  Each folder is what one `gin-sim solve --by score` leaves;
the charts and the page beside them are made from those, by `--page` from the results there are.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import NamedTuple

import click
import pandas as pd

import gin_sim
from gin_sim.report.charts.solution import compare_charts
from gin_sim.report.wording import sample_words
from gin_sim.results.common import Estimate
from gin_sim.results.folder import describe_run, write_results
from gin_sim.results.kinds import load
from gin_sim.results.several_scores import SeveralScores
from gin_sim.results.solution import Solution
from gin_sim.words import listed

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "results" / "score_charts"
PAGE = """# Knocking by the score

{opening}

A score is the player's, then the opponent's. "With boxes" is `standard`: 25 per box at the end,
so that the player who reaches 100 first can lose; a box difference is the player's less the
opponent's. "Without boxes" is `standard:box_bonus=0`. The player draws and discards like `strong`.
The opponent is `strong`, who knocks as its own table says, or `simple`, who knocks as soon as it
can; both play the later hands as they always do. "Always knocking" is to knock as soon as the
rules allow, "only gin" to knock only with gin.

"The best rule" is the best by turn and deadwood alone. Each half of the deals is judged by the rule
of the other half, so that the rule's own choices do not flatter it: where some of its many places
are chosen wrong by chance, it comes out a little below a plain way to play that is as good.

## The sayings, put to the test

{sayings}

## By score

The chart is the best rule by turn and deadwood. "Clearly other" counts the places of the chart, a
turn with a deadwood, where a knock is clearly right and playing on clearly is at 0-0, and the other
way round.

{tables}

## The charts side by side

{charts}

`overview` holds these charts and the tables' figures; the other folders are the results themselves,
each with its command and every cell.
"""

OPENING = (
    "Written by `scripts/score_charts.py`; {sample}, for each result, seed 1. What a knock is "
    "worth is the chance to win the game that it leads to, half a tie counted, in percent. Turns "
    "are your own, deadwood is what a knock would leave, and gin is always declared. Each figure "
    "has a 95% interval of its own in brackets: a few in every hundred decisions are wrong by "
    "chance, and the largest of many figures is a little too large. The intervals are those of "
    "the traced deals; the chances from which they follow are known to about a tenth of a "
    "percent."
)


class Setting(NamedTuple):
    """Rules with the words for them, and the scores that are solved."""

    words: str
    rules: str
    scores: str


SETTINGS = {
    "boxes": Setting(
        "with boxes",
        "standard",
        "0-0,60-30,30-60,90-10,10-90,90-90,90-90:4-1,90-90:1-4,99-50,99-50:4-1,99-50:1-4,50-99",
    ),
    "no-boxes": Setting(
        "without boxes",
        "standard:box_bonus=0",
        "0-0,60-30,30-60,90-10,10-90,90-90,99-50,50-99,99-99",
    ),
}
DRAWN = {
    "boxes": ("0-0", "90-10, level boxes", "10-90, level boxes", "90-90, level boxes",
              "90-90, 3 boxes ahead", "90-90, 3 boxes behind"),
    "no-boxes": ("0-0", "90-10", "10-90", "90-90", "99-50", "50-99"),
}  # fmt: skip


class Run(NamedTuple):
    """One result: against whom, under which setting."""

    against: str
    setting: str


RUNS = [Run(against, setting) for setting in SETTINGS for against in ("strong", "simple")]


def folder_of(run: Run) -> Path:
    """Return where a result is."""
    return RESULTS / f"strong-{run.against}-{run.setting}"


def command_of(run: Run) -> str:
    """Return the arguments of a run, except for where its result goes."""
    setting = SETTINGS[run.setting]
    return (
        f"solve --play strong --against {run.against} --objective win --by score "
        f"--scores {setting.scores} --rules {setting.rules} --deals 2e5 --equity-hands 1e6 "
        "--no-charts --seed 1"
    )


def solve(run: Run) -> None:
    """Solve, and leave the result in its folder."""
    setting = SETTINGS[run.setting]
    found = gin_sim.solve(
        "strong",
        run.against,
        objective="win",
        by="score",
        scores=setting.scores,
        rules=setting.rules,
        deals=2e5,
        equity_hands=1e6,
        seed=1,
        progress=True,
    )
    folder = folder_of(run)
    found.command = f"gin-sim {command_of(run)} --out {folder.relative_to(ROOT)}"
    found.save(folder, charts=False)


def read(run: Run) -> SeveralScores:
    """Return a result that was left in its folder."""
    return load(folder_of(run))


# --------------------------------------------------------------------------- figures in words


def figure_words(figure: Estimate, sign: str = "+") -> str:
    """Return a share with its interval, in percent: "+2.1 % [+1.8, +2.4]"."""
    figure = figure.scaled(100)
    decimals = 1 + (figure.half_width < 0.05) + (figure.half_width < 0.005)
    estimate, low, high = (
        f"{round(each, decimals) + 0.0:{sign}.{decimals}f}"
        for each in (figure.estimate, figure.low, figure.high)
    )
    return f"{estimate} % [{low}, {high}]"


def beside(over: Estimate, than: str = "the best rule") -> str:
    """Return what a plain way to play is worth, by how much the best rule is worth more.

    "0.60 % [0.56, 0.65] less than the best rule", or more, each without a sign.
    """
    if over.low > 0:
        return f"{figure_words(over, '')} less than {than}"
    if over.high < 0:
        return f"{figure_words(over.negated(), '')} more than {than}"
    return f"not clearly less or more than {than} ({figure_words(over.negated())})"


def panel_at(found: SeveralScores, words: str) -> Solution:
    """Return the panel of a score: "90-10, level boxes"."""
    (panel,) = (each for each in found.panels if each.score.words == words)
    return panel


def at(run: Run, score: str, boxes: str = "level boxes") -> str:
    """Return a score's words under a run's rules."""
    return f"{score}, {boxes}" if run.setting == "boxes" and score != "0-0" else score


def where(run: Run) -> str:
    """Return setting and opponent: "with boxes against `strong`"."""
    return f"{SETTINGS[run.setting].words} against `{run.against}`"


def better(figure: Estimate) -> str:
    """Return what a difference between always knocking and only gin says."""
    if figure.spans_zero:
        return "no difference is found"
    return "knocking is better" if figure.low > 0 else "gin is better"


def clear(panel: Solution, decision: str) -> list:
    """Return the cells of a panel in which a decision is clear."""
    return [cell for cell in panel.cells if cell.decision == decision]


def differing(found: SeveralScores, panel: Solution) -> tuple[int, int]:
    """Return in how many places a knock is clear that is clearly none at 0-0, and conversely."""
    first = {cell.place: cell.decision for cell in found.panels[0].cells}
    pairs = [(cell.decision, first[cell.place]) for cell in panel.cells]
    return pairs.count(("knock", "play on")), pairs.count(("play on", "knock"))


# ------------------------------------------------------------------------------- the sayings


#: Scores at which the player is ahead, and the same behind.
LEADS = (("60-30", "30-60"), ("90-10", "10-90"))


def lead_kind(ahead: Estimate, behind: Estimate) -> str:
    """Return what a lead speaks for, by the same difference ahead and behind."""
    if ahead.low > behind.high:
        return "the knock"
    return "gin" if behind.low > ahead.high else "neither"


def knock_less_gin(run: Run, result: SeveralScores, score: str) -> Estimate:
    """Return what always knocking is worth more than only gin at a score, level in boxes."""
    return panel_at(result, at(run, score)).plain.knock_less_gin


def ahead_saying(found: dict[Run, SeveralScores]) -> list[str]:
    """Test "knock when ahead, go for gin when behind": by 30 and by 80 points, level in boxes."""
    lines = []
    for run, result in found.items():
        parts = []
        for scores in LEADS:
            ahead, behind = (knock_less_gin(run, result, score) for score in scores)
            parts.append(
                f"{figure_words(ahead)} at {scores[0]} ({better(ahead)}) and "
                f"{figure_words(behind)} at {scores[1]} ({better(behind)}), so that the lead "
                f"speaks for {lead_kind(ahead, behind)}"
            )
        start = knock_less_gin(run, result, "0-0")
        lines.append(
            f"{where(run).capitalize()}, always knocking less only gin is {'; '.join(parts)}; at "
            f"0-0 it is {figure_words(start)}."
        )
    return lines


def risk_saying(found: dict[Run, SeveralScores]) -> list[str]:
    """Test "at 90-10 do not risk a knock"."""
    lines = []
    for run, result in found.items():
        panel = panel_at(result, at(run, "90-10"))
        more, fewer = differing(result, panel)
        plain = panel.plain
        lines.append(
            f"{where(run).capitalize()} at 90-10: only gin is worth "
            f"{beside(plain.over_gin)}, always knocking "
            f"{beside(plain.over_knock, 'it')}. A knock is clearly right in "
            f"{len(clear(panel, 'knock'))} places, among them {more} where playing on is at 0-0; "
            f"in {fewer} it is the other way round. An undercut by 25 leaves "
            f"{100 * panel.endings['undercut'].value:.1f} %, a knock for 5 "
            f"{100 * panel.endings['small knock'].value:.1f} %, no winner "
            f"{100 * panel.endings['nobody'].value:.1f} %."
        )
    return lines


def wins_saying(found: dict[Run, SeveralScores]) -> list[str]:
    """Test "always knock when a knock wins": at 99-50 any knock that is not undercut ends it."""
    lines = []
    for run, result in found.items():
        scores = [at(run, "99-50")]
        if run.setting == "boxes":
            scores += [at(run, "99-50", boxes) for boxes in ("3 boxes ahead", "3 boxes behind")]
        for score in scores:
            panel = panel_at(result, score)
            ends = panel.endings["small knock"].value * 100
            against = clear(panel, "play on")
            words = "and a knock is nowhere clearly wrong"
            if against:
                worst = min(against, key=lambda cell: cell.gain.estimate)
                cost = worst.gain.negated()
                words = (
                    f"yet a knock is clearly wrong in {len(against)} places, most on turn "
                    f"{worst.turn} with deadwood {worst.deadwood}, where playing on is worth "
                    f"{figure_words(cost, '')} more"
                )
            lines.append(
                f"{where(run).capitalize()} at {score}, a knock for 5 ends the game and is worth "
                f"{ends:.1f} %; always knocking is worth "
                f"{beside(panel.plain.over_knock)}, {words}."
            )
    return lines


SAYINGS = {
    "Knock when ahead, go for gin when behind": ahead_saying,
    "At 90-10 do not risk a knock": risk_saying,
    "Always knock when a knock wins": wins_saying,
}


def ahead_verdict(found: dict[Run, SeveralScores]) -> str:
    """Return what a lead speaks for, and where the saying holds to the letter."""
    sentences, literally = [], []
    for scores in LEADS:
        kinds: dict[str, list[str]] = {}
        for run, result in found.items():
            ahead, behind = (knock_less_gin(run, result, score) for score in scores)
            kinds.setdefault(lead_kind(ahead, behind), []).append(where(run))
            if ahead.low > 0 > behind.high:
                literally.append(f"{where(run)} at {' and '.join(scores)}")
        parts = [f"for {kind} {listed(names, 'and')}" for kind, names in kinds.items()]
        sentences.append(f"At {' and '.join(scores)} a lead speaks {'; '.join(parts)}.")
    holds = listed(literally, "and") if literally else "nowhere here"
    return (
        f"{' '.join(sentences)} To the letter, knocking better ahead and gin better behind, it "
        f"holds {holds}."
    )


def risk_verdict(found: dict[Run, SeveralScores]) -> str:
    """Return where only gin is better than always knocking at 90-10, and where not."""
    kinds = {"true": [], "false": [], "not decided": []}
    for run, result in found.items():
        figure = panel_at(result, at(run, "90-10")).plain.knock_less_gin
        kind = "not decided" if figure.spans_zero else "true" if figure.high < 0 else "false"
        kinds[kind].append(f"{where(run)} ({figure_words(figure)} for always knocking)")
    return _verdict_words(kinds)


def wins_verdict(found: dict[Run, SeveralScores]) -> str:
    """Return where a knock that would win is clearly wrong somewhere, at 99-50."""
    kinds = {"true": [], "false": []}
    for run, result in found.items():
        panel = panel_at(result, at(run, "99-50"))
        costs = panel.plain.over_knock
        kind = "false" if clear(panel, "play on") and costs.low > 0 else "true"
        kinds[kind].append(f"{where(run)} (always knocking is worth {beside(costs)})")
    return _verdict_words(kinds)


def _verdict_words(kinds: dict[str, list[str]]) -> str:
    parts = [f"{kind} {listed(names, 'and')}" for kind, names in kinds.items() if names]
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


VERDICTS = dict(zip(SAYINGS, (ahead_verdict, risk_verdict, wins_verdict), strict=True))


def sayings(found: dict[Run, SeveralScores]) -> str:
    """Return every saying with what the results say of it."""
    parts = []
    for saying, sentences in SAYINGS.items():
        bullets = "\n".join(map(bullet, sentences(found)))
        verdict = textwrap.fill(VERDICTS[saying](found), 100)
        parts.append(f'### "{saying}"\n\n{verdict}\n\n{bullets}')
    return "\n\n".join(parts)


def bullet(sentence: str) -> str:
    """Return a sentence as an item of a list."""
    return textwrap.fill(sentence, 100, initial_indent="- ", subsequent_indent="  ")


# -------------------------------------------------------------------------- tables and charts


def table_of(found: SeveralScores) -> list[str]:
    """Return a result's scores as Markdown."""
    lines = [
        "| at | the chart wins | more than `strong`'s own knock | more than only gin | more than "
        "always knocking | clearly other: knock, play on | after a knock for 5 | an undercut by "
        "25 | no winner |",
        f"|---|{'---:|' * 8}",
    ]
    for panel in found.panels:
        ends = [
            f"{ending.value * 100:.1f} %{', over' if ending.game_over else ''}"
            for ending in panel.endings.values()
        ]
        words = [
            panel.score.words,
            figure_words(panel.value, ""),
            figure_words(panel.gain),
            figure_words(panel.plain.over_gin),
            figure_words(panel.plain.over_knock),
            "{}, {}".format(*differing(found, panel)),
            *ends,
        ]
        lines.append(f"| {' | '.join(words)} |")
    return lines


def chart_name(run: Run) -> str:
    """Return the name of a run's chart."""
    return f"{run.against}_{run.setting.replace('-', '_')}"


def charts(found: dict[Run, SeveralScores]) -> dict[str, object]:
    """Draw some scores of each result side by side."""
    return {
        chart_name(run): compare_charts(
            [(words, panel_at(result, words)) for words in DRAWN[run.setting]],
            "scripts/score_charts.py",
            f"When to knock to win the game, by score: strong play {where(run).replace('`', '')}",
        )
        for run, result in found.items()
    }


def rows(found: dict[Run, SeveralScores]) -> pd.DataFrame:
    """Return what each score is worth as a table, a row for each figure."""
    lines = []
    for run, result in found.items():
        head = {"play": "strong", "against": run.against, "rules": result.rules.name}
        values = result.table("values")
        lines.append(values.assign(**head)[[*head, *values.columns]])
    return pd.concat(lines, ignore_index=True)


def page(found: dict[Run, SeveralScores]) -> str:
    """Return the written page."""
    tables, drawn = [], []
    for run, result in found.items():
        heading = where(run).capitalize()
        tables.append("\n".join([f"### {heading}", "", *table_of(result)]))
        drawn.append(f"{heading}: ![{heading}](overview/{chart_name(run)}.png)")
    return PAGE.format(
        opening=textwrap.fill(
            OPENING.format(
                sample=listed(
                    dict.fromkeys(sample_words(each.panels[0]) for each in found.values())
                )
            ),
            100,
        ),
        sayings=sayings(found),
        tables="\n\n".join(tables),
        charts="\n\n".join(drawn),
    )


@click.command()
@click.option("--page", "page_only", is_flag=True, help="Write only, from the results there are.")
def main(page_only: bool) -> None:
    """Solve, then write charts, tables and page."""
    for run in [] if page_only else RUNS:
        solve(run)
    found = {run: read(run) for run in RUNS}
    described = describe_run("scripts/score_charts.py")
    described["commands"] = [f"gin-sim {command_of(run)}" for run in RUNS]
    write_results(RESULTS / "overview", {"scores": rows(found)}, charts(found), described)
    (RESULTS / "README.md").write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
