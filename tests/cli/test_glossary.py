"""``gin-sim help``: a term, all terms, or a command's help; and Tab in a shell."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from gin_sim.glossary import terms

COMMAND = ("help",)


def test_a_term_is_printed_with_its_other_words_and_its_text(works):
    first, *rest = works("mirrored", "pair").splitlines()
    assert first == "mirrored pair (also: mirroring, duplicate)"
    assert all(line.startswith("  ") for line in rest)
    (term,) = (each for each in terms() if each.name == "mirrored pair")
    assert " ".join(" ".join(rest).split()) == term.text


def test_without_a_term_all_are_listed_by_group(works):
    parts = works().split("\n\n")
    assert [part.splitlines()[0] for part in parts[:3]] == ["The game", "Statistics", "This tool"]
    listed = " ".join(" ".join(parts[:3]).split())
    assert all(term.name in listed for term in terms())
    assert max(len(line) for part in parts[:3] for line in part.splitlines()) <= 100


def test_a_term_that_is_a_command_too_says_so(works):
    shown = works("knock")
    assert shown.startswith("knock\n")
    assert "`gin-sim knock --help`" in shown


def test_the_name_of_a_command_shows_its_help(works):
    assert works("simulate").startswith("Usage: gin-sim simulate [OPTIONS] A B\n")
    assert works("policies", "show").startswith("Usage: gin-sim policies show [OPTIONS] POLICY\n")


def test_an_unknown_term_is_refused_with_the_nearest_one(fails):
    assert "Did you mean 'undercut'?" in fails("undercutt")
    assert "`gin-sim help` lists all terms." in fails("zzzz")


def test_json_has_the_term_or_all_terms(works):
    found = json.loads(works("gin out", "--json"))
    assert found["name"] == "gin out"
    assert found["group"] == "The game"
    assert "outs" in found["also"]
    assert len(json.loads(works("--json"))) == len(terms())


@pytest.mark.long
def test_tab_completes_commands_and_options():
    def completed(words: str, place: int) -> list[str]:
        ran = subprocess.run(
            [sys.executable, "-m", "gin_sim"],
            env={
                **os.environ,
                "_GIN_SIM_COMPLETE": "bash_complete",
                "COMP_WORDS": words,
                "COMP_CWORD": str(place),
            },
            capture_output=True,
            text=True,
            check=True,
        )
        return ran.stdout.splitlines()

    assert completed("gin-sim sol", 1) == ["plain,solve"]
    assert completed("gin-sim solve --obj", 2) == ["plain,--objective"]
