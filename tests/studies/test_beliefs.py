"""results/beliefs holds what its script runs, and the page in docs what the results say."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest

from gin_sim.results.folder import read_result

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import beliefs as study  # noqa: E402


@pytest.mark.parametrize("opponent", study.OPPONENTS)
def test_each_result_is_of_the_command_that_the_script_runs(opponent):
    manifest = read_result(ROOT / study.RESULTS / opponent)
    command = f"gin-sim {study.command_of(opponent)} --out {study.RESULTS / opponent}"
    assert manifest["command"] == command
    assert manifest["result"]["partial"] is False


def test_the_belief_lies_within_the_interval_of_the_truth_by_draws():
    """Of 15 intervals of 95% more than two miss by chance in 3.6 % of cases."""
    missed = 0
    for opponent in study.OPPONENTS:
        rows = pd.read_csv(ROOT / study.RESULTS / opponent / "reliability.csv")
        rows = rows[(rows["belief"] == "belief") & (rows["by"] == "stock draws")]
        assert list(rows["group"]) == ["0-4", "5-8", "9-12", "13-16", "17+", "all"]
        assert rows["positions"].iloc[-1] >= 3000
        said = rows["predicted_undercut_share"][:5]
        within = (said >= rows["undercut_low_95"][:5]) & (said <= rows["undercut_high_95"][:5])
        missed += (~within).sum()
    assert missed <= 2


def test_the_page_in_docs_holds_the_table():
    assert "\n".join(study.table()) in study.DOCS_PAGE.read_text(encoding="utf-8")
