"""Every Struct of results/ says what each of its fields is, and every kind comes back from disk."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

import gin_sim
from gin_sim import results
from gin_sim.report.charts import DRAWN
from gin_sim.results.advice_list import AdviceList, PositionAdvice
from gin_sim.results.common import Answer, Row, Savable
from gin_sim.results.kinds import KINDS

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
SAVED = ROOT / "results"
RUN = "As Ad Ah 2c 3c 4c Th Jh Qh 9c Kd"


def advice():
    options = {"play": "greedy", "against": "simple", "panel": "none", "worlds": 400}
    return gin_sim.advise(RUN, first="5s", history="p p s", **options)


def advice_list():
    only = advice()
    answers = [PositionAdvice(line=2, advice=only)]
    return AdviceList(rules=only.rules, seed=only.seed, positions=answers, wanted=1, fault="")


#: As small a game with boxes as shows all that a larger one does, and hands enough to solve it.
SHORT = {"rules": "standard:target=50", "equity_hands": 4000}
#: A small result of each kind.
EXAMPLES: dict[str, Callable[[], Savable]] = {
    "advice": advice,
    "advice-list": advice_list,
    "calibration": lambda: gin_sim.load(SAVED / "beliefs" / "simple"),
    "equilibrium": lambda: gin_sim.load(SAVED / "knock_charts" / "greedy-equilibrium-25-25"),
    "equity": lambda: gin_sim.equity("greedy", "simple", hands=2000, rules="standard:target=50"),
    "games": lambda: gin_sim.simulate("greedy", "simple", games=200),
    "match": lambda: gin_sim.simulate("greedy", "simple", hands=400, luck_adjusted=True),
    "ranking": lambda: gin_sim.compare("greedy", "simple", "random", hands=400),
    "several-scores": lambda: gin_sim.solve(
        "greedy",
        "simple",
        by="score",
        objective="stakes",
        scores="0-0,40-40:4-6",
        deals=5000,
        **SHORT,
    ),
    "solution": lambda: gin_sim.solve("greedy", "simple", by="none", deals=5000, proof_hands=2000),
    "replay": lambda: gin_sim.replay(DATA / "hands-standard.jsonl"),
    "sweep": lambda: gin_sim.load(SAVED / "knock_thresholds" / "greedy-points"),
    "value-matrix": lambda: gin_sim.sweep("greedy", "knock=0:10:5", both=True, hands=400),
}
#: Results of studies, whose charts take a minute of drawing.
LARGE: dict[str, Callable[[], Savable]] = {
    "several-scores": lambda: gin_sim.load(SAVED / "score_charts" / "strong-simple-boxes"),
    "solution": lambda: gin_sim.load(SAVED / "knock_charts" / "greedy-simple-25-25"),
}


def structs() -> list[type[msgspec.Struct]]:
    """Every Struct that is defined in a module of results/."""
    found = []
    for module in pkgutil.iter_modules(results.__path__):
        loaded = importlib.import_module(f"gin_sim.results.{module.name}")
        found += [
            value
            for value in vars(loaded).values()
            if inspect.isclass(value)
            and issubclass(value, msgspec.Struct)
            and value.__module__ == loaded.__name__
        ]
    return found


def described_in(struct: type) -> dict[str, str]:
    """What the Parameters section of a class says, by field."""
    text = inspect.cleandoc(struct.__doc__ or "")
    _, _, section = text.partition("\nParameters\n----------\n")
    section = re.split(r"\n\n[A-Z][a-z]+\n-+\n", section)[0]
    described: dict[str, str] = {}
    for names, words in re.findall(r"(?m)^(\w[\w, ]*) : .*\n((?:(?: {4}.*)?\n?)*)", section + "\n"):
        described |= {name.strip(): words.strip() for name in names.split(",")}
    return described


def own_fields(struct: type) -> set[str]:
    """The fields that a Struct does not have from those that it is made from."""
    inherited = {
        field
        for base in struct.__bases__
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct
        for field in base.__struct_fields__
    }
    return set(struct.__struct_fields__) - inherited


@pytest.mark.parametrize("struct", structs(), ids=lambda struct: struct.__name__)
def test_every_field_is_described(struct):
    described = described_in(struct)
    assert own_fields(struct) - set(described) == set()
    assert set(described) - set(struct.__struct_fields__) == set(), "these are no fields"
    assert all(described.values()), f"nothing is said of {described}"


@pytest.mark.parametrize("struct", structs(), ids=lambda struct: struct.__name__)
def test_every_table_of_an_answer_has_a_row_of_this_room(struct):
    if not issubclass(struct, Answer):
        return
    for row in struct.TABLES.values():
        assert issubclass(row, Row)
        assert row in structs()


def test_a_description_is_read_to_its_end():
    class Example(msgspec.Struct):
        """An example.

        Parameters
        ----------
        one : int
            The first.
        two, three : str
            The others,
            in two lines.

        Raises
        ------
        four : int
            No field.
        """

        one: int
        two: str
        three: str
        four: int = 0

    assert set(described_in(Example)) == {"one", "two", "three"}


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_of_its_name_and_comes_back_from_disk(kind, tmp_path):
    assert kind in EXAMPLES, f"give a small result of the kind '{kind}' in EXAMPLES"
    comes_back(EXAMPLES[kind](), kind, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", LARGE)
def test_a_large_result_comes_back_from_disk(kind, tmp_path):
    comes_back(LARGE[kind](), kind, tmp_path)


def comes_back(result, kind, tmp_path):
    """Check that a result is the same, to the byte, once it was saved and loaded."""
    assert type(result) is KINDS[kind]
    assert result.kind == kind
    names = result.save(tmp_path / "result")
    charts = DRAWN[kind].charts if kind in DRAWN else ()
    drawn = {f"{name}.{ending}" for name in charts for ending in ("png", "svg")}
    assert {*drawn, *(f"{name}.csv" for name in result.tables()), "manifest.json"} <= set(names)
    manifest = json.loads((tmp_path / "result" / "manifest.json").read_text("utf-8"))
    assert manifest["result"]["kind"] == kind
    again = gin_sim.load(tmp_path / "result")
    assert again.to_json() == result.to_json()
    assert again.text() == result.text()
    assert again.save(tmp_path / "again") == names
    for name in names:
        first, second = (tmp_path / folder / name for folder in ("result", "again"))
        assert first.read_bytes() == second.read_bytes(), name


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_every_table_of_a_kind_has_the_columns_of_its_row(kind):
    has_the_columns(EXAMPLES[kind]())


@pytest.mark.slow
@pytest.mark.parametrize("kind", LARGE)
def test_every_table_of_a_large_result_has_the_columns_of_its_row(kind):
    has_the_columns(LARGE[kind]())


def has_the_columns(result):
    """Check that a result's tables have the columns that their rows describe."""
    tables = result.tables()
    assert set(tables) <= set(result.TABLES)
    for name, table in tables.items():
        columns = result.TABLES[name].column_names()
        assert list(table.columns)[: len(columns)] == columns or set(columns) <= set(table.columns)
    assert len(result.table()) > 0
