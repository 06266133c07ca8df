"""Hand records as files: what is read, what is refused and in which words, how they are written."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import msgspec
import pytest

from gin_sim.atomic import WriteError
from gin_sim.records import (
    FORMAT,
    End,
    HandRecord,
    RecordError,
    Turn,
    check_output,
    read_records,
    write_records,
)

DATA = Path(__file__).parents[1] / "data"
HAND_FILES = sorted(DATA.glob("hands-*.jsonl"))
LINES = (DATA / "hands-standard.jsonl").read_bytes().splitlines(keepends=True)

pytestmark = pytest.mark.jitless


def read(path):
    return [record for _, record in read_records(path)]


def test_the_golden_files_are_found():
    assert len(HAND_FILES) == 4


# ------------------------------------------------------------------- reading


@pytest.mark.parametrize("path", HAND_FILES, ids=lambda path: path.stem)
def test_every_recorded_hand_is_read_as_json_has_it(path):
    for (line, record), text in zip(read_records(path), path.read_text().splitlines(), strict=True):
        told = json.loads(text)
        del told["peer"]
        assert json.loads(msgspec.json.encode(record))["turns"] == told["turns"]
        assert list(map(list, record.deal)) == told["deal"]
        assert record.stock == told["stock"]
        assert list(record.end.points) == told["end"]["points"]
        assert line >= 1


def test_lines_are_counted_with_the_blank_ones(tmp_path):
    path = tmp_path / "hands.jsonl"
    path.write_bytes(LINES[0] + b"\n  \n" + LINES[1])
    assert [line for line, _ in read_records(path)] == [1, 4]


@pytest.mark.parametrize(
    "text",
    [
        b"\xef\xbb\xbf" + LINES[0] + LINES[1],
        (LINES[0] + LINES[1]).replace(b"\n", b"\r\n"),
        (LINES[0] + LINES[1]).rstrip(),
    ],
    ids=["byte order mark", "Windows line ends", "no last line end"],
)
def test_harmless_differences_between_editors_are_read_over(tmp_path, text):
    path = tmp_path / "hands.jsonl"
    path.write_bytes(text)
    assert len(read(path)) == 2


def test_standard_input_is_a_dash(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LINES[0] + b"{\n")))
    records = read_records("-")
    assert next(records)[0] == 1
    with pytest.raises(RecordError, match=r"^standard input, line 2: the record is cut off"):
        next(records)


def test_the_end_and_its_fields_may_be_missing(tmp_path):
    path = tmp_path / "hands.jsonl"
    open_end, bare_end = json.loads(LINES[0]), json.loads(LINES[0])
    del open_end["end"]
    bare_end["end"] = {}
    path.write_text(json.dumps(open_end) + "\n" + json.dumps(bare_end))
    assert [record.end for record in read(path)] == [None, End()]


# --------------------------------------------------------------- bad records


def spoilt(change):
    """The second record of the file with a change made, as a line."""
    record = json.loads(LINES[1])
    change(record)
    return json.dumps(record).encode() + b"\n"


def put(value, *path):
    def change(record):
        place = record
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


def without(field):
    return lambda record: record.pop(field)


BAD_LINES = {
    "no JSON": (b"hello\n", "it is not JSON (invalid character (byte 0))."),
    "two records in a line": (LINES[1].strip() + LINES[1], "it is not JSON"),
    "one line of a printed object": (b"{\n", "the record is cut off: the line ends inside it."),
    "cut off": (LINES[1][:700], "the record is cut off: the file ends inside it."),
    "cut off inside a text": (LINES[1][:1], "the record is cut off: the file ends inside it."),
    "not UTF-8": (LINES[1].replace(b"heuristic", b"h\xe9uristic"), "it is not UTF-8 text."),
    "UTF-16": ("{}\n".encode("utf-16"), "it is not UTF-8 text."),
    "nested too deeply": (b'{"x": ' + b"[" * 100_000, "nested too deeply"),
    "a list": (b"[1, 2]\n", "the record is a list where an object is expected."),
    "another format": (
        spoilt(put("gin-sim/hand-record/2", "format")),
        "its format is 'gin-sim/hand-record/2', and this reads 'gin-sim/hand-record/1'.",
    ),
    "no format": (spoilt(without("format")), "the record has no 'format'."),
    "no stock": (spoilt(without("stock")), "the record has no 'stock'."),
    "no player in a turn": (
        spoilt(lambda record: record["turns"][3].pop("player")),
        "turn 4 has no 'player'.",
    ),
    "rules that are none": (
        spoilt(put("standart", "rules")),
        "the rules: no rule set is called 'standart'. Did you mean 'standard'?",
    ),
    "a rule out of range": (
        spoilt(put("standard:knock_limit=200", "rules")),
        "the rules: the rule knock_limit is 200",
    ),
    "a number as card": (
        spoilt(put(7, "turns", 3, "card")),
        "turn 4's card is a whole number where text or null is expected.",
    ),
    "a card that is none": (
        spoilt(put("1d", "turns", 3, "card")),
        "turn 4's card is '1d', which is not a card: a card is like Td, rank then suit.",
    ),
    "a card in other letters": (
        spoilt(put("10D", "stock", 0)),
        "stock[0] is '10D': a record writes that card Td.",
    ),
    "a card twice": (
        spoilt(put(json.loads(LINES[1])["upcard"], "deal", 0, 0)),
        "2c is dealt twice: hands, upcard and stock are 52 different cards.",
    ),
    "nine cards": (
        spoilt(lambda record: record["deal"][1].pop()),
        "seat 1 is dealt 9 cards, not 10.",
    ),
    "a short stock": (
        spoilt(lambda record: record["stock"].pop()),
        "the stock has 30 cards, not 31.",
    ),
    "three hands": (
        spoilt(lambda record: record["deal"].append([])),
        "deal is a list whose length is not 2.",
    ),
    "one player": (
        spoilt(put(["greedy"], "players")),
        "players is a list whose length is not 2.",
    ),
    "a dealer without a seat": (spoilt(put(2, "dealer")), "dealer is 2: it can be 0 or 1."),
    "an unknown draw": (
        spoilt(put("pile", "turns", 0, "draw")),
        "turn 1's draw is 'pile': it can be pass, upcard or stock.",
    ),
    "an unknown kind": (
        spoilt(put("gin rummy", "end", "kind")),
        "end.kind is 'gin rummy': it can be wash, knock, undercut, gin or big_gin.",
    ),
    "a knock that is no flag": (
        spoilt(put(1, "turns", 0, "knock")),
        "turn 1's knock is a whole number where true or false is expected.",
    ),
    "half a point": (
        spoilt(put([12.5, 0], "end", "points")),
        "end.points[0] is a number with decimals where a whole number is expected.",
    ),
    "turns that are no list": (
        spoilt(put({}, "turns")),
        "turns is an object where a list is expected.",
    ),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_line_that_is_not_a_hand_record_is_named(tmp_path, name):
    line, reason = BAD_LINES[name]
    path = tmp_path / "hands.jsonl"
    path.write_bytes(LINES[0] + line)
    records = read_records(path)
    assert next(records)[0] == 1
    with pytest.raises(RecordError) as caught:
        next(records)
    sentence = str(caught.value)
    assert sentence.startswith(f"{path}, line 2: ")
    assert reason in sentence
    assert sentence.endswith(".")
    assert "`" not in sentence.replace("`gin-sim rules", "").replace("standard` lists", "")
    assert "\n" not in sentence


@pytest.mark.parametrize("text", [b"", b"\n \n"], ids=["nothing", "blank lines"])
def test_a_file_without_a_record_is_refused(tmp_path, text):
    path = tmp_path / "hands.jsonl"
    path.write_bytes(text)
    with pytest.raises(RecordError, match="is empty: a hand record is one JSON object a line"):
        read(path)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(RecordError, match=r"there is no file '.*none\.jsonl'"):
        read(tmp_path / "none.jsonl")
    with pytest.raises(RecordError, match="is a folder, not a file of hand records"):
        read(tmp_path)


# ------------------------------------------------------------------- writing


def test_a_record_is_written_with_its_keys_in_order():
    record = HandRecord(
        format=FORMAT,
        rules="standard",
        seed=7,
        deal_index=12,
        leg=0,
        players=("greedy", "simple"),
        dealer=0,
        deal=(["As"], ["2s"]),
        upcard="9d",
        stock=["2c"],
        turns=[
            Turn(player=1, draw="pass"),
            Turn(player=0, draw="upcard", card="9d", discard="Kh"),
            Turn(player=1, draw="stock", card="2c", discard="Qs", knock=True),
            Turn(player=1, draw="stock", card="2c", big_gin=True),
        ],
        end=End("knock", 0, [["7s", "7h", "7d"]], ["2c"], [], [("7c", 0)], ["3d"], (14, 0)),
    )
    assert msgspec.json.encode(record).decode() == (
        '{"format":"gin-sim/hand-record/1","rules":"standard","seed":7,"deal_index":12,"leg":0,'
        '"players":["greedy","simple"],"dealer":0,"deal":[["As"],["2s"]],"upcard":"9d",'
        '"stock":["2c"],"turns":[{"player":1,"draw":"pass"},'
        '{"player":0,"draw":"upcard","card":"9d","discard":"Kh"},'
        '{"player":1,"draw":"stock","card":"2c","discard":"Qs","knock":true},'
        '{"player":1,"draw":"stock","card":"2c","big_gin":true}],'
        '"end":{"kind":"knock","knocker":0,"knocker_melds":[["7s","7h","7d"]],'
        '"knocker_deadwood":["2c"],"defender_melds":[],"layoffs":[["7c",0]],'
        '"defender_deadwood":["3d"],"points":[14,0]}}'
    )


@pytest.mark.parametrize("path", HAND_FILES, ids=lambda path: path.stem)
def test_what_is_written_is_read_and_written_the_same(tmp_path, path):
    once, twice = tmp_path / "once", tmp_path / "twice"
    records = read(path)
    assert write_records(once, records) == len(records)
    assert read(once) == records
    write_records(twice, read(once))
    assert once.read_bytes() == twice.read_bytes()
    assert once.read_bytes().count(b"\n") == len(records)


def test_a_file_can_be_rewritten_from_itself(tmp_path):
    path = tmp_path / "hands.jsonl"
    path.write_bytes(LINES[0] + LINES[1])
    before = read(path)
    write_records(path, (record for _, record in read_records(path)))
    assert read(path) == before


@pytest.mark.parametrize("error", [RecordError("bad"), KeyboardInterrupt(), OSError("gone")])
def test_an_error_on_the_way_leaves_nothing_behind(tmp_path, error):
    def records():
        yield from read(HAND_FILES[0])[:50]
        raise error

    path = tmp_path / "hands.jsonl"
    with pytest.raises(type(error)):
        write_records(path, records())
    assert list(tmp_path.iterdir()) == []

    path.write_text("kept")
    with pytest.raises(type(error)):
        write_records(path, records())
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none/hands.jsonl", r"there is no folder '.*none' to write 'hands\.jsonl' to"),
        ("file/hands.jsonl", "there is no folder '.*file' to write"),
        (".", "is a folder: name a file to write to"),
    ],
)
def test_a_place_that_cannot_be_written_is_refused_before_any_work(tmp_path, name, reason):
    (tmp_path / "file").touch()

    def records():
        raise AssertionError("work has started")
        yield

    with pytest.raises(WriteError, match=reason):
        check_output(tmp_path / name)
    with pytest.raises(WriteError, match=reason):
        write_records(tmp_path / name, records())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_standard_output_is_a_dash_and_gets_all_or_nothing(capsysbinary):
    records = read(HAND_FILES[0])[:3]

    def broken():
        yield from records
        raise RecordError("bad")

    check_output("-")
    with pytest.raises(RecordError):
        write_records("-", broken())
    assert capsysbinary.readouterr().out == b""
    write_records("-", records)
    assert capsysbinary.readouterr().out.count(b"\n") == 3


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="needs a device file")
def test_a_device_is_written_to_and_not_replaced():
    write_records("/dev/null", read(HAND_FILES[0])[:3])
    assert Path("/dev/null").is_char_device()
