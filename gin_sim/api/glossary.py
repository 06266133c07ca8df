"""What a word means: the terms of the glossary, by name."""

from __future__ import annotations

from gin_sim.errors import InputError
from gin_sim.glossary import Term, by_group, by_word
from gin_sim.words import nearest

__all__ = ["Term", "by_group", "explain"]


def explain(word: str) -> Term:
    """Return the term of a word.

    Parameters
    ----------
    word : str
        A term or another word for it, in upper or lower case.

    Raises
    ------
    InputError
        If the glossary has no such term; the sentence names the nearest ones.

    Examples
    --------
    >>> from gin_sim.api.glossary import explain
    >>> explain("deadwood").group
    'The game'
    """
    known = by_word()
    wanted = " ".join(word.lower().replace("-", " ").split())
    by_plain_word = {name.replace("-", " "): term for name, term in known.items()}
    if wanted in by_plain_word:
        return by_plain_word[wanted]
    names = sorted(name for name in known if wanted and (wanted in name or name in wanted))
    if names:
        hint = f" Did you mean {_or(names[:5])}?"
    else:
        hint = nearest(wanted, known)
    raise InputError(f"the glossary has no '{word}'.{hint} `gin-sim help` lists all terms.")


def _or(names: list[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    *most, last = quoted
    return f"{', '.join(most)} or {last}" if most else last
