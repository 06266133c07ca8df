"""The glossary: every term once, in plain sentences."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from gin_sim.api.glossary import explain
from gin_sim.errors import InputError
from gin_sim.glossary import by_group, by_word, terms


def test_there_are_terms_of_the_game_of_statistics_and_of_this_tool():
    groups = by_group()
    assert list(groups) == ["The game", "Statistics", "This tool"]
    assert all(len(found) >= 20 for found in groups.values())
    assert sum(map(len, groups.values())) == len(terms())


def test_every_word_belongs_to_one_term():
    words = Counter(word.lower() for term in terms() for word in (term.name, *term.also))
    assert [word for word, count in words.items() if count > 1] == []


@pytest.mark.parametrize("term", terms(), ids=lambda term: term.name)
def test_a_term_is_explained_in_one_to_three_sentences(term):
    sentences = re.findall(r"[.;](?=\s|$)", term.text)
    assert term.text.endswith(".")
    assert term.text[0].isupper() or term.text[0].isdigit()
    assert 1 <= len(re.findall(r"\.(?=\s|$)", term.text)) <= 3
    assert len(sentences) <= 4


def test_a_term_is_found_by_every_word_for_it_in_any_case():
    assert explain("Undercut").name == "undercut"
    assert explain("WORLDS").name == "sampled deal"
    assert explain("luck adjusted").name == "luck-adjusted"
    assert all(explain(word) is term for word, term in by_word().items())


def test_an_unknown_term_gets_the_nearest_ones():
    with pytest.raises(InputError, match="Did you mean 'undercut'"):
        explain("undercutt")
    with pytest.raises(InputError, match="Did you mean 'knock limit'"):
        explain("limit")
    with pytest.raises(InputError, match="lists all terms"):
        explain("zzzz")
