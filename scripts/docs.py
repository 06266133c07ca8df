"""Write into README.md and docs/ what the program prints and says of itself now.

    .venv/bin/python scripts/docs.py                # every page except its slow blocks
    .venv/bin/python scripts/docs.py --slow         # those too
    .venv/bin/python scripts/docs.py --times        # times and speeds, where nothing else changed
    .venv/bin/python scripts/docs.py docs/howto/games.md README.md
    .venv/bin/python scripts/docs.py --check        # only say what would change, by exit code 1

The pages made from the program (the command line, the files, the functions, the glossary) are
written first, then the knock card, then the outputs of the blocks.  A block whose command fails
keeps what it shows and is reported; the exit code is then 1.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click
import docs_blocks
import docs_reference
import knock_card
from docs_blocks import DOCS, ROOT


def generated() -> dict[Path, Callable[[], str]]:
    """Return what writes each page that is made from the program, by its path."""
    return {DOCS / name: write for name, write in docs_reference.pages().items()}


def with_outputs(page: Path, text: str, slow: bool, times: bool) -> tuple[str, list[str]]:
    """Return a page with its blocks filled, and what went wrong in which."""
    blocks = [block for block in docs_blocks.blocks_of(text) if slow or not block.is_slow]
    if not blocks:
        return text, []
    try:
        outcomes = docs_blocks.run(blocks)
    except RuntimeError as error:
        return text, [f"{docs_blocks.name_of(page)}: {error}"]
    problems = [
        f"{docs_blocks.name_of(page)}: {block.code.strip()}\n    {outcome.problem.strip()}"
        for block, outcome in zip(blocks, outcomes, strict=True)
        if outcome.problem
    ]
    return docs_blocks.filled(text, blocks, outcomes, times), problems


@click.command()
@click.argument("names", nargs=-1, metavar="[PAGE]...")
@click.option("--slow", is_flag=True, help="Run the blocks that are marked as slow, too.")
@click.option("--times", is_flag=True, help="Bring times and speeds up to date, too.")
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if something would change.")
def main(names: tuple[str, ...], slow: bool, times: bool, check: bool) -> None:
    """Fill the pages named, by default all."""
    changed: list[str] = []
    problems: list[str] = []

    def keep(page: Path, text: str) -> None:
        if not page.exists() or page.read_text(encoding="utf-8") != text:
            changed.append(docs_blocks.name_of(page))
            if not check:
                page.write_text(text, encoding="utf-8")

    made = generated()
    pages = [(ROOT / name).resolve() for name in names] or [*made, *docs_blocks.pages()]
    for page in dict.fromkeys(pages):
        failed: list[str] = []
        if page in made:
            try:
                keep(page, made[page]())
            except Exception as error:  # the other pages are still to be filled
                failed = [f"{docs_blocks.name_of(page)}: {type(error).__name__}: {error}"]
        else:
            text = knock_card.filled(page.read_text(encoding="utf-8"))
            text, failed = with_outputs(page, text, slow, times)
            keep(page, text)
        problems += failed
        click.echo(f"{docs_blocks.name_of(page)}{' · FAILED' if failed else ''}", err=True)
    for problem in problems:
        click.echo(f"\n{problem}", err=True)
    if changed:
        click.echo(f"{'Would change' if check else 'Changed'}: {', '.join(changed)}")
    if problems or (check and changed):
        sys.exit(1)


if __name__ == "__main__":
    main()
