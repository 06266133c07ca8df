"""The pages hang together: links, options, generated pages and tables are those of the program."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click
import pandas as pd
import pytest

from gin_sim.cli import group

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

import baseline_factors  # noqa: E402
import docs_blocks  # noqa: E402
import docs_files  # noqa: E402
import docstrings  # noqa: E402
import knock_card  # noqa: E402
import policies_table  # noqa: E402

import docs  # noqa: E402

TEXTS = {page: page.read_text(encoding="utf-8") for page in docs_blocks.pages()}
PAGES = [pytest.param(page, id=docs_blocks.name_of(page)) for page in TEXTS]

FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
IN_PROSE = re.compile(r"`(gin-sim [a-z][^`\n]*)`")
IN_BLOCKS = re.compile(r"^(?:\$ )?(gin-sim [a-z].*)$", re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
#: Options of other programs and of the project's own scripts.
OTHERS = {
    "--fix", "--slow", "--version", "--help", "--array", "--cpus-per-task", "--strict", "--with",
    "--quick",
}  # fmt: skip


def prose(text: str) -> str:
    return FENCED.sub("", text)


def headings(text: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)


def anchor(heading: str) -> str:
    """The anchor of a heading, where GitHub and the site agree on it."""
    return re.sub(r"[^\w\s-]", "", heading.lower()).strip().replace(" ", "-")


def test_readme_is_at_most_8_kb():
    assert len((ROOT / "README.md").read_bytes()) <= 8000


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file_and_to_a_heading(page):
    for link in LINK.findall(re.sub(r"`[^`\n]*`", "", prose(TEXTS[page]))):
        if link.startswith("http"):
            continue
        name, _, fragment = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.is_file(), f"{link} leads nowhere"
        assert target.is_relative_to(ROOT), f"{link} leads out of the project"
        if fragment:
            text = TEXTS.get(target) or target.read_text(encoding="utf-8")
            assert fragment in map(anchor, headings(text)), f"{link} names no heading"


@pytest.mark.parametrize("page", PAGES)
def test_no_two_headings_of_a_page_have_the_same_anchor(page):
    anchors = [anchor(heading) for heading in headings(TEXTS[page])]
    assert len(set(anchors)) == len(anchors)


def test_the_index_and_the_site_list_every_page():
    index = TEXTS[docs_blocks.DOCS / "index.md"]
    site = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for page in docs_blocks.DOCS.rglob("*.md"):
        name = page.relative_to(docs_blocks.DOCS).as_posix()
        assert re.search(rf"\b{re.escape(name)}$", site, re.MULTILINE), (
            f"{name} is not in mkdocs.yml"
        )
        assert name == "index.md" or f"]({name})" in index, f"{name} is not in docs/index.md"


# --------------------------------------------------------------------------- commands and options


def options(words: list[str]) -> set[str] | None:
    """The options of the command that the words call; None where they call none."""
    command: click.Command | None = group
    for word in words:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), word)
        if command is None:
            return None
    assert command is not None
    params = [p for p in command.params if isinstance(p, click.Option)]
    return {name for p in params for name in (*p.opts, *p.secondary_opts)} | {"--help", "-h"}


def all_options() -> set[str]:
    def below(command: click.Command, words: list[str]) -> set[str]:
        found = options(words) or set()
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                assert inner is not None
                found |= below(inner, [*words, name])
        return found

    return below(group, [])


@pytest.mark.parametrize("page", PAGES)
def test_every_command_that_is_written_exists_with_its_options(page):
    text = TEXTS[page]
    commands = [*IN_PROSE.findall(prose(text)), *IN_BLOCKS.findall("".join(FENCED.findall(text)))]
    for command in commands:
        known = options(command.split()[1:])
        assert known is not None, f"there is no command {command}"
        for option in OPTION.findall(command):
            assert option in known, f"{option} is no option of {command}"


@pytest.mark.parametrize("page", PAGES)
def test_every_option_in_prose_is_one_of_some_command(page):
    for option in OPTION.findall(prose(TEXTS[page])):
        assert option in all_options() | OTHERS, f"no command has {option}"


# --------------------------------------------------------------------------- what is made from it


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=docs_blocks.name_of(page)) for page in docs.generated()]
)
def test_a_generated_page_is_up_to_date(page):
    assert page.read_text(encoding="utf-8") == docs.generated()[page](), "run scripts/docs.py"


def test_every_field_of_every_result_is_described():
    assert docs_files.undocumented() == []


def test_the_knock_card_is_that_of_the_chart():
    page = ROOT / "README.md"
    assert "<!-- knock card -->" in TEXTS[page]
    assert knock_card.filled(TEXTS[page]) == TEXTS[page], "run scripts/docs.py"


def test_a_knock_card_reaches_over_what_is_close_and_ends_where_playing_on_is_better():
    decisions = ["knock", "too close", "knock", "play on", "few", "knock", "knock", "too close"]
    cells = pd.DataFrame({"deadwood": range(1, 9), "decision": decisions})
    assert knock_card.knocks(cells) == "1-3, 6-7"
    assert knock_card.knocks(cells[3:5]) == "-"


def test_tables_of_studies_are_those_of_their_results():
    factors = pd.read_csv(ROOT / "results/baseline/factors.csv")
    pairings = pd.read_csv(ROOT / "results/policies/pairings.csv")
    principles = pd.read_csv(ROOT / "results/policies/principles.csv")
    for page, lines in (
        (baseline_factors.DOCS_PAGE, baseline_factors.factors_table(factors)),
        (policies_table.DOCS_PAGE, policies_table.wins_table(pairings)),
        (policies_table.DOCS_PAGE, policies_table.principles_table(principles)),
    ):
        assert "\n".join(lines) in TEXTS[page]


# ------------------------------------------------------------------------- how docstrings are read


def test_a_docstring_is_read_in_its_parts():
    def documented(a, b, *others):
        """Return one thing.

        And more of :func:`gin_sim.simulate` and ``this``.

        Parameters
        ----------
        a, b : int
            Both of them,
            on two lines.
        *others
            The rest.

        Raises
        ------
        ValueError
            If it fails.
        """

    found = docstrings.read(documented)
    assert found.summary == "Return one thing."
    assert docstrings.markdown(found.more) == "And more of `simulate` and `this`."
    first, second = found.entries()
    assert first == (("a", "b"), "int", "Both of them, on two lines.")
    assert second.names == ("others",)
    assert found.entries("Raises")[0].names == ("ValueError",)
