"""What ``gin-sim solve`` refuses before any work: fresh hands, and files of what is no table."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from gin_sim.errors import InputError


def check_proof(proof_hands: int, equilibrium: bool, by: str) -> None:
    """Refuse fresh hands that were asked for, and cannot be played."""
    source = click.get_current_context().get_parameter_source("proof_hands")
    if not proof_hands or source is not ParameterSource.COMMANDLINE:
        return
    if equilibrium:
        raise InputError(
            "--proof-hands plays a solved rule against an opponent, and an equilibrium is a mix of "
            "rules: leave it out."
        )
    if by not in ("outs", "none"):
        raise InputError(
            f"--proof-hands plays a knock table, which does not know --by {by}: give --by outs or "
            "none, or leave it out."
        )


def check_save(save: str, equilibrium: bool, by: str) -> None:
    """Refuse a file that cannot be written, or a rule that it cannot hold."""
    from gin_sim.records import check_output

    if equilibrium:
        raise InputError("--save keeps a rule, and an equilibrium is a mix of rules: leave it out.")
    if by not in ("outs", "none"):
        raise InputError(
            f"--save writes a knock table, which does not know --by {by}: give --by outs or none."
        )
    if not save.lower().endswith(".toml"):
        raise InputError(f"--save '{save}' is to be a policy's file: let it end in .toml.")
    if not Path(save).stem.strip(".") or not Path(save).suffix:
        raise InputError(f"--save '{save}' has no name before .toml: give one, like solved.toml.")
    if Path(save).exists():
        raise InputError(f"'{save}' is there already: give another name, or remove it first.")
    check_output(Path(save))
