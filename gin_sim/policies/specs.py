"""What a spec string says before anything is looked up: a name or a file, a class, settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gin_sim.policies.contract import Parameter, PolicyError, Value
from gin_sim.words import nearest

TOML, PYTHON = ".toml", ".py"

# As short as can be up to an ending that a colon or nothing follows, so that a drive's colon stays.
_FILE = re.compile(r"(?P<path>.+?(?P<ending>\.toml|\.py))(?::(?P<rest>.*))?", re.IGNORECASE)


@dataclass(frozen=True)
class Spec:
    """The parts of a spec.

    Parameters
    ----------
    text : str
        As given, without spaces around it.
    place : str
        A policy's name, or a file's path.
    ending : str
        ``".toml"``, ``".py"`` or nothing.
    choice : str
        The class of numbers in a Python file, if one is named.
    settings : str or None
        What follows the colon; None without one.
    """

    text: str
    place: str
    ending: str = ""
    choice: str = ""
    settings: str | None = None

    @property
    def label(self) -> str:
        """What errors call the policy: the spec without its settings."""
        return f"{self.place}:{self.choice}" if self.choice else self.place

    def values(self, parameters: tuple[Parameter, ...], start: Mapping[str, Value]) -> dict:
        """Return values by name: those of ``start``, changed as the settings say."""
        values = dict(start)
        if self.settings is None:
            return values
        if not self.settings.strip():
            raise PolicyError(
                f"nothing follows the colon in '{self.text}': write {self.label} alone."
            )
        known = {parameter.name: parameter for parameter in parameters}
        given: set[str] = set()
        for setting in self.settings.split(","):
            key, equals, text = (part.strip() for part in setting.partition("="))
            if key not in known:
                raise unknown_parameter(self.label, key, known, self.label)
            if not equals or not text:
                raise PolicyError(f"'{setting}' gives no value: write {self.label}:{key}=VALUE.")
            if key in given:
                raise PolicyError(
                    f"{self.label}'s {key} is given twice in '{self.text}': give it once."
                )
            given.add(key)
            values[key] = known[key].read(self.label, text)
        return values

    def changed(self, texts: Mapping[str, str]) -> str:
        """Return the spec with other settings by name; its own stay as they are written."""
        settings = {}
        for setting in (self.settings or "").split(","):
            key, equals, text = (part.strip() for part in setting.partition("="))
            if equals:
                settings[key] = text
        settings |= texts
        return f"{self.label}:{','.join(f'{key}={text}' for key, text in settings.items())}"


def unknown_parameter(owner: str, key: str, known: Mapping[str, object], spec: str) -> PolicyError:
    """Return the error of a parameter that a policy does not have."""
    return PolicyError(
        f"{owner} has no parameter '{key}'.{nearest(key, known)} "
        f"`gin-sim policies show {spec}` lists what it takes."
    )


def read_spec(spec: str) -> Spec:
    """Return the parts of a spec such as ``greedy:knock=5`` or ``my.py:Cautious:limit=3``."""
    text = spec.strip()
    found = _FILE.fullmatch(text)
    if not found:
        name, colon, settings = text.partition(":")
        return Spec(text, name, settings=settings if colon else None)
    path, ending, rest = found["path"], found["ending"].lower(), found["rest"]
    if ending == TOML or rest is None:
        return Spec(text, path, ending, settings=rest)
    first, colon, after = rest.partition(":")
    if "=" in first or not first.strip():
        return Spec(text, path, ending, settings=rest)
    return Spec(text, path, ending, first.strip(), after if colon else None)


def split_specs(text: str) -> list[str]:
    """Return the specs of a list with commas; a part that is a setting belongs to a spec."""
    specs: list[str] = []
    for part in text.split(","):
        if not part.strip():
            raise PolicyError(
                f"'{text}' has an empty place: name policies with one comma between them, like "
                "simple,marjj."
            )
        if specs and ":" in specs[-1] and "=" in part and ":" not in part:
            specs[-1] += f",{part}"
        else:
            specs.append(part.strip())
    return specs


def read_text(path: str) -> str:
    """Return the text of a policy's file; :class:`PolicyError` if there is none to read."""
    try:
        if Path(path).is_dir():
            raise PolicyError(f"'{path}' is a folder, not a policy's file.")
        return Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise PolicyError(f"there is no file '{path}'.") from None
    except UnicodeDecodeError:
        raise PolicyError(f"'{path}' is not UTF-8 text.") from None
    except (OSError, ValueError) as error:
        if isinstance(error, PolicyError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise PolicyError(f"'{path}' cannot be read: {reason}.") from None
