"""The saved study of knock thresholds is what its script plays; its pages say what it found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import knock_thresholds as study  # noqa: E402

EVERY = [(player, objective) for player in study.PLAYERS for objective in study.OBJECTIVES]


@pytest.mark.parametrize(("player", "objective"), EVERY)
def test_each_sweep_is_the_one_that_the_script_plays(player, objective):
    sweep = study.read(player, objective)
    out = study.folder_of(player, objective).relative_to(ROOT)
    assert sweep.command == f"gin-sim {study.command_of(player, objective)} --out {out}"
    assert (sweep.partial, sweep.play.spec, sweep.objective) == (False, player, objective)
    assert [each.spec for each in sweep.against] == list(study.OPPONENTS)


def test_both_pages_hold_what_the_sweeps_found():
    sweeps = {each: study.read(*each) for each in EVERY}
    table = "\n".join(study.best_table(sweeps))
    page = (study.RESULTS / "README.md").read_text(encoding="utf-8")
    assert table in page
    assert table in study.DOCS_PAGE.read_text(encoding="utf-8")
    assert study.sizes_of(sweeps) in page
    for sentence in study.sentences(sweeps):
        assert sentence in page
