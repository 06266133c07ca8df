"""``gin-sim sweep``: one or two numbers of a policy varied, against others or against itself."""

from __future__ import annotations

from functools import partial

import click

from gin_sim.cli.meetings import meeting_options, play_meetings, read_options, tell
from gin_sim.cli.options import Count
from gin_sim.errors import InputError

_MAX_CELLS = 441


@click.command(name="sweep")
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
@partial(meeting_options, sprt=False)
def command(base, texts, opponents, both, cell_by_cell, max_cells, **options) -> None:
    """Vary one or two numbers of a policy and say which value is best.

    All values play the same deals. Where only the knock is varied, each deal is walked once for
    all values, however many.

    \b
    Examples:
      gin-sim sweep greedy --param knock=0:10 --against simple,marjj --hands 1e6
      gin-sim sweep greedy --param knock=0:10 --both --hands 1e6
      gin-sim sweep strong --param knock@5:0=0:10 --against strong --objective points+boxes
      gin-sim sweep two-threshold --param early=0:10 --param late=0:10 --against simple
      gin-sim sweep greedy --param knock=0:10 --against simple --objective win --rules eaai
    """
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
        _against_others(base, texts, opponents, cell_by_cell, max_cells, asked)


def _against_others(base, texts, opponents, cell_by_cell, max_cells, asked) -> None:
    from gin_sim.analysis.sweep import plan_sweep, sweep
    from gin_sim.policies.catalogue import parse_policy
    from gin_sim.policies.specs import split_specs
    from gin_sim.policies.variations import parse_grid
    from gin_sim.report.sweep import print_sweep, sweep_json

    grid = parse_grid(base, texts, max_cells)
    against = [parse_policy(spec) for text in opponents for spec in split_specs(text)]
    _check_cells(len(grid.policies) * len(against), max_cells)
    planned = plan_sweep(
        grid,
        against,
        asked.rules,
        asked.size,
        asked.objective,
        asked.seed,
        asked.mirrored,
        not cell_by_cell,
    )
    leads = play_meetings(planned.plan, asked, len(grid.policies))
    found = sweep(leads, grid, against, planned.meetings)
    tell("sweep", sweep_json(found), print_sweep, found, asked)


def _against_each_other(base, texts, cell_by_cell, max_cells, asked) -> None:
    from gin_sim.analysis.payoffs import n_claims, payoffs, plan_payoffs
    from gin_sim.policies.variations import parse_grid
    from gin_sim.report.payoffs import payoffs_json, print_payoffs

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
