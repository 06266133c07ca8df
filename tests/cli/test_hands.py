"""What `gin-sim deadwood` and `gin-sim layoff` print, from text to exit code.

Right numbers are the business of test_hands.py; here they only have to arrive, in every form, and
every mistake has to end in a sentence, exit code 2 and an empty standard output.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import naive
import pytest

from gin_sim.cli import main
from gin_sim.rules import PRESETS

DATA = Path(__file__).parents[1] / "data"
TEN = "7s7h7d 4h5h6h KcQd2c2d"
KNOCKER = "JsQsKs TdTcTh Ac2d3hAd"
DEFENDER = "Ts9s4h6d8c2h5c7d3sQd"


@pytest.fixture
def run(capsysbinary):
    """Run the command line; return its exit code and what it wrote, decoded."""

    def run_main(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leaving:
            main(list(arguments))
        out, err = capsysbinary.readouterr()
        notices = [line for line in err.decode().splitlines() if not line.startswith("Compiling")]
        return leaving.value.code, out.decode(), "\n".join(notices)

    return run_main


@pytest.fixture
def table(tmp_path):
    """Write a file and return its path."""

    def write(content: str | bytes, name: str = "hands.csv") -> str:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


@pytest.fixture
def on_ascii(monkeypatch):
    """Run a command whose standard output is a stream of ASCII; return the bytes written."""

    def run_main(*arguments: str) -> bytes:
        stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        monkeypatch.setattr("sys.stdout", stream)
        with pytest.raises(SystemExit) as leaving:
            main(list(arguments))
        assert leaving.value.code == 0
        return stream.buffer.getvalue()

    return run_main


@pytest.fixture
def typed(monkeypatch):
    """Put bytes on standard input."""

    def give(content: bytes) -> None:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content)))

    return give


def read_csv(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# ------------------------------------------------------------ gin-sim deadwood


@pytest.mark.jitless
def test_ten_cards_are_drawn_with_symbols(works):
    assert works("deadwood", TEN).splitlines() == [
        "4♥ 5♥ 6♥ | 7♠ 7♥ 7♦   loose 2♦ 2♣ Q♦ K♣",
        "deadwood 24: may not knock under standard rules (limit 10)",
    ]


@pytest.mark.jitless
def test_eleven_cards_show_every_discard(works):
    assert works("deadwood", TEN + " As").splitlines() == [
        "4♥ 5♥ 6♥ | 7♠ 7♥ 7♦   loose A♠ 2♦ 2♣ Q♦   discard K♣",
        "deadwood 15: may not knock under standard rules (limit 10)",
        "",
        "  discard   leaves, pips",
        "  K♣                  15   best",
        "  Q♦                  15   best",
        "  2♦                  23",
        "  2♣                  23",
        "  A♠                  24",
        "  7♠                  32",
        "  7♦                  32",
        "  6♥                  34",
        "  5♥                  35",
        "  4♥                  36",
        "  7♥                  39",
    ]


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        (["10d"], "Td"),
        (["T♦"], "Td"),
        (["td"], "Td"),
        (["T♦\ufe0f"], "Td"),
        (["10♢ "], "Td"),
        (["10d", "jd", "Q♦"], "TdJdQd"),
        (["10dJdQD"], "TdJdQd"),
        (["(Td, J♦ | qd)"], "TdJdQd"),
    ],
)
def test_cards_are_read_leniently(works, written, plain):
    assert works("deadwood", *written) == works("deadwood", plain)


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("2s", ["no melds   loose 2♠", "deadwood 2"]),
        ("AsAhAd", ["A♠ A♥ A♦   nothing loose", "deadwood 0"]),
        ("7s7h7d4h5h6hAcAdAs3s", ["deadwood 3: may knock under standard rules (limit 10)"]),
        ("7s7h7d4h5h6hAcAdAsAh", ["nothing loose", "deadwood 0: gin"]),
        ("7s7h7d4h5h6hAcAdAsAhKd", ["discard K♦", "deadwood 0: gin"]),
        ("7s7h7d4h5h6hAcAdAs7cAh", ["deadwood 0: big gin, all eleven cards meld"]),
    ],
)
def test_the_verdict_says_deadwood_and_whether_to_knock(works, hand, said):
    out = works("deadwood", hand)
    assert all(part in out for part in said)
    assert "   discard " not in out.splitlines()[0] or "Kd" in hand


@pytest.mark.jitless
def test_deadwood_as_json(works):
    found = json.loads(works("deadwood", "7♠7h7d 4h5h6h KcQd2c2d As", "--json"))
    assert found.pop("discards")[:3] == [
        {"card": "Kc", "deadwood": 15},
        {"card": "Qd", "deadwood": 15},
        {"card": "2d", "deadwood": 23},
    ]
    assert found == {
        "kind": "hand",
        "hand": "7♠7h7d 4h5h6h KcQd2c2d As",
        "cards": ["As", "2d", "2c", "4h", "5h", "6h", "7s", "7h", "7d", "Qd", "Kc"],
        "n_cards": 11,
        "deadwood": 15,
        "melds": [["7s", "7h", "7d"], ["4h", "5h", "6h"]],
        "loose": ["As", "2d", "2c", "Qd"],
        "discard": "Kc",
        "best_discards": ["Kc", "Qd"],
        "big_gin": False,
    }


def test_letters_where_symbols_cannot_be_encoded(on_ascii):
    assert on_ascii("deadwood", TEN).startswith(b"4h 5h 6h | 7s 7h 7d   loose 2d 2c Qd Kc")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["7s7s7d"], "7♠ is there twice"),
        (["7s7h7x"], "'7x' is not a card"),
        (["Joker"], "'Joker' is not a card"),
        ([""], "1 to 11 cards, and 0 are given (nothing)"),
        (["AsAhAdAc2s2h2d2c3s3h3d3c"], "1 to 11 cards, and 12 are given (A♠ A♥ A♦ A♣"),
        ([], "no hand is given"),
        (["As", "--file", "hands.csv"], "HAND and --file are both given"),
        (["--file"], "--file"),
    ],
)
def test_deadwood_refuses(fails, arguments, said):
    assert said in fails("deadwood", *arguments)


# --------------------------------------------------------------- files of hands


def test_the_golden_file_as_it_stands(works):
    golden = read_csv("".join((DATA / "deadwood.csv").read_text().splitlines(True)[1:]))
    found = read_csv(works("deadwood", "--file", str(DATA / "deadwood.csv")))
    assert [(row["hand"], row["deadwood"]) for row in found] == [
        (row["hand"], row["deadwood"]) for row in golden
    ]
    objects = json.loads(works("deadwood", "--file", str(DATA / "deadwood.csv"), "--json"))
    assert [found["hand"] for found in objects] == [row["hand"] for row in golden]
    for row, found in zip(golden, objects, strict=True):
        cards = [card for meld in [*found["melds"], found["loose"]] for card in meld]
        discarded = [found["discard"]] if found["discard"] else []
        assert sorted(cards + discarded) == sorted(found["cards"])
        assert found["deadwood"] == int(row["deadwood"]) == naive.total_pips(found["loose"])


@pytest.mark.jitless
def test_rows_keep_their_order_and_their_text(works, table):
    path = table(
        "\ufeff# first a comment\r\nName, Hand ,x\r\nann, 10♦ Jd Qd ,1\r\n\r\n# more\r\n"
        'bob,"7s,7h,7d,Kc",2\r\ncy,as,\r\n'
    )
    assert works("deadwood", "--file", path).splitlines() == [
        "hand,deadwood,melds,loose,discard,best_discards,big_gin",
        "10♦ Jd Qd ,0,TdJdQd,,,,false",
        '"7s,7h,7d,Kc",10,7s7h7d,Kc,,,false',
        "as,1,,As,,,false",
    ]
    objects = json.loads(works("deadwood", "--file", path, "--json"))
    assert [found["hand"] for found in objects] == ["10♦ Jd Qd ", "7s,7h,7d,Kc", "as"]


def test_a_row_and_a_hand_are_the_same_object(works, table):
    path = table(f"hand\n{TEN} As\n")
    objects = json.loads(works("deadwood", "--file", path, "--json"))
    assert objects == [json.loads(works("deadwood", TEN + " As", "--json"))]
    (row,) = read_csv(works("deadwood", "--file", path))
    assert (row["melds"], row["loose"]) == ("7s7h7d|4h5h6h", "As2d2cQd")
    assert (row["discard"], row["best_discards"], row["big_gin"]) == ("Kc", "KcQd", "false")


def test_a_header_alone_has_no_results(works, table):
    assert works("deadwood", "--file", table("hand\n")).splitlines() == [
        "hand,deadwood,melds,loose,discard,best_discards,big_gin"
    ]
    assert works("deadwood", "--file", table("hand"), "--json") == "[]\n"


def test_standard_input(works, typed):
    typed("hand\nTdJdQ♦\n".encode())
    (row,) = read_csv(works("deadwood", "--file", "-"))
    assert (row["hand"], row["deadwood"]) == ("TdJdQ♦", "0")


def test_csv_is_utf_8_whatever_the_terminal(on_ascii, table):
    out = on_ascii("deadwood", "--file", table("hand\nK♦\n"))
    assert "K♦,10,,Kd" in out.decode("utf-8")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("hand\nAs\n7s7x\n", "line 3 of {}: '7x' is not a card"),
        ("# note\nhand\n\n7s7s\n", "line 4 of {}: 7♠ is there twice"),
        ("hand,n\n,1\n", "line 2 of {}: a hand has 1 to 11 cards, and 0 are given"),
        ("n,hand\n1\n", "line 2 of {}: a hand has 1 to 11 cards, and 0 are given"),
        ("hand\n7s,7h\n", "line 2 of {}: there are 2 cells, and the first line names 1"),
        ("cards,n\nAs,1\n", "{} has no column named 'hand': its first line names 'cards', 'n'"),
        ("7s7h7d\n", "{} has no column named 'hand': its first line names '7s7h7d'"),
        ("hand,Hand\nAs,2s\n", "{} has two columns named 'hand'"),
        ('hand\n"As\n2s\n', "{} cannot be read as CSV"),
        ('hand\n"As"2s\n', "line 2 of {} cannot be read as CSV"),
        ("", "{} is empty: its first line has to name a column named 'hand'"),
        ("# only a comment\n", "{} is empty"),
        (b"hand\nK\xe2\x99\n", "{} is not UTF-8 text (byte 6 is 0xe2)"),
        ("hand\nAs\n".encode("utf-16"), "{} is not UTF-8 text (byte 0 is 0xff)"),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_files_that_cannot_be_used(fails, table, content, said, form):
    path = table(content)
    assert said.format(f"'{path}'") in fails("deadwood", "--file", path, *form)


def test_every_bad_row_has_its_sentence(run, table):
    path = table("hand\n1s\nAs\n" + "2s2s\n" * 30)
    code, out, err = run("deadwood", "--file", path)
    assert (code, out) == (2, "")
    lines = err.removeprefix("Error: ").splitlines()
    assert lines[0].startswith(f"line 2 of '{path}': '1s' is not a card")
    assert lines[1].startswith(f"line 4 of '{path}': 2♠ is there twice")
    assert len(lines) == 21
    assert lines[-1] == "11 more rows are bad."


def test_files_that_cannot_be_read(fails, tmp_path, typed):
    missing = str(tmp_path / "missing.csv")
    assert f"there is no file '{missing}'" in fails("deadwood", "--file", missing)
    assert "cannot be read" in fails("deadwood", "--file", str(tmp_path))
    typed(b"")
    assert "standard input is empty" in fails("deadwood", "--file", "-")


# --------------------------------------------------------------- gin-sim layoff


@pytest.mark.jitless
def test_a_knock_is_drawn(works):
    out = works("layoff", "--knocker", KNOCKER, "--defender", DEFENDER)
    assert out.splitlines() == [
        "knocker    T♥ T♦ T♣ | J♠ Q♠ K♠   loose A♦ A♣ 2♦ 3♥   deadwood 7",
        "lays off   T♠ 9♠ on J♠ Q♠ K♠",
        "defender   no melds   loose 2♥ 3♠ 4♥ 5♣ 6♦ 7♦ 8♣ Q♦   deadwood 45, 64 before layoffs",
        "",
        "knock: the knocker scores 38 points under standard rules",
    ]


@pytest.mark.parametrize(
    ("knocker", "defender", "rules", "said"),
    [
        (
            "3h4h5h9s9c9d4s3d2cAs",
            "4c5c6cQhQdQs4d3s2dAc",
            "standard",
            ["lays off   nothing\n", "undercut: the defender scores 25 points"],
        ),
        (
            "3h4h5h9s9c9d4s3d2cAs",
            "4c5c6cQhQdQs4d3s2dAc",
            "openspiel",
            ["knock: nobody scores under openspiel rules"],
        ),
        (
            "JhQhKh2s3s4s8d8c8h8s",
            "ThAc2c9d5h6dKsQc7c3d",
            "classic",
            [
                "nothing: these rules allow no layoffs after gin",
                "gin: the knocker scores 83 points",
            ],
        ),
        (
            "Ac2c3c4d5d6d7d8h9hThJh",
            "5cQhKd2h9s9d8cTsJdQc",
            "standard",
            ["big gin: the knocker scores"],
        ),
        (
            "5h6h7hKsKcKdAsAc2d3c",
            "2h3h4h9s9d8c7cTsJdQc",
            "oklahoma",
            ["no upcard is given (--upcard CARD), so deadwood up to 10 may knock and nothing is"],
        ),
        (
            "5h6h7hKsKcKdAsAc2d3c",
            "2h3h4h9s9d8c7cTsJdQc",
            "standard:undercut_bonus=3",
            ["defender   2♥ 3♥ 4♥", "under standard:undercut_bonus=3 rules"],
        ),
    ],
)
def test_how_knocks_end(works, knocker, defender, rules, said):
    out = works("layoff", "--knocker", knocker, "--defender", defender, "--rules", rules)
    assert all(part in out for part in said)


def test_layoff_as_json(works):
    arguments = ["--knocker", KNOCKER, "--defender", DEFENDER, "--upcard", "10♠"]
    found = json.loads(works("layoff", *arguments, "--rules", "oklahoma", "--json"))
    assert found.pop("rules") == PRESETS["oklahoma"].as_dict()
    assert found == {
        "kind": "settlement",
        "knocker": KNOCKER,
        "defender": DEFENDER,
        "upcard": "Ts",
        "outcome": "knock",
        "winner": "knocker",
        "knocker_points": 76,
        "defender_points": 0,
        "spread": [["Th", "Td", "Tc"], ["Js", "Qs", "Ks"]],
        "knocker_loose": ["Ad", "Ac", "2d", "3h"],
        "knocker_deadwood": 7,
        "layoffs": [["Ts", 1], ["9s", 1]],
        "defender_melds": [],
        "defender_loose": ["2h", "3s", "4h", "5c", "6d", "7d", "8c", "Qd"],
        "defender_deadwood": 45,
        "defender_deadwood_before_layoff": 64,
    }


def test_the_golden_knocks_as_a_file(works):
    path = DATA / "settle.csv"
    golden = read_csv(path.read_text())
    columns = (
        "knocker",
        "defender",
        "knocker_deadwood",
        "defender_deadwood_before_layoff",
        "outcome",
        "knocker_points",
        "defender_points",
    )
    found = read_csv(works("layoff", "--file", str(path)))
    assert [[row[name] for name in columns] for row in found] == [
        [row[name] for name in columns] for row in golden
    ]
    objects = json.loads(works("layoff", "--file", str(path), "--json"))
    assert [[str(row[name]) for name in columns] for row in objects] == [
        [row[name] for name in columns] for row in golden
    ]
    one = works(
        "layoff", "--knocker", golden[1]["knocker"], "--defender", golden[1]["defender"], "--json"
    )
    assert json.loads(one) == objects[1]


def test_a_column_of_upcards(works, table):
    path = table(
        f"defender,knocker,upcard\n{DEFENDER},{KNOCKER},8s\n"
        f"{DEFENDER},{KNOCKER},\n{DEFENDER},{KNOCKER},Kh\n"
    )
    arguments = ["layoff", "--file", path, "--rules", "oklahoma"]
    points = [row["knocker_points"] for row in read_csv(works(*arguments))]
    assert points == ["76", "38", "38"]
    points = [row["knocker_points"] for row in read_csv(works(*arguments, "--upcard", "Ks"))]
    assert points == ["76", "76", "38"]


def test_layoff_from_standard_input(works, typed):
    typed(f"knocker,defender\n{KNOCKER},{DEFENDER}\n".encode())
    (row,) = read_csv(works("layoff", "--file", "-"))
    assert (row["layoffs"], row["spread"]) == ("Ts9s", "ThTdTc|JsQsKs")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "--knocker and --defender are not given"),
        (["--knocker", KNOCKER], "--defender is not given"),
        (["--knocker", KNOCKER, "--file", "x.csv"], "hands and --file are both given"),
        (["--knocker", "As", "--defender", DEFENDER], "the knocker has 10 or 11 cards, and 1 is"),
        (["--knocker", KNOCKER, "--defender", "Ts9"], "'9' is not a card"),
        (["--knocker", KNOCKER, "--defender", "TsTs"], "T♠ is there twice"),
        (["--knocker", KNOCKER, "--defender", KNOCKER], "are in both hands"),
        (["--knocker", DEFENDER, "--defender", KNOCKER], "the knocker has deadwood 64"),
        (
            ["--knocker", KNOCKER, "--defender", DEFENDER, "--rules", "straight"],
            "the limit under straight rules is 0 (gin only)",
        ),
        (
            ["--knocker", KNOCKER, "--defender", DEFENDER, "--rules", "stndard"],
            "no rule set is called 'stndard'. Did you mean 'standard'?",
        ),
        (["--knocker", KNOCKER, "--defender", DEFENDER, "--upcard", "KsKh"], "names 2 cards"),
        (
            ["--knocker", KNOCKER, "--defender", DEFENDER, "--upcard", "5d", "--rules", "oklahoma"],
            "the limit under oklahoma rules with the upcard 5♦ is 5",
        ),
    ],
)
def test_layoff_refuses(fails, arguments, said):
    assert said in fails("layoff", *arguments)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "knocker\nAs\n",
            "no column named 'defender': its first line names 'knocker', and it has "
            "to name columns named 'knocker' and 'defender'",
        ),
        (f"knocker,defender\n{KNOCKER},{DEFENDER}\n{KNOCKER},{KNOCKER}\n", "line 3 of {}: "),
        (
            f"knocker,defender\n{KNOCKER},{DEFENDER}\n{DEFENDER},{KNOCKER}\n",
            "line 3 of {}: the knocker has deadwood 64",
        ),
        (f"knocker,defender\n{KNOCKER},\n", "line 2 of {}: the defender has 10 cards, and 0 are"),
        (f"knocker,defender,upcard\n{KNOCKER},{DEFENDER},1\n", "line 2 of {}: '1' is not a card"),
    ],
)
def test_files_of_knocks_that_cannot_be_used(fails, table, content, said):
    path = table(content)
    assert said.format(f"'{path}'") in fails("layoff", "--file", path)


def test_a_row_has_one_sentence_even_if_both_hands_are_bad(fails, table):
    lines = fails("layoff", "--file", table("knocker,defender\nAs,2s\n")).splitlines()
    assert len(lines) == 1
    assert "the knocker has 10 or 11 cards" in lines[0]


# ------------------------------------------------------------------------- help


@pytest.mark.parametrize("name", ["deadwood", "layoff"])
def test_help_has_an_example_and_fits_any_terminal(works, name):
    out = works(name, "--help")
    assert f"Example:\n    gin-sim {name} " in out
    assert out.isascii()
