"""All kinds of results, and a saved one read back as the Struct of its kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from gin_sim.errors import InputError
from gin_sim.results.advice import Advice
from gin_sim.results.advice_list import AdviceList
from gin_sim.results.calibration import Calibration
from gin_sim.results.common import Savable
from gin_sim.results.equilibrium import Equilibrium
from gin_sim.results.equity import EquityTable
from gin_sim.results.folder import read_result
from gin_sim.results.games import Games
from gin_sim.results.match import Match
from gin_sim.results.ranking import Ranking
from gin_sim.results.replay import Replay
from gin_sim.results.several_scores import SeveralScores
from gin_sim.results.solution import Solution
from gin_sim.results.sweep import Sweep
from gin_sim.results.value_matrix import ValueMatrix
from gin_sim.words import listed

#: Every kind of result that can be saved, by the name that its JSON gives as ``kind``.
KINDS: dict[str, type[Savable]] = {
    str(kind.__struct_config__.tag): kind
    for kind in (
        Advice,
        AdviceList,
        Calibration,
        Equilibrium,
        EquityTable,
        Games,
        Match,
        Ranking,
        Replay,
        SeveralScores,
        Solution,
        Sweep,
        ValueMatrix,
    )
}


def load(folder: str | Path) -> Savable:
    """Return the result that a command's ``--out``, or ``.save``, has left in a folder.

    Raises
    ------
    InputError
        If the folder holds none, or one that is not whole; the sentence names the place.
    """
    result = read_result(Path(folder))["result"]
    try:
        return read_object(result)
    except InputError as error:
        raise InputError(f"in '{folder}', {error}") from None


def read_object(result: dict[str, Any]) -> Savable:
    """Return the Struct of a result's plain values, as ``--json`` prints them.

    Raises
    ------
    InputError
        If there is no such kind, or the object lacks something; the sentence names the place.
    """
    kind = result.get("kind")
    if kind not in KINDS:
        raise InputError(
            f"there is no result of the kind '{kind}': kinds are {listed(KINDS, 'and')}."
        )
    try:
        return msgspec.convert(json.loads(json.dumps(result)), KINDS[kind])
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$")
        place = f"result{place.rstrip('`')}"
        raise InputError(
            f"the result of the kind '{kind}' is not whole at {place} ({what[:1].lower()}"
            f"{what[1:]}): run its command again."
        ) from None
