"""The study of what mirroring and the adjustment for luck save, played very small."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import baseline_factors as study  # noqa: E402


def test_a_pairing_gives_a_row_of_the_kept_table_for_each_objective(monkeypatch, capsys):
    monkeypatch.setattr(study, "HANDS", 4000)
    monkeypatch.setattr(study, "TIMED_HANDS", 200)
    rows = study.factors("greedy", "simple")
    kept = pd.read_csv(ROOT / "results/baseline/factors.csv")
    assert [row["objective"] for row in rows] == kept.objective.unique().tolist()
    assert list(rows[0]) == list(kept.columns)
    assert all(row["mirroring"] > 1 and row["mirrored_baseline"] > 1 for row in rows)
    assert "greedy against simple" in capsys.readouterr().out
