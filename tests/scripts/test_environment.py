"""The set-up code behind scripts/run.py and scripts/test.py, without making an environment.

Environments here are folders with just the files that the code looks at. Real set-ups (no network,
interruptions, an environment whose Python went away) are tried by hand and by .ci/run.
"""

import ast
import importlib.util
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
ENTRY_SCRIPTS = ("run.py", "test.py")
SETUP_FILES = (*ENTRY_SCRIPTS, "_environment.py")


def load(name):
    spec = importlib.util.spec_from_file_location(f"scripts_{name}", SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


environment = load("_environment")


@pytest.fixture
def project(tmp_path):
    """A folder with the files that an environment is made from."""
    root = tmp_path / "project"
    (root / "scripts").mkdir(parents=True)
    for name in ("pyproject.toml", "constraints.txt", "scripts/_environment.py"):
        (root / name).write_text(name)
    return root


@pytest.fixture
def venv(project):
    """What a finished set-up leaves behind, as far as the code looks."""
    folder = project / ".venv"
    for program in ("python", "gin-sim"):
        path = Path(environment.program_path(str(folder), program))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    version = ".".join(str(part) for part in sys.version_info[:3])
    (folder / "pyvenv.cfg").write_text(f"home = somewhere\nversion = {version}\n")
    made_from = environment.fingerprint(str(folder), str(project))
    environment.write_stamp(str(folder), ["parquet"], made_from)
    return folder


def is_ready(venv, extras=("parquet",), program="gin-sim"):
    return environment.is_ready(str(venv), extras, program, root=str(venv.parent))


# The scripts themselves


@pytest.mark.parametrize("name", SETUP_FILES)
def test_script_parses_on_an_old_python(name):
    ast.parse((SCRIPTS / name).read_text(encoding="utf-8"), feature_version=(3, 6))


@pytest.mark.parametrize("name", SETUP_FILES)
def test_script_imports_the_standard_library_only(name):
    imported = set()
    for node in ast.walk(ast.parse((SCRIPTS / name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module.partition(".")[0])
    assert imported <= sys.stdlib_module_names | {"_environment"}


@pytest.fixture
def run_and_started(monkeypatch):
    """The script, and what it starts: command, extras and the sentence after a set-up."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    run = load("run")
    started = []
    monkeypatch.setattr(
        run._environment,
        "start",
        lambda command, extras, after_setup: started.append((command, extras, after_setup)) or 7,
    )
    return run, started


def test_run_passes_arguments_and_falls_back_on_the_main_job(run_and_started, capsys):
    run, started = run_and_started
    assert run.main(["deadwood", "AS 2S"]) == 7
    assert run.main([]) == 7
    assert run.main(["warm"]) == 7
    assert [command for command, *_ in started] == [
        ["gin-sim", "deadwood", "AS 2S"],
        ["gin-sim", *run.MAIN_JOB],
        ["gin-sim", "warm"],
    ]
    hints = [hint for *_, hint in started]
    assert hints == [run.COMPILES, run.COMPILES, ""]
    assert run.COMPILES.endswith("python3 scripts/run.py warm")
    assert capsys.readouterr().out == ""


def test_run_adds_an_extra_that_is_asked_for(run_and_started, capsys):
    run, started = run_and_started
    assert run.main(["rules", "list"]) == 7
    assert run.main(["--with", "parquet", "rules", "list"]) == 7
    assert run.main(["--with", "parquet"]) == 7
    assert [(command, extras) for command, extras, _ in started] == [
        (["gin-sim", "rules", "list"], []),
        (["gin-sim", "rules", "list"], ["parquet"]),
        (["gin-sim", "--version"], ["parquet"]),
    ]
    assert capsys.readouterr().err == ""
    for wrong in (["--with"], ["--with", "pyarrow"]):
        assert run.main(wrong) == 2
        assert capsys.readouterr().err == "--with needs one of: parquet.\n"
    assert len(started) == 3


def test_tests_run_on_all_cores_and_quick_leaves_out_the_long_ones(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    test = load("test")
    started = []
    monkeypatch.setattr(
        test._environment, "start", lambda command, extras, folder: started.append(command[3:]) or 7
    )
    spread = ["-n", "auto", "--dist", "worksteal"]
    for arguments, expected in (
        ([], spread),
        (["-m", "slow"], [*spread, "-m", "slow"]),
        (["--quick"], [*spread, "-m", "not slow and not long"]),
        (["tests/stats", "--quick", "-n0"], ["-m", "not slow and not long", "tests/stats", "-n0"]),
    ):
        assert test.main(arguments) == 7
        assert started.pop() == expected


def test_extras_of_the_scripts_are_those_of_the_package(monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    pyproject = (SCRIPTS.parent / "pyproject.toml").read_text(encoding="utf-8")
    extras = tomllib.loads(pyproject)["project"]["optional-dependencies"]
    assert {*load("run").EXTRAS, *load("test").EXTRAS} <= set(extras)


# What this machine offers


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 12, 4), (3, 13, 9)])
def test_supported_python_is_accepted(version):
    environment.check_python(version)


@pytest.mark.parametrize("version", [(3, 6, 15), (3, 10, 13), (3, 14, 0)])
def test_other_python_gets_a_sentence(version):
    with pytest.raises(environment.SetupError) as error:
        environment.check_python(version)
    assert "needs Python 3.11 to 3.13" in str(error.value)
    assert "this is Python {}.{}.{}".format(*version) in str(error.value)
    assert error.value.exit_code == 2


def test_python_limits_are_those_of_the_package():
    pyproject = (SCRIPTS.parent / "pyproject.toml").read_text(encoding="utf-8")
    major, minor = environment.NEWEST_PYTHON
    oldest = "{}.{}".format(*environment.OLDEST_PYTHON)
    assert f'requires-python = ">={oldest},<{major}.{minor + 1}"' in pyproject


def test_missing_ensurepip_names_debians_package():
    with pytest.raises(environment.SetupError) as error:
        environment.check_can_make_environments(lambda name: name != "ensurepip", is_debian=True)
    assert "its module ensurepip is missing" in str(error.value)
    package = "python{}.{}-venv".format(*sys.version_info[:2])
    assert f"apt install {package}" in str(error.value)
    assert error.value.exit_code == 2


def test_missing_ensurepip_elsewhere_names_no_command():
    with pytest.raises(environment.SetupError) as error:
        environment.check_can_make_environments(lambda name: False, is_debian=False)
    assert "venv and ensurepip is missing" in str(error.value)
    assert "apt install" not in str(error.value)


# Whether the environment can be used as it is


def test_finished_environment_is_ready(venv):
    assert is_ready(venv)
    assert is_ready(venv, extras=())


def test_further_extra_needs_a_set_up(venv):
    assert not is_ready(venv, extras=("parquet", "test"))


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt", "scripts/_environment.py"])
def test_changed_source_needs_a_set_up(venv, name):
    (venv.parent / name).write_text("changed")
    assert not is_ready(venv)
    assert environment.is_reusable(str(venv))  # pip brings it up to date


def test_moved_project_needs_a_set_up(venv):
    moved = venv.parent.with_name("moved")
    venv.parent.rename(moved)
    assert not is_ready(moved / ".venv")


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"fingerprint": 1, "extras": 2}'])
def test_damaged_stamp_needs_a_set_up(venv, text):
    (venv / environment.STAMP).write_text(text)
    assert not is_ready(venv)


def test_unfinished_set_up_is_made_anew(venv):
    (venv / environment.UNFINISHED).touch()
    assert not is_ready(venv)
    assert not environment.is_reusable(str(venv))


def test_environment_without_its_python_is_made_anew(venv):
    Path(environment.program_path(str(venv), "python")).unlink()
    assert not environment.is_reusable(str(venv))


@pytest.mark.parametrize("text", ["version = 3.9.1\n", "version_info = 3.10.2\n", "home = x\n"])
def test_environment_of_another_python_is_made_anew(venv, text):
    (venv / "pyvenv.cfg").write_text(text)
    assert not is_ready(venv)
    assert not environment.is_reusable(str(venv))


def test_environment_without_the_program_needs_a_set_up(venv):
    Path(environment.program_path(str(venv), "gin-sim")).unlink()
    assert not is_ready(venv)


# Where it is


def test_folder_is_in_the_project_unless_named(tmp_path):
    default = os.path.join(environment.ROOT, ".venv")
    assert environment.venv_folder({}) == default
    assert environment.venv_folder({"GIN_SIM_VENV": ""}) == default
    assert environment.venv_folder({"GIN_SIM_VENV": str(tmp_path)}) == str(tmp_path)


def test_folder_with_other_things_is_never_replaced(tmp_path):
    environment.check_may_replace(str(tmp_path / "new"))
    environment.check_may_replace(str(tmp_path))
    (tmp_path / "thesis.txt").touch()
    for taken in (tmp_path, tmp_path / "thesis.txt"):
        with pytest.raises(environment.SetupError, match="is not a virtual environment"):
            environment.check_may_replace(str(taken))


# What the tools and the program are given


def test_variables_that_mislead_python_or_pip_are_dropped():
    given = {
        "PATH": "p",
        "PYTHONPATH": "x",
        "PYTHONHOME": "x",
        "VIRTUAL_ENV": "x",
        "PYTHONWARNINGS": "error",
        "PIP_USER": "1",
        "PIP_TARGET": "x",
        "PIP_PROXY": "kept",
    }
    assert set(environment.program_environment(given)) == {
        "PATH", "PYTHONWARNINGS", "PIP_USER", "PIP_TARGET", "PIP_PROXY",
    }  # fmt: skip
    assert set(environment.setup_environment(given)) == {"PATH", "PIP_PROXY", "PIP_RETRIES"}
    assert environment.setup_environment({"PIP_RETRIES": "9"}) == {"PIP_RETRIES": "9"}


def test_failed_tool_is_reported_with_its_last_lines():
    command = [sys.executable, "-c", "print('no route to host'); raise SystemExit(3)"]
    with pytest.raises(environment.SetupError) as error:
        environment.run_tool(command, "pip could not install")
    assert "pip could not install (exit code 3)" in str(error.value)
    assert "  no route to host" in str(error.value)
    assert error.value.exit_code == 1


def test_failure_of_the_network_is_named_once():
    output = "Retrying (2): no route\nRetrying (1): no route\nERROR: no matching version\n"
    assert environment.last_lines(output) == (
        "Its last lines:\n  Retrying (1): no route\n  ERROR: no matching version\n"
        "pip did not reach the network: check the connection, or name a proxy in PIP_PROXY, and"
        " start again."
    )


@pytest.mark.skipif(os.name == "nt", reason="POSIX process groups")
def test_stop_ends_what_the_tool_started_too():
    code = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    environment.stop(process)
    assert process.returncode is not None
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_second_set_up_waits_for_the_first(tmp_path):
    path = tmp_path / "venv.lock"
    with environment.locked(str(path)), path.open("a") as other:
        assert not environment.try_lock(other)
    with path.open("a") as other:
        assert environment.try_lock(other)


def test_exit_code_is_the_programs(tmp_path):
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import _environment as e\n"
        "e.prepare = lambda *a, **k: None\n"
        "e.program_path = lambda venv, program: sys.executable\n"
        "sys.exit(e.start(['python', '-c', 'import sys; sys.exit(41)'], extras=[]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(SCRIPTS)], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (41, b"")
