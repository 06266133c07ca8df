"""The one writer of files: whole or not at all, and a sentence where a file cannot be written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gin_sim import atomic
from gin_sim.atomic import WriteError, move_all, staging, write_bytes, write_lines, write_text

pytestmark = pytest.mark.jitless


def test_a_file_is_written_or_replaced(tmp_path):
    path = tmp_path / "new.txt"
    write_text(path, "♠\n")
    assert path.read_bytes() == "♠\n".encode()
    write_bytes(str(path), b"\0")
    assert path.read_bytes() == b"\0"
    assert write_lines(path, (b"%d" % i for i in range(3))) == 3
    assert path.read_bytes() == b"012"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_on_the_way_leaves_what_was_there(tmp_path):
    path = tmp_path / "kept.txt"
    path.write_text("kept")

    def lines():
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(path, lines())
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


def test_the_text_reaches_the_disk_before_it_takes_its_place(tmp_path, monkeypatch):
    path, done = tmp_path / "new.txt", []
    fsync, replace = os.fsync, os.replace
    monkeypatch.setattr(atomic.os, "fsync", lambda file: (done.append("disk"), fsync(file)))
    monkeypatch.setattr(atomic.os, "replace", lambda *two: (done.append("place"), replace(*two)))
    write_text(path, "text")
    assert done == ["disk", "place"]


def test_a_link_is_followed_and_stays(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_what_the_system_refuses_is_a_sentence(tmp_path, monkeypatch):
    def replace(*two):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic.os, "replace", replace)
    with pytest.raises(
        WriteError, match=r"new' cannot be written: No space left on device\.$"
    ) as no:
        write_text(tmp_path / "new", "text")
    assert no.value.reason == "No space left on device"
    assert not list(tmp_path.iterdir())


def test_files_move_to_their_places_together(tmp_path):
    folder = tmp_path / "out"
    with staging(folder) as hidden:
        for name in ("a", "b"):
            (hidden / name).write_text(name)
        assert [path.name for path in folder.iterdir()] == [hidden.name]
        move_all(["a", "b"], hidden, folder)
    assert sorted(path.name for path in folder.iterdir()) == ["a", "b"]


def test_a_folder_made_for_nothing_is_removed(tmp_path):
    folder = tmp_path / "new"
    with pytest.raises(ValueError, match="nothing"), staging(folder):
        raise ValueError("nothing")
    assert not folder.exists()
    with pytest.raises(ValueError, match="nothing"), staging(tmp_path):
        raise ValueError("nothing")
    assert Path(tmp_path).is_dir()
