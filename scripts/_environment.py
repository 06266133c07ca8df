"""Prepares the project's own virtual environment, then becomes the program that was asked for.

Shared by `run.py` and `test.py`, so that `python3 scripts/run.py` is all a new user needs to know.
It decides whether the environment can be used as it is, and makes or repairs it if not. It knows
nothing about gin rummy, uses the standard library only, writes to standard error only (standard
output belongs to the program), and must parse on Python 3.6, to say that 3.6 is too old.

Two files in the environment hold its state. The stamp is a hash of everything the environment
was made from, written last; a start that finds the right one goes straight to the program.
The other marks a set-up that began and has not ended: pip killed half-way can leave a package that
looks installed, so such an environment is made anew.
"""

import contextlib
import hashlib
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OLDEST_PYTHON = (3, 11)
NEWEST_PYTHON = (3, 13)
STAMP = "gin-sim-stamp.json"
UNFINISHED = "gin-sim-setup-unfinished"

# What pip may take from the user's PIP_* variables: how packages are reached. The others
# (PIP_USER, PIP_TARGET, PIP_DRY_RUN ...) would put them somewhere else, or nowhere.
PIP_ACCESS = (
    "PIP_CACHE_DIR",
    "PIP_CERT",
    "PIP_CLIENT_CERT",
    "PIP_CONFIG_FILE",
    "PIP_DEFAULT_TIMEOUT",
    "PIP_EXTRA_INDEX_URL",
    "PIP_FIND_LINKS",
    "PIP_INDEX_URL",
    "PIP_KEYRING_PROVIDER",
    "PIP_NO_CACHE_DIR",
    "PIP_NO_INDEX",
    "PIP_PROXY",
    "PIP_RETRIES",
    "PIP_TIMEOUT",
    "PIP_TRUSTED_HOST",
)


class SetupError(Exception):
    """A set-up that cannot go on. `str()` is a sentence for the user."""

    def __init__(self, sentence, exit_code=2):
        super().__init__(sentence)
        self.exit_code = exit_code


def start(command, extras, folder=None, after_setup=""):
    """Run `command` in the environment; on POSIX a successful call does not return.

    command: list of str. The first item is a program in the environment, such as "gin-sim" or
        "python"; the others are its arguments.
    extras: names of the optional dependencies that it needs.
    folder: where the program starts; None keeps the current folder.
    after_setup: a sentence to say once an environment has been made or brought up to date.

    Returns the exit code: the program's own, 1 when a tool failed, 2 when something is missing,
    130 after Ctrl-C.
    """
    try:
        check_python(sys.version_info)
        venv = venv_folder(os.environ)
        try:
            if prepare(venv, extras, program=command[0]) and after_setup:
                say(after_setup)
        except OSError as error:
            raise SetupError(
                "The environment in {} could not be prepared: {}. Free that place, or name another"
                " folder in the variable GIN_SIM_VENV, and start again.".format(venv, error),
                exit_code=1,
            ) from error
        return hand_over(venv, command, folder)
    except SetupError as error:
        say(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        say("Interrupted.")
        return 130


def say(sentence):
    print(sentence, file=sys.stderr, flush=True)


# --- What this machine offers -----------------------------------------------------------------


def check_python(version):
    """Raise SetupError unless `version`, such as sys.version_info, is one gin-sim runs on."""
    if not OLDEST_PYTHON <= tuple(version[:2]) <= NEWEST_PYTHON:
        raise SetupError(
            "gin-sim needs Python {}.{} to {}.{}, and this is Python {}. Start the script with one"
            " of those, for example: python{}.{} {}".format(
                *OLDEST_PYTHON,
                *NEWEST_PYTHON,
                ".".join(str(part) for part in version[:3]),
                *NEWEST_PYTHON,
                os.path.join("scripts", os.path.basename(sys.argv[0]) or "run.py"),
            )
        )


def check_can_make_environments(has_module=None, is_debian=None):
    """Raise SetupError when this Python came without venv or ensurepip, as Debian's does.

    The parameters stand in for the machine in tests: a function from a module's name to whether it
    exists, and whether packages come from apt.
    """
    if has_module is None:
        from importlib.util import find_spec

        def has_module(name):
            return find_spec(name) is not None

    if is_debian is None:
        is_debian = os.path.exists("/etc/debian_version")
    missing = [name for name in ("venv", "ensurepip") if not has_module(name)]
    if not missing:
        return
    if is_debian:
        remedy = "install it with: apt install python{}.{}-venv".format(*sys.version_info[:2])
    else:
        remedy = (
            "install your system's package that brings it (on Debian and Ubuntu it is called"
            " python3-venv), or use a Python from python.org"
        )
    raise SetupError(
        "This Python cannot make virtual environments because its module {} is missing; {}".format(
            " and ".join(missing), remedy
        )
    )


# --- Where the environment is, and whether it can be used --------------------------------------


def venv_folder(environ):
    """The environment's folder: `.venv` in the project, or what GIN_SIM_VENV names."""
    return os.path.abspath(environ.get("GIN_SIM_VENV") or os.path.join(ROOT, ".venv"))


def program_path(venv, program):
    if os.name == "nt":
        return os.path.join(venv, "Scripts", program + ".exe")
    return os.path.join(venv, "bin", program)


def fingerprint(venv, root=ROOT):
    """A hash of all that the environment depends on, apart from the extras.

    The folders are part of it because installed programs hold their absolute paths.
    """
    digest = hashlib.sha256()
    for part in (sys.implementation.cache_tag, venv, root):
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    sources = ("pyproject.toml", "constraints.txt", os.path.join("scripts", "_environment.py"))
    for name in sources:
        with open(os.path.join(root, name), "rb") as file:
            digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


def read_stamp(venv):
    """The stamp as a dict with "fingerprint" and "extras"; empty when there is none."""
    try:
        with open(os.path.join(venv, STAMP), encoding="utf-8") as file:
            stamp = json.load(file)
        return {"fingerprint": str(stamp["fingerprint"]), "extras": list(stamp["extras"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def write_stamp(venv, extras, made_from):
    stamp = {"fingerprint": made_from, "extras": sorted(extras)}
    temporary = os.path.join(venv, STAMP + ".new")
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump(stamp, file)
    os.replace(temporary, os.path.join(venv, STAMP))


def is_ready(venv, extras, program="python", root=ROOT):
    """Whether the program can start at once: the stamp is right and the files are there."""
    stamp = read_stamp(venv)
    return (
        bool(stamp)
        and set(extras) <= set(stamp["extras"])
        and stamp["fingerprint"] == fingerprint(venv, root)
        and is_reusable(venv)
        and os.path.exists(program_path(venv, program))
    )


def is_reusable(venv):
    """Whether pip may install into this environment instead of making a new one."""
    return (
        not os.path.exists(os.path.join(venv, UNFINISHED))
        and os.path.exists(program_path(venv, "python"))  # False if its Python was removed
        and made_by(venv) == tuple(sys.version_info[:2])
    )


def made_by(venv):
    """The (major, minor) of the Python that made the environment, or None."""
    try:
        with open(os.path.join(venv, "pyvenv.cfg"), encoding="utf-8") as file:
            lines = [line.partition("=") for line in file]
        for key, _, value in lines:
            if key.strip() in ("version", "version_info"):
                return tuple(int(part) for part in value.strip().split(".")[:2])
    except (OSError, ValueError):
        pass
    return None


def check_may_replace(venv):
    """Raise SetupError for a folder with other things in it: GIN_SIM_VENV may be a mistake."""
    ours = any(os.path.exists(os.path.join(venv, n)) for n in ("pyvenv.cfg", STAMP, UNFINISHED))
    is_default = venv == os.path.join(ROOT, ".venv")
    if ours or is_default or not os.path.lexists(venv):
        return
    if not os.path.isdir(venv) or os.listdir(venv):
        raise SetupError(
            "GIN_SIM_VENV names {}, which exists and is not a virtual environment; name a folder"
            " that is new, empty or a virtual environment".format(venv)
        )


# --- Making it ---------------------------------------------------------------------------------


def prepare(venv, extras, program="python"):
    """Make the environment usable for `program`, and return whether there was anything to do."""
    if is_ready(venv, extras, program):
        return False
    check_may_replace(venv)
    os.makedirs(os.path.dirname(venv), exist_ok=True)
    with locked(venv + ".lock"), terminable():
        if is_ready(venv, extras, program):  # another start has done it meanwhile
            return False
        set_up(venv, extras)
    return True


def set_up(venv, extras):
    import shutil
    import time

    began = time.monotonic()
    shown = os.path.relpath(venv, ROOT) if venv.startswith(ROOT + os.sep) else venv
    extras = sorted(set(extras) | set(read_stamp(venv).get("extras", ())))
    made_from = fingerprint(venv)  # read first: an edit while pip runs must not go unnoticed
    if is_reusable(venv):
        say("Bringing {} up to date ...".format(shown))
    else:
        check_can_make_environments()
        if os.path.isdir(venv) and os.listdir(venv):
            say("{} is unfinished, broken or for another Python: making it again.".format(shown))
        say("Setting up {} (once, about a minute) ...".format(shown))
        if os.path.islink(venv) or os.path.isfile(venv):
            os.remove(venv)
        elif os.path.isdir(venv):
            shutil.rmtree(venv)
        os.makedirs(venv)
    with open(os.path.join(venv, UNFINISHED), "w"):
        pass
    with contextlib.suppress(FileNotFoundError):
        os.remove(os.path.join(venv, STAMP))

    python = program_path(venv, "python")
    if run_tool([python, "-m", "pip", "--version"], check=False) is not None:
        # Not from the environment itself: it may be the one that this process runs in.
        base_python = getattr(sys, "_base_executable", None) or sys.executable
        run_tool([base_python, "-m", "venv", venv], "Python's venv could not make " + shown)
    install = [python, "-m", "pip", "install"]
    install += ["--no-input", "--no-user", "--disable-pip-version-check"]
    install += ["--constraint", os.path.join(ROOT, "constraints.txt")]
    install += ["--editable", ROOT + ("[{}]".format(",".join(extras)) if extras else "")]
    run_tool(install, "pip could not install gin-sim into " + shown)

    write_stamp(venv, extras, made_from)
    os.remove(os.path.join(venv, UNFINISHED))
    say("{} is ready after {:.0f} s.".format(shown, time.monotonic() - began))


def run_tool(command, complaint="", check=True):
    """Run a tool of the set-up quietly; its last lines appear only if it fails.

    Returns None on success. On failure raises SetupError, or with check=False returns the output.
    """
    import subprocess

    try:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=setup_environment(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            close_fds=False,  # it keeps the lock, should it outlive this process
            start_new_session=True,  # so that stop() reaches what the tool itself started
        )
    except OSError as error:
        if check:
            raise
        return str(error)
    try:
        output, _ = process.communicate()
    except BaseException:  # Ctrl-C or a signal: leave no pip behind that goes on writing
        stop(process)
        raise
    if process.returncode == 0:
        return None
    text = output.decode("utf-8", "replace")
    if not check:
        return text
    raise SetupError(
        "{} (exit code {}). {}".format(complaint, process.returncode, last_lines(text)), exit_code=1
    )


def last_lines(output, n_lines=12):
    """The end of a failed tool's output, and what to try, as text for an error message."""
    lines = [line for line in output.splitlines() if line.strip()]
    retries = [line for line in lines if "Retrying (" in line]  # pip's warning, once for each try
    shown = retries[-1:] + [line for line in lines if line not in retries][-n_lines:]
    if retries:
        remedy = "pip did not reach the network: check the connection, or name a proxy in PIP_PROXY"
    else:
        remedy = "Fix what they say"
    return "Its last lines:\n{}\n{}, and start again.".format(
        "\n".join("  " + line.strip() for line in shown), remedy
    )


def stop(process):
    """End a tool and all that it started; politely first, so that pip removes its own files."""
    import signal
    import subprocess

    if os.name == "nt":
        process.kill()
        process.communicate()
        return
    for number in (signal.SIGINT, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            process.communicate(timeout=5)  # ends when the last of them has closed its output
            return


@contextlib.contextmanager
def terminable():
    """Let a request to end unwind like Ctrl-C, so that pip is stopped too."""
    import signal

    numbers = [getattr(signal, n) for n in ("SIGTERM", "SIGHUP") if hasattr(signal, n)]
    previous = [signal.signal(n, lambda number, _: sys.exit(128 + number)) for n in numbers]
    try:
        yield
    finally:
        for i, number in enumerate(numbers):
            signal.signal(number, previous[i])


@contextlib.contextmanager
def locked(path):
    """Hold the lock on `path`, waiting while another set-up holds it.

    The system drops the lock with the last process that has the file open (this one and pip), so
    a crash leaves nothing to clean up. The empty file stays: removing it would let two starts lock
    two different files.
    """
    with open(path, "a") as file:
        if not try_lock(file):
            say("Another start is setting this environment up: waiting for it ...")
            import time

            while not try_lock(file):
                time.sleep(0.2)
        os.set_inheritable(file.fileno(), True)  # see run_tool
        yield


def try_lock(file):
    if os.name == "nt":
        import msvcrt

        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: better unlocked than not at all
        return True
    return True


# --- Handing over ------------------------------------------------------------------------------


def program_environment(environ):
    """The program's variables: without those that would point it at another Python's packages."""
    foreign = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")
    return {name: value for name, value in environ.items() if name not in foreign}


def setup_environment(environ):
    """The variables for venv and pip, which need still fewer of them than the program."""
    kept = {
        name: value
        for name, value in program_environment(environ).items()
        if not name.startswith("PYTHON") and (not name.startswith("PIP_") or name in PIP_ACCESS)
    }
    kept.setdefault("PIP_RETRIES", "2")  # pip's own 5 make a missing network take over a minute
    return kept


def hand_over(venv, command, folder):
    """Become the program (POSIX), so that signals and the exit code are its own."""
    program = program_path(venv, command[0])
    arguments = [program, *command[1:]]
    environ = program_environment(os.environ)
    if folder is not None:
        os.chdir(folder)
    if os.name != "nt":
        os.execve(program, arguments, environ)
    import subprocess

    process = subprocess.Popen(arguments, env=environ)
    try:
        return process.wait()
    except KeyboardInterrupt:  # the program got it too, and says what it kept
        process.wait()
        return 130
