"""The compile cache: whatever is found broken in it is compiled again, and nothing ends a run."""

from __future__ import annotations

import errno
import functools
import os
import pickle
import re
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numba
import pytest

import gin_sim
from gin_sim import engine
from gin_sim.engine import compile_cache, jit, sources
from gin_sim.errors import InputError
from gin_sim.report.terminal import note_cache

ROOT = Path(gin_sim.__file__).parent.parent

needs_jit = pytest.mark.skipif(jit.config.DISABLE_JIT, reason="without the JIT nothing is kept")


def _doubled(x):
    return 2 * x


def kernel(folder):
    """A new dispatcher of a tiny function, as a new process would have it."""
    return jit._njit(_doubled, folder)


def decision(folder):
    """A tiny C function, loaded or compiled."""
    return jit.c_function(_doubled, numba.int64(numba.int64), folder)


def loads(folder) -> int:
    """How often a new dispatcher finds what is kept; its answer is right either way."""
    made = kernel(folder)
    assert made(21) == 42
    return sum(made.for_python.stats.cache_hits.values())


def loads_linked(folder) -> int:
    """How often a new dispatcher finds what is kept for its callers."""
    made = kernel(folder)

    @numba.njit
    def caller(x):
        return made(x) + 1

    assert caller(21) == 43
    return sum(made.stats.cache_hits.values())


def loads_decision(folder) -> int:
    made = decision(folder)
    assert made.ctypes(21) == 42
    return made.cache_hits


def entries(folder) -> list[Path]:
    return sorted(folder.glob("*.nbc"))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "compiled"


@pytest.fixture(autouse=True)
def notices(monkeypatch):
    """No sentence has been said yet; those of the test are in the list."""
    found: list[str] = []
    monkeypatch.setattr(compile_cache, "_notices", found)
    monkeypatch.setattr(compile_cache, "_unsaid", [])
    return found


class Bomb:
    """Leaves a file behind where it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self):
        return Path.touch, (self.place,)


def sealed_for(place: Path, name: str, data: bytes) -> bytes:
    """A whole file's bytes that say they belong in another place."""
    other = place.with_name(name)
    compile_cache.write_sealed(other, [], data)
    text = other.read_bytes()
    other.unlink()
    return text


def changed_byte(text: bytes, at: int) -> bytes:
    return text[:at] + bytes([text[at] ^ 1]) + text[at + 1 :]


#: What may have become of a file, by name: from the whole bytes, its place and the bomb's file.
DAMAGES = {
    "emptied": lambda text, place, mark: b"",
    "cut after the seal": lambda text, place, mark: text[:10],
    "cut in the checksum": lambda text, place, mark: text[:30],
    "cut in the middle": lambda text, place, mark: text[: len(text) // 2],
    "cut at the end": lambda text, place, mark: text[:-1],
    "random": lambda text, place, mark: bytes(i * 7919 % 251 for i in range(len(text))),
    "a changed seal": lambda text, place, mark: changed_byte(text, 0),
    "a changed checksum": lambda text, place, mark: changed_byte(text, 20),
    "a changed header": lambda text, place, mark: changed_byte(text, 55),
    "a changed code": lambda text, place, mark: changed_byte(text, len(text) - 9),
    "a line more": lambda text, place, mark: text + b"\n",
    "zeros": lambda text, place, mark: bytes(len(text)),
    "a pickle": lambda text, place, mark: pickle.dumps(Bomb(mark)),
    "a pickle in an old seal": lambda text, place, mark: text[:49] + pickle.dumps(Bomb(mark)),
    "another's entry": lambda text, place, mark: sealed_for(
        place, "other.nbc", pickle.dumps(Bomb(mark))
    ),
}


@needs_jit
@pytest.mark.parametrize("load", [loads, loads_linked, loads_decision])
def test_what_is_whole_is_loaded_and_nothing_is_said(folder, load, notices):
    assert load(folder) == 0
    assert len(entries(folder)) == 1
    assert load(folder) == 1
    assert notices == []


@needs_jit
@pytest.mark.parametrize(
    "load", [loads, pytest.param(loads_linked, marks=pytest.mark.long), loads_decision]
)
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_entry_is_compiled_again_and_replaced(folder, load, damage, tmp_path, notices):
    load(folder)
    (place,) = entries(folder)
    mark = tmp_path / "ran"
    place.write_bytes(damage(place.read_bytes(), place, mark))
    assert load(folder) == 0
    assert not mark.exists()
    assert notices == [
        f"Some of the compiled engine kept in {folder} is damaged or was not written by you: it is "
        "compiled again."
    ]
    assert load(folder) == 1
    assert len(notices) == 1


RING = """
def even(n):
    return True if n == 0 else odd(n - 1)
def odd(n):
    return False if n == 0 else even(n - 1)
def down(n):
    return 0 if n == 0 else 1 + down(n - 1)
def asks(n):
    return even(n) and down(7) == 7
def asks_by_module(n):
    return beside.down(n)
def plain(n):
    return n + 1
"""


@needs_jit
@pytest.mark.parametrize(
    ("name", "is_kept"),
    [
        ("even", False),
        ("down", False),
        ("asks", False),
        ("asks_by_module", False),
        ("plain", True),
    ],
)
def test_what_meets_functions_that_call_themselves_is_not_kept(name, is_kept, folder):
    """Loaded by another process its code would miss some of theirs, and end that process."""
    names = {}
    exec(RING, names)
    for each in ("even", "odd", "down", "asks", "asks_by_module", "plain"):
        names[each] = jit.jit_user(names[each], folder)
    names["beside"] = ModuleType("beside")
    names["beside"].down = names["down"]
    assert names[name](4) == names[name].py_func(4)
    assert bool(entries(folder)) == is_kept


def as_folder(place):
    place.unlink()
    place.mkdir()
    (place / "more").touch()


def as_link(place):
    elsewhere = place.with_name("elsewhere")
    place.rename(elsewhere)
    place.symlink_to(elsewhere)


def as_pipe(place):
    place.unlink()
    os.mkfifo(place)


@needs_jit
@pytest.mark.parametrize("become", [as_folder, as_link, as_pipe])
def test_what_is_no_plain_file_is_replaced_by_one(folder, become):
    loads(folder)
    (place,) = entries(folder)
    become(place)
    assert loads(folder) == 0
    assert stat.S_ISREG(os.lstat(place).st_mode)
    assert loads(folder) == 1


@needs_jit
def test_whole_code_that_cannot_be_rebuilt_is_compiled_again(folder, monkeypatch, notices):
    loads(folder)

    def refuse(needs):
        raise KeyError("none of that name")

    monkeypatch.setattr(compile_cache, "before_load", refuse)
    assert loads(folder) == 0
    assert len(notices) == 1


@needs_jit
def test_an_entry_of_the_same_name_for_other_types_is_not_taken(folder, monkeypatch):
    """File names are short; what decides is the key inside."""
    monkeypatch.setattr(compile_cache.Entries, "_place", lambda self, key: folder / "one.nbc")
    assert kernel(folder)(21) == 42
    assert kernel(folder)(1.25) == 2.5
    assert kernel(folder)(21) == 42
    assert loads(folder) == 1


@needs_jit
def test_an_entry_names_what_it_needs_and_gets_it_before_it_is_rebuilt(folder, monkeypatch):
    got = []
    monkeypatch.setattr(compile_cache, "needs_of", lambda compiled: [compiled.fndesc.qualname])
    monkeypatch.setattr(compile_cache, "before_load", got.append)
    loads(folder)
    assert got == []
    assert loads(folder) == 1
    assert got == [["_doubled"]]


@needs_jit
def test_a_kernel_is_known_to_be_compiled_only_if_its_entries_are_whole(folder):
    assert not jit.is_compiled(kernel(folder))
    loads(folder)
    assert jit.is_compiled(kernel(folder))
    (place,) = entries(folder)
    place.write_bytes(place.read_bytes()[:-1])
    assert not jit.is_compiled(kernel(folder))
    assert not jit.is_compiled(kernel(None))


@needs_jit
def test_the_user_hears_of_it_once(folder, capsys):
    loads(folder)
    (place,) = entries(folder)
    place.write_bytes(b"")
    assert not jit.is_compiled(kernel(folder))
    assert note_cache()
    assert capsys.readouterr().err.startswith(f"Some of the compiled engine kept in {folder} is")
    assert not note_cache()
    assert "is damaged" in jit.cache_notice


# ------------------------------------------------------------ marks and locks


@pytest.mark.jitless
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_mark_is_none(folder, damage, tmp_path):
    compile_cache.set_mark(folder, "checked")
    assert compile_cache.has_mark(folder, "checked")
    place = folder / "checked"
    place.write_bytes(damage(place.read_bytes(), place, tmp_path / "ran"))
    assert not compile_cache.has_mark(folder, "checked")
    compile_cache.set_mark(folder, "checked")
    assert compile_cache.has_mark(folder, "checked")


@pytest.mark.jitless
def test_a_mark_copied_from_another_folder_is_none(folder, tmp_path):
    compile_cache.set_mark(folder, "checked")
    shutil.copytree(folder, tmp_path / "other")
    assert not compile_cache.has_mark(tmp_path / "other", "checked")
    assert not compile_cache.has_mark(None, "checked")


def lock_as_text(folder):
    (folder / "one.lock").write_bytes(b"\0\xff" * 99)


def lock_as_folder(folder):
    (folder / "one.lock").mkdir()


def lock_as_pipe(folder):
    os.mkfifo(folder / "one.lock")


def lock_as_link_to_nothing(folder):
    (folder / "one.lock").symlink_to(folder / "no" / "such")


@pytest.mark.jitless
@pytest.mark.parametrize(
    "become", [lock_as_text, lock_as_folder, lock_as_pipe, lock_as_link_to_nothing, shutil.rmtree]
)
def test_a_broken_lock_ends_nothing(folder, become):
    folder.mkdir()
    become(folder)
    ran = []
    for _ in range(2):
        with compile_cache.alone(folder, "one"):
            ran.append(True)
    assert ran == [True, True]


@pytest.mark.jitless
def test_one_process_waits_for_another(folder):
    """The lock that is held here cannot be had there."""
    folder.mkdir()
    program = (
        "import fcntl, sys\n"
        "try:\n"
        "    fcntl.flock(open(sys.argv[1], 'rb'), fcntl.LOCK_EX | fcntl.LOCK_NB)\n"
        "except BlockingIOError:\n"
        "    print('waits')\n"
    )
    command = [sys.executable, "-c", program, str(folder / "one.lock")]
    with compile_cache.alone(folder, "one"):
        held = subprocess.run(command, capture_output=True, text=True, check=True)
    free = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (held.stdout, free.stdout) == ("waits\n", "")


# ------------------------------------------------- what cannot be written


def refuse_to_write(monkeypatch, number: int) -> None:
    """Let every new file of the cache fail like a full or a read-only disk."""
    system_open = os.open

    def refuse(path, flags, mode=0o777, **options):
        if flags & os.O_CREAT:
            raise OSError(number, os.strerror(number), str(path))
        return system_open(path, flags, mode, **options)

    monkeypatch.setattr(compile_cache.os, "open", refuse)


@needs_jit
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_what_cannot_be_written_is_not_kept_and_ends_nothing(folder, monkeypatch, number, notices):
    folder.mkdir()
    refuse_to_write(monkeypatch, number)
    assert loads(folder) == 0
    assert loads_decision(folder) == 0
    compile_cache.set_mark(folder, "checked")
    with compile_cache.alone(folder, "one"):
        pass
    assert list(folder.iterdir()) == []
    assert notices == [
        f"The folder {folder} cannot be written ({os.strerror(number)}), so the compiled engine is "
        "not kept and every run compiles again; set GIN_SIM_CACHE_DIR to a folder that can be."
    ]


@needs_jit
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_what_cannot_be_written_is_read(folder, monkeypatch, number, notices):
    loads(folder)
    refuse_to_write(monkeypatch, number)
    monkeypatch.setattr(compile_cache.os, "access", lambda *asked: False)
    monkeypatch.setattr(compile_cache.os, "utime", lambda *asked: os.open("", os.O_CREAT))
    assert compile_cache.folder_for(folder.parent, folder.name) == folder
    assert jit.is_compiled(kernel(folder))
    assert loads(folder) == 1
    assert notices == []


@needs_jit
def test_a_disk_that_fills_while_a_file_is_written_leaves_no_part(folder, monkeypatch, notices):
    folder.mkdir()
    monkeypatch.setattr(
        compile_cache.os, "fsync", lambda file: (_ for _ in ()).throw(OSError(errno.ENOSPC, "full"))
    )
    assert loads(folder) == 0
    assert list(folder.iterdir()) == []
    assert "(full)" in notices[0]


@needs_jit
def test_a_folder_that_is_removed_meanwhile_ends_nothing(folder):
    made = kernel(folder)
    made(21)
    shutil.rmtree(folder)
    assert made(1.25) == 2.5
    assert not jit.is_compiled(kernel(folder.parent / "other"))
    shutil.rmtree(folder)
    assert loads(folder) == 0
    assert loads(folder) == 1


@needs_jit
def test_without_a_folder_everything_is_compiled(monkeypatch):
    assert loads(None) == 0
    assert loads_decision(None) == 0
    assert kernel(None).stats.cache_path is None
    with compile_cache.alone(None, "one"):
        pass
    compile_cache.set_mark(None, "checked")
    assert compile_cache.forget(None) is None


@pytest.mark.jitless
def test_a_folder_that_cannot_be_made_keeps_nothing(tmp_path, notices):
    (tmp_path / "home").write_text("in the way")
    assert compile_cache.folder_for(tmp_path / "home", "0" * 16) is None
    assert notices == [
        f"The folder {tmp_path / 'home'} cannot be written, so the compiled engine is not kept and "
        "every run compiles again; set GIN_SIM_CACHE_DIR to a folder that can be."
    ]


@pytest.mark.jitless
def test_what_is_made_can_be_read_by_all_and_written_by_one(tmp_path):
    """Whatever the user's umask is: what others could write to would be refused the next time."""
    before = os.umask(0)
    try:
        folder = compile_cache.folder_for(tmp_path / "home" / "compiled", "0" * 16)
        compile_cache.set_mark(folder, "checked")
        with compile_cache.alone(folder, "one"):
            pass
    finally:
        os.umask(before)
    made = [tmp_path / "home", folder.parent, folder]
    assert [stat.S_IMODE(place.stat().st_mode) for place in made] == [0o755] * 3
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o644}


@pytest.mark.jitless
def test_what_nobody_has_used_for_a_month_is_removed(tmp_path):
    old, kept, other = tmp_path / ("0" * 16), tmp_path / ("1" * 16), tmp_path / "notes"
    for folder in (old, kept, other):
        folder.mkdir()
        os.utime(folder, (1, 1))
    for name in (".old.part", ".new.part", "entry.nbc"):
        (kept / name).touch()
    for name in (".old.part", "entry.nbc"):
        os.utime(kept / name, (1, 1))
    compile_cache.folder_for(tmp_path, kept.name)
    assert {path.name for path in kept.iterdir()} == {".new.part", "entry.nbc"}
    assert not old.exists()
    assert kept.exists()
    assert other.exists()


# ------------------------------------------------------------- who may write


@pytest.fixture
def owned(monkeypatch):
    """Let folders and files have another owner, group or mode than they have, by their path."""
    real = {"stat": os.stat, "fstat": os.fstat}
    others: dict[str, dict] = {}

    def changed(status, path):
        fields = {name: getattr(status, name) for name in dir(status) if name.startswith("st_")}
        return SimpleNamespace(**{**fields, **others.get(str(path), {})})

    def look(path, **options):
        return changed(real["stat"](path, **options), path)

    def look_at_file(number):
        return changed(real["fstat"](number), os.readlink(f"/proc/self/fd/{number}"))

    monkeypatch.setattr(compile_cache.os, "stat", look)
    if Path("/proc/self/fd").exists():
        monkeypatch.setattr(compile_cache.os, "fstat", look_at_file)
    monkeypatch.setattr(compile_cache.os, "getuid", lambda: 4321)
    monkeypatch.setattr(compile_cache, "_is_private_group", lambda group: group == 4321)
    monkeypatch.setattr(compile_cache, "_unknown_owner", lambda: 65534)

    def set_owner(path, uid=4321, mode=0o40755, gid=100):
        others[os.path.realpath(path)] = {"st_uid": uid, "st_mode": mode, "st_gid": gid}

    return set_owner


BELONGS, BY_ALL, BY_GROUP = (
    "belongs to another user",
    "can be written by everybody",
    "can be written by a group of users",
)


@pytest.mark.jitless
@pytest.mark.parametrize(
    ("where", "status", "fault"),
    [
        ("folder", {}, ""),
        ("folder", {"uid": 0}, ""),
        ("folder", {"uid": 0, "mode": 0o40555}, ""),
        ("folder", {"mode": 0o40700}, ""),
        ("folder", {"uid": 1000}, BELONGS),
        ("folder", {"uid": 65534}, BELONGS),
        ("folder", {"mode": 0o40757}, BY_ALL),
        ("folder", {"mode": 0o41777}, BY_ALL),
        ("folder", {"mode": 0o40775}, BY_GROUP),
        ("folder", {"mode": 0o40775, "gid": 4321}, ""),
        ("folder", {"mode": 0o40777, "gid": 4321}, BY_ALL),
        ("above", {"uid": 0}, ""),
        ("above", {"uid": 0, "mode": 0o41777}, ""),
        ("above", {"uid": 65534}, ""),
        ("above", {"uid": 1000}, BELONGS),
        ("above", {"uid": 1000, "mode": 0o41777}, BELONGS),
        ("above", {"uid": 0, "mode": 0o40777}, BY_ALL),
        ("above", {"mode": 0o40775}, BY_GROUP),
        ("above", {"mode": 0o40775, "gid": 4321}, ""),
    ],
)
def test_a_folder_is_used_only_if_nobody_else_can_write_there(
    tmp_path, owned, notices, where, status, fault
):
    above = tmp_path / "above"
    folder = above / ("0" * 16)
    folder.mkdir(parents=True)
    for place in (folder, above):
        owned(place)
    owned({"folder": folder, "above": above}[where], **status)
    chosen = compile_cache.folder_for(above, folder.name)
    if not fault:
        assert (chosen, notices) == (folder, [])
        return
    assert chosen is None
    place = {"folder": folder, "above": above}[where]
    assert notices == [
        f"The compiled engine is not kept in {above}, since {place} {fault} and could hold another "
        "user's code, so every run compiles again: let nobody else write there (chmod go-w), or "
        "set GIN_SIM_CACHE_DIR to a folder that is yours alone."
    ]


@pytest.mark.jitless
def test_above_the_home_of_the_user_nothing_is_asked(tmp_path, owned, monkeypatch):
    """As OpenSSH does: who could change that could change the whole home."""
    folder = tmp_path / "home" / "cache"
    folder.mkdir(parents=True)
    for place in (folder, folder.parent):
        owned(place)
    owned(tmp_path, mode=0o40777)
    assert BY_ALL in compile_cache.refusal(folder)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert compile_cache.refusal(folder) == ""
    owned(folder.parent, mode=0o40777)
    assert BY_ALL in compile_cache.refusal(folder)


@pytest.mark.jitless
def test_a_link_is_judged_by_where_it_leads(tmp_path, owned):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    owned(tmp_path / "real", mode=0o40777)
    assert BY_ALL in compile_cache.refusal(tmp_path / "link")


@pytest.mark.jitless
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="an open file has no path here")
@pytest.mark.parametrize(
    ("status", "is_read"),
    [
        ({"uid": 0, "mode": 0o100644}, True),
        ({"mode": 0o100600}, True),
        ({"mode": 0o100664, "gid": 4321}, True),
        ({"uid": 1000, "mode": 0o100644}, False),
        ({"mode": 0o100666}, False),
        ({"mode": 0o100664}, False),
    ],
)
def test_a_file_that_another_could_have_written_is_not_read(folder, owned, status, is_read):
    compile_cache.write_sealed(folder / "one", ["needed"], b"data")
    owned(folder / "one", **status)
    found = compile_cache.read_sealed(folder / "one")
    assert found == ((["needed"], b"data") if is_read else None)


@pytest.mark.jitless
@pytest.mark.parametrize(
    ("user", "group", "is_private"),
    [
        (("me", 7), ("me", 7, []), True),
        (("me", 7), ("me", 7, ["me"]), True),
        (("me", 7), ("me", 7, ["me", "you"]), False),
        (("me", 7), ("users", 7, []), False),
        (("me", 7), ("me", 8, []), False),
    ],
)
def test_a_group_is_private_if_it_is_the_users_own(monkeypatch, user, group, is_private):
    import grp
    import pwd

    named = SimpleNamespace(pw_name=user[0], pw_gid=user[1])
    monkeypatch.setattr(pwd, "getpwuid", lambda uid: named)
    found = SimpleNamespace(gr_name=group[0], gr_mem=group[2])
    monkeypatch.setattr(grp, "getgrgid", lambda gid: found)
    assert compile_cache._is_private_group.__wrapped__(group[1]) == is_private


# -------------------------------------------------------------- the sources


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two modules: a kernel's, and one that it takes a number from."""
    home = tmp_path / "gin_sim"
    home.mkdir()
    (home / "numbers.py").write_text("FACTOR = 2\n")
    (home / "tiny.py").write_text(
        "from gin_sim.engine.jit import jit\nfrom gin_sim.numbers import FACTOR\n"
    )
    (home / "other.py").write_text("")
    monkeypatch.setattr(sources, "_PACKAGE", home)
    monkeypatch.setattr(sources, "_as_read", functools.cache(sources._as_read.__wrapped__))
    monkeypatch.setattr(sources, "_imported_before", set())
    monkeypatch.setattr(sources, "_found_as_read", set())
    time.sleep(0.02)  # a file's time of change is coarse
    monkeypatch.setattr(gin_sim, "_imported_at", time.time_ns())
    return home


def imports(monkeypatch, name):
    monkeypatch.setitem(sys.modules, f"gin_sim.{name}", SimpleNamespace())
    sources.note_import(f"gin_sim.{name}")


@pytest.mark.jitless
def test_sources_that_stay_as_they_are_can_be_used(package, monkeypatch):
    imports(monkeypatch, "numbers")
    assert sources.are_as_imported()
    imports(monkeypatch, "tiny")
    imports(monkeypatch, "other")
    assert sources.are_as_imported()
    (package / "other.py").write_text("no kernel reads this")
    (package / "tiny.py").write_text("changed after it was imported")
    assert sources.are_as_imported()


@pytest.mark.jitless
def test_a_source_changed_before_its_import_cannot_be_used(package, monkeypatch):
    assert sources.are_as_imported()
    (package / "numbers.py").write_text("FACTOR = 3\n")
    assert sources.are_as_imported()  # nothing of it has been imported
    imports(monkeypatch, "numbers")
    assert not sources.are_as_imported()


@pytest.mark.jitless
def test_a_source_changed_between_its_import_and_the_reading_cannot_be_used(package, monkeypatch):
    imports(monkeypatch, "numbers")
    time.sleep(0.02)
    (package / "numbers.py").write_text("FACTOR = 3\n")
    assert not sources.are_as_imported()


@pytest.mark.jitless
def test_sources_installed_by_a_clock_that_was_wrong_can_be_used(package, monkeypatch):
    imports(monkeypatch, "numbers")
    real = sources._stamp
    later = 10 * 365 * 86400 * 10**9
    monkeypatch.setattr(sources, "_stamp", lambda s: (real(s)[0] + later, *real(s)[1:]))
    assert sources.are_as_imported()


@pytest.mark.jitless
def test_a_source_imported_again_is_looked_at_again(package, monkeypatch):
    imports(monkeypatch, "tiny")
    assert sources.are_as_imported()
    (package / "tiny.py").write_text("changed, and loaded again in a notebook")
    imports(monkeypatch, "tiny")
    assert not sources.are_as_imported()


@pytest.mark.jitless
@pytest.mark.parametrize("become", [Path.unlink, lambda path: os.utime(path, (1, 1))])
def test_a_source_that_is_gone_or_another_cannot_be_used(package, monkeypatch, become):
    assert sources.are_as_imported()
    become(package / "tiny.py")
    imports(monkeypatch, "tiny")
    assert not sources.are_as_imported()


@pytest.mark.jitless
def test_a_package_without_sources_cannot_be_used(package):
    for source in package.iterdir():
        source.unlink()
    assert not sources.are_as_imported()


@needs_jit
def test_other_code_than_the_hashed_is_neither_kept_nor_loaded(folder, monkeypatch, notices):
    loads(folder)
    monkeypatch.setattr(sources, "are_as_imported", lambda: False)
    (place,) = entries(folder)
    assert not jit.is_compiled(kernel(folder))
    assert loads(folder) == 0
    place.unlink()
    assert loads(folder) == 0
    assert entries(folder) == []
    assert notices == [
        "The package's files were changed while they were being loaded, so the compiled engine is "
        "not kept: start again."
    ]


TINY = """
from gin_sim.engine.jit import jit
FACTOR = 2
@jit
def scaled(x):
    return FACTOR * x
"""

RUN_TINY = """
import sys
import time
from pathlib import Path
import gin_sim.engine.jit
if len(sys.argv) > 1:
    tiny = Path(gin_sim.engine.jit.__file__).with_name("tiny.py")
    tiny.write_text(tiny.read_text().replace("FACTOR = 2", "FACTOR = 3"))
from gin_sim.engine.tiny import scaled
tripled = scaled(7)
hits = sum(scaled.for_python.stats.cache_hits.values())
print(tripled, hits, bool(gin_sim.engine.jit.cache_notice))
"""


@pytest.mark.long
@needs_jit
def test_a_source_changed_during_the_start_leaves_no_stale_code(tmp_path):
    """The kernel's own code is the same in all runs: only the hash of the sources tells."""
    home = tmp_path / "gin_sim"
    shutil.copytree(ROOT / "gin_sim", home, ignore=shutil.ignore_patterns("__pycache__"))
    (home / "engine" / "tiny.py").write_text(TINY)
    kept = {"PYTHONPATH": str(tmp_path), "GIN_SIM_CACHE_DIR": str(tmp_path / "cache")}

    def run(*arguments):
        command = [sys.executable, "-c", RUN_TINY, *arguments]
        environment = {**os.environ, **kept}
        return subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout

    assert run("change") == "21 0 True\n"
    (home / "engine" / "tiny.py").write_text(TINY)
    assert run() == "14 0 False\n"
    assert run() == "14 1 False\n"


# -------------------------------------------------------- Numba's environment


@pytest.mark.jitless
@pytest.mark.parametrize("given", ["0", "-2", "two", "1.5", ""])
def test_a_number_of_threads_that_numba_refuses_is_refused_in_a_sentence(monkeypatch, given):
    monkeypatch.setenv("NUMBA_NUM_THREADS", given)
    with pytest.raises(InputError) as error:
        engine._check_threads()
    assert str(error.value) == (
        f"the environment variable NUMBA_NUM_THREADS is '{given}': give it a whole number of at "
        "least 1, or unset it to use every core."
    )


@pytest.mark.jitless
def test_a_number_of_threads_is_taken(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    engine._check_threads()
    monkeypatch.delenv("NUMBA_NUM_THREADS")
    engine._check_threads()


@pytest.mark.jitless
@pytest.mark.parametrize(
    "command",
    [
        ["-m", "gin_sim", "simulate", "greedy", "simple"],
        ["-m", "gin_sim", "deadwood", "AS"],
    ],
    ids=lambda words: words[2],
)
def test_the_command_line_refuses_no_threads_before_numba_does(command):
    environment = {**os.environ, "NUMBA_NUM_THREADS": "0", "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("Error: the environment variable NUMBA_NUM_THREADS is '0': ")
    assert ran.stderr.count("\n") == 1


@pytest.mark.jitless
def test_numba_is_imported_only_where_its_environment_was_looked_at():
    """The packages engine and policies look; what another room imports comes after them."""
    package = ROOT / "gin_sim"
    rooms = {
        source.relative_to(package).parts[0]
        for source in package.rglob("*.py")
        if re.search(r"^(import|from) numba", source.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert rooms == {"engine", "policies"}
