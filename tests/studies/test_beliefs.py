"""results/beliefs holds what its script runs, and the page in docs what the results say."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest

from gin_sim.results.calibration import Calibration
from gin_sim.results.kinds import load

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import beliefs as study  # noqa: E402


@pytest.mark.parametrize("opponent", study.OPPONENTS)
def test_each_result_is_of_the_command_that_the_script_runs(opponent):
    result = load(ROOT / study.RESULTS / opponent)
    assert isinstance(result, Calibration)
    assert result.command == study.command_of(opponent)
    assert result.against.spec == opponent
    assert (result.wanted, result.worlds, result.seed) == tuple(study.ASKED.values())
    assert not result.partial


@pytest.mark.parametrize("opponent", study.OPPONENTS)
def test_tables_and_charts_are_those_of_the_result(opponent):
    folder = ROOT / study.RESULTS / opponent
    result = load(folder)
    kept = pd.read_csv(folder / "reliability.csv")
    pd.testing.assert_frame_equal(kept, result.table())
    names = {path.name for path in folder.iterdir()} - {"reliability.parquet"}
    assert names == {"manifest.json", "reliability.csv", "reliability.png", "reliability.svg"}


def test_the_belief_lies_within_the_interval_of_the_truth_by_draws():
    """Of 15 intervals of 95% more than two miss by chance in 3.6 % of cases."""
    missed = 0
    for opponent in study.OPPONENTS:
        rows = pd.read_csv(ROOT / study.RESULTS / opponent / "reliability.csv")
        rows = rows[(rows["belief"] == "belief") & (rows["by"] == "stock draws")]
        assert list(rows["group"]) == ["0-4", "5-8", "9-12", "13-16", "17+", "all"]
        assert rows["positions"].iloc[-1] >= 3000
        predicted = rows["predicted_undercut_estimate"][:5]
        within = (predicted >= rows["undercut_low"][:5]) & (predicted <= rows["undercut_high"][:5])
        missed += (~within).sum()
    assert missed <= 2


def test_the_page_in_docs_holds_the_table():
    assert "\n".join(study.table()) in study.DOCS_PAGE.read_text(encoding="utf-8")
