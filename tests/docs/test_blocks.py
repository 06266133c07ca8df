"""What the documents show is what the program prints now: every command and every Python block."""

from __future__ import annotations

import difflib
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import docs_blocks  # noqa: E402

TEXTS = {
    docs_blocks.name_of(page): page.read_text(encoding="utf-8") for page in docs_blocks.pages()
}
BLOCKS = {name: docs_blocks.blocks_of(text) for name, text in TEXTS.items()}
QUICK = [name for name, blocks in BLOCKS.items() if any(not block.is_slow for block in blocks)]
SLOW = [name for name, blocks in BLOCKS.items() if any(block.is_slow for block in blocks)]


def differences(blocks: list[docs_blocks.Block]) -> list[str]:
    """What a page shows otherwise than it is, a text for each block."""
    found = []
    for block, outcome in zip(blocks, docs_blocks.run(blocks), strict=True):
        if outcome.problem:
            found.append(f"{block.code}\n{outcome.problem}")
        elif block.shown is not None:
            shown = docs_blocks.without_times(block.shown)
            printed = docs_blocks.without_times(docs_blocks.expected(block, outcome))
            if shown != printed:
                lines = difflib.unified_diff(
                    shown.splitlines(), printed.splitlines(), "the page", "the program", lineterm=""
                )
                found.append("\n".join([block.code, *lines]))
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", QUICK)
def test_a_page_shows_what_its_blocks_print(name):
    found = differences([block for block in BLOCKS[name] if not block.is_slow])
    assert not found, "run scripts/docs.py:\n" + "\n\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_a_page_with_slow_blocks_shows_what_they_print(name):
    found = differences(BLOCKS[name])
    assert not found, "run scripts/docs.py --slow:\n" + "\n\n".join(found)


def test_readme_shows_a_simulation_a_position_and_python():
    blocks = [(block.kind, block.code.split()[:2]) for block in BLOCKS["README.md"]]
    assert [kind for kind, _ in blocks] == ["console", "console", "python"]
    assert [words for _, words in blocks[:2]] == [["gin-sim", "simulate"], ["gin-sim", "knock"]]


def test_every_example_policy_is_shown_and_played():
    shown = {block.code for blocks in BLOCKS.values() for block in blocks if block.kind == "file"}
    played = " ".join(
        block.code for blocks in BLOCKS.values() for block in blocks if block.kind == "console"
    )
    for path in docs_blocks.SHOWN.iterdir():
        assert path.name in shown
        assert path.name in played


def test_every_command_of_the_program_that_prints_results_is_shown():
    shown = {
        block.code.split()[1]
        for blocks in BLOCKS.values()
        for block in blocks
        if block.kind == "console"
    }
    assert shown >= {
        "simulate", "compare", "sweep", "solve", "knock", "equity", "belief", "deadwood", "layoff",
        "replay", "policies", "rules",
    }  # fmt: skip


# ------------------------------------------------------------------- how blocks are read and run

PAGE = """# A page

```console
$ gin-sim rules list
old
```

Save this as `mine.toml`:

```toml
base = "greedy"
```

```python
number = 6 * 7
print("counted")
number
```

```text
old
```

```python
number += 1
```

<!-- slow -->
```console
$ gin-sim policies show mine.toml
```
"""


def test_blocks_are_read_in_order_with_what_they_show():
    blocks = docs_blocks.blocks_of(PAGE)
    assert [block.kind for block in blocks] == ["console", "file", "python", "python", "console"]
    assert [block.shown for block in blocks] == ["old\n", 'base = "greedy"\n', "old\n", None, ""]
    assert [block.is_slow for block in blocks] == [False, False, False, False, True]
    assert blocks[0].code == "gin-sim rules list"
    assert blocks[1].code == "mine.toml"
    for block in blocks:
        assert PAGE[block.start : block.end] == (block.shown or "")


@pytest.mark.long
def test_a_page_is_filled_with_what_its_blocks_print_and_files_are_there():
    blocks = docs_blocks.blocks_of(PAGE)
    outcomes = docs_blocks.run(blocks)
    assert [outcome.problem for outcome in outcomes] == [""] * 5
    text = docs_blocks.filled(PAGE, blocks, outcomes)
    again = docs_blocks.blocks_of(text)
    assert "standard" in again[0].shown
    assert again[1].shown == 'base = "greedy"\n'
    assert again[2].shown == "counted\n42\n"
    assert "mine.toml" in again[4].shown
    assert docs_blocks.filled(text, again, outcomes) == text


def test_a_block_that_fails_keeps_what_it_shows_and_is_reported():
    page = "```console\n$ gin-sim rules show nosuch\nold\n```\n\n```python\n1 / 0\n```\n"
    blocks = docs_blocks.blocks_of(page)
    outcomes = docs_blocks.run(blocks)
    assert "nosuch" in outcomes[0].problem
    assert "ZeroDivisionError" in outcomes[1].problem
    assert docs_blocks.filled(page, blocks, outcomes) == page


def test_times_and_speeds_are_no_difference():
    line = "seed 1 · 0.34 s · 2.98 M hands/s · mirroring needed 3.69 times fewer hands"
    other = "seed 1 · 1.02 s · 0.11 M hands/s · mirroring needed 3.69 times fewer hands"
    assert docs_blocks.without_times(line) == docs_blocks.without_times(other)
    assert docs_blocks.without_times(line) != docs_blocks.without_times(other.replace("3.6", "3.7"))


def test_a_console_block_without_a_command_is_refused():
    with pytest.raises(ValueError, match="no `\\$ gin-sim`"):
        docs_blocks.blocks_of("```console\nls\n```\n")
