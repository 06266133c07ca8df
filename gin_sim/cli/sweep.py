"""``gin-sim sweep``: one or two numbers of a policy varied, against others or against itself."""

from __future__ import annotations

from functools import partial

import click

from gin_sim.cli.matchups import meeting_options, play_meetings, read_options, tell
from gin_sim.cli.options.common import Count
from gin_sim.cli.options.groups import Command
from gin_sim.errors import InputError
from gin_sim.results.objective import OF_THE_GAME

_MAX_CELLS = 441


@click.command(name="sweep", cls=Command)
@click.argument("base", metavar="BASE")
@click.option(
    "--param",
    "texts",
    multiple=True,
    metavar="NAME[@PLACE]=VALUES",
    help="What is varied: knock=0:10, temperature=0:5:0.5, knock=2,5,10, knock@5=0:10 (own turn 5 "
    "of the knock table), knock@5:1-2=0:10 (there with 1-2 gin outs), pips@3-4=-5:5. Give it once "
    "or twice.",
)
@click.option(
    "--against",
    "opponents",
    multiple=True,
    metavar="POLICY[,POLICY...]",
    help="Whom each value meets: a policy or several.",
)
@click.option(
    "--both",
    is_flag=True,
    help="Each value meets each other value: the whole matrix, its best replies and its "
    "equilibrium.",
)
@click.option(
    "--cell-by-cell",
    is_flag=True,
    help="Play every meeting out instead of walking each deal once for all knock rules; slower, "
    "with the same figures.",
)
@click.option(
    "--max-cells",
    type=Count(1, 4000),
    default=_MAX_CELLS,
    show_default=True,
    help="Most cells to play; more is a mistake more often than not.",
)
@partial(meeting_options, sprt=False, scores=True)
def command(
    base, texts, opponents, both, cell_by_cell, max_cells, boxes, dealer, equity_hands, **options
) -> None:
    """Vary one or two numbers of a policy and say which value is best.

    All values play the same deals. Where only the knock is varied and no whole games are played,
    each deal is walked once for all values, however many.

    With --score, single hands are played at that score. What each result is worth for the game
    comes from an equity table of BASE against each opponent, counted from --equity-hands hands.

    \b
    Examples:
      gin-sim sweep greedy --param knock=0:10 --against simple,marjj --hands 1e6
      gin-sim sweep greedy --param knock=0:10 --both --hands 1e6
      gin-sim sweep strong --param knock@5:0=0:10 --against strong --objective points+boxes
      gin-sim sweep two-threshold --param early=0:10 --param late=0:10 --against simple
      gin-sim sweep greedy --param knock=0:10 --against simple --objective win --rules eaai
      gin-sim sweep greedy --param knock=0:10 --against strong --objective win --score 90-75
    """
    _check_score(options["objective"], options["score"], boxes, dealer, equity_hands, both)
    asked = read_options(**options)
    if both and opponents:
        raise InputError(
            f"--both plays the values against each other, and --against {','.join(opponents)} "
            "names opponents: give one of them."
        )
    if not both and not opponents:
        raise InputError(
            "no opponent is named: give --against POLICY, or --both for the values against each "
            "other."
        )
    if both:
        _against_each_other(base, texts, cell_by_cell, max_cells, asked)
    else:
        state = None
        if asked.objective in OF_THE_GAME and options["score"] is not None:
            from gin_sim.api.at_a_score import asked_state

            state = asked_state(
                asked.objective, options["score"], boxes, dealer, equity_hands, asked.rules
            )
        _against_others(base, texts, opponents, cell_by_cell, max_cells, asked, state, equity_hands)


def _check_score(objective: str, score, boxes, dealer, equity_hands, both: bool) -> None:
    """Refuse what does not go with a score, or not without one."""
    if objective not in OF_THE_GAME:
        from gin_sim.api.at_a_score import refuse_score

        refuse_score(objective, score, boxes, dealer, equity_hands)
    elif score is None:
        given = {"--boxes": boxes, "--dealer": dealer, "--equity-hands": equity_hands}
        for name, value in given.items():
            if value is not None:
                raise InputError(
                    f"{name} {value} is of a score, and none is given: add one, such as "
                    "--score 90-75, or leave it out for whole games from 0-0."
                )
        if objective == "stakes":
            raise InputError(
                "--objective stakes is judged at a score: give one, such as --score 0-0."
            )
    elif both:
        raise InputError(
            f"--both asks what two players in equal seats should choose, and at --score {score} "
            "each hand is judged from one side: leave --score out, or give --against instead of "
            "--both."
        )


def _against_others(
    base, texts, opponents, cell_by_cell, max_cells, asked, state, equity_hands
) -> None:
    from gin_sim.contests.sweep import check_opponents, plan_sweep, sweep
    from gin_sim.policies.catalogue import parse_policy
    from gin_sim.policies.specs import split_specs
    from gin_sim.policies.variations import parse_grid
    from gin_sim.report.text.sweep import print_sweep, sweep_json

    grid = parse_grid(base, texts, max_cells)
    against = [parse_policy(spec) for text in opponents for spec in split_specs(text)]
    _check_cells(len(grid.policies) * len(against), max_cells)
    check_opponents(against)
    worths = _worths(grid.base, against, state, equity_hands, asked) if state else ()
    planned = plan_sweep(
        grid,
        against,
        asked.rules,
        _size(asked, worths),
        "points" if worths else asked.objective,
        asked.seed,
        asked.mirrored,
        not cell_by_cell,
        worths,
    )
    leads = play_meetings(planned.plan, asked, len(grid.policies))
    found = sweep(leads, grid, against, planned.meetings, worths)
    tell("sweep", sweep_json(found), print_sweep, found, asked)


def _worths(base, opponents, state, equity_hands: int | None, asked) -> list:
    """Return what a hand at a score is worth against each opponent, by a table of its own."""
    from gin_sim.api.at_a_score import counted_plan, worth_of
    from gin_sim.cli.output import ask

    plans = [
        counted_plan(base, opponent, asked.rules, equity_hands, asked.seed)
        for opponent in opponents
    ]

    def worths(progress, stop) -> list:
        shared = (asked.threads, progress, stop, asked.rules)
        return [worth_of(asked.objective, state, plan, *shared) for plan in plans]

    return ask(worths, quiet=asked.quiet)


def _size(asked, worths) -> int:
    """Return how many hands to play; where a stopping rule decides, no more than can be summed."""
    if not worths or asked.half_width is None:
        return asked.size
    from gin_sim.play.priced import most_hands

    most = min(most_hands(worth.whole_numbers()) for worth in worths)
    return min(asked.size, most - most % 2)


def _against_each_other(base, texts, cell_by_cell, max_cells, asked) -> None:
    from gin_sim.contests.value_matrix import n_claims, payoffs, plan_payoffs
    from gin_sim.policies.variations import parse_grid
    from gin_sim.report.text.value_matrix import payoffs_json, print_payoffs

    if not asked.mirrored:
        raise InputError(
            "--both asks what two players in equal seats should choose: leave --no-mirrored out."
        )
    if len(texts) > 1:
        raise InputError("--both plays the values of one --param against each other: give one.")
    grid = parse_grid(base, texts, max_cells)
    _check_cells(len(grid.policies) ** 2, max_cells)
    plan = plan_payoffs(
        grid, asked.rules, asked.size, asked.objective, asked.seed, not cell_by_cell
    )
    found = payoffs(play_meetings(plan, asked, n_claims(len(grid.policies))), grid)
    tell("payoffs", payoffs_json(found), print_payoffs, found, asked)


def _check_cells(n_cells: int, max_cells: int) -> None:
    if n_cells > max_cells:
        raise InputError(
            f"{n_cells:,} cells are asked for, and at most {max_cells:,} are played: narrow the "
            "values, take a greater step, or raise --max-cells."
        )
