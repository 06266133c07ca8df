"""What README.md claims: its commands print what it shows, and its Python runs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import readme  # noqa: E402

TEXT = readme.README.read_text(encoding="utf-8")
BLOCKS = readme.BLOCK.findall(TEXT)
TIMING = re.compile(r"\d+\.\d+ s(?: · \d+\.\d+ M hands(?: walked)?/s)?")


def test_the_readme_shows_commands():
    assert len(BLOCKS) >= 6


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_command_prints_what_the_readme_shows(command, shown):
    printed = readme.output_of(command)
    assert TIMING.sub("", printed) == TIMING.sub("", shown)


def test_the_readme_shows_its_example_files_as_they_are():
    files = readme.SHOWN_FILE.findall(TEXT)
    shown = {Path(name).name for _, name, _ in files}
    assert shown == {path.name for path in (ROOT / "tests/data/policies").iterdir()}
    for _, name, text in files:
        assert text == readme.text_of(name)
        assert any(name in command for command, _ in BLOCKS), f"no command plays {name}"


def printed_by_python_under(heading: str) -> list[str]:
    _, after = TEXT.split(f"## {heading}\n")
    (example,) = re.findall(r"```python\n(.*?)```", after.partition("\n## ")[0], re.DOTALL)
    ran = subprocess.run(
        [sys.executable, "-c", example], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    return ran.stdout.splitlines()


def test_the_example_of_advice_runs():
    (verdict,) = printed_by_python_under("Knock in this position?")
    assert re.fullmatch(r"play on: \+\d\.\d \[\+\d\.\d, \+\d+\.\d\]", verdict)


def test_the_python_example_runs():
    deadwood, lead = printed_by_python_under("From Python")
    assert deadwood == "10 undercut"
    assert re.fullmatch(r"[+-]\d+\.\d\d points per hand \[[+-]\d+\.\d\d, [+-]\d+\.\d\d\]", lead)
