"""The trained policies that are shipped are those that the script has kept with its results."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import train_policy as study  # noqa: E402


def test_the_shipped_policies_are_the_kept_ones():
    names = {f"{course.name}.toml" for course in study.COURSES}
    assert {path.name for path in study.TRAINED.glob("*.toml")} == names
    for name in names:
        shipped = (study.TRAINED / name).read_text(encoding="utf-8")
        assert (study.RESULTS / name).read_text(encoding="utf-8") == shipped
