"""A policy's Python file read: run, followed to what its decisions reach, and checked.

Every complaint names the file and the line.  Compiling is not done here.
"""

from __future__ import annotations

import ast
import hashlib
import types
from pathlib import Path

from gin_sim.engine.view import VIEW
from gin_sim.errors import listed, nearest
from gin_sim.policies.contract import PolicyError
from gin_sim.policies.files.dependencies import reach
from gin_sim.policies.files.lint import check_body, check_given, refuse_names
from gin_sim.policies.files.loader import run_file
from gin_sim.policies.files.parameters import Numbers, classes_of
from gin_sim.policies.files.source import DECISIONS, Source
from gin_sim.policies.files.text import SourceFile, line_of_name, not_python
from gin_sim.policies.specs import read_text


def read_source(path: str) -> Source:
    """Run a policy's Python file and check what it defines.

    Raises
    ------
    PolicyError
        If it cannot be read or run, or defines something that cannot be a policy.
    """
    text = read_text(path)
    place = Path(path).resolve()
    module = types.ModuleType(f"gin_sim_policy_{hashlib.sha256(text.encode()).hexdigest()[:16]}")
    module.__file__ = str(place)
    try:
        code = compile(text, str(place), "exec")
    except SyntaxError as error:
        raise PolicyError(not_python(path, error)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise PolicyError(f"'{path}' is not Python: {error}.") from None
    beside = run_file(code, module, path, place)
    files = {str(place): SourceFile(path, text)}
    for name in beside:
        shown = str(Path(path).parent / Path(name).relative_to(place.parent))
        files[name] = SourceFile(shown, read_text(name))
    for file in files.values():
        refuse_names(file)
    decisions = _decisions(module, files, path)
    found = Source(path, module, decisions, [], [], {}, "", 0, "", files)
    reached = reach(found)
    found.helpers, found.namespaces = reached.helpers, reached.namespaces
    for function in (*decisions.values(), *found.helpers):
        check_body(found, function)
    check_given(found, 0, "a view", VIEW.names)
    found.classes = classes_of(module, files[str(place)])
    found.base, found.base_line = _base(module, files[str(place)])
    missing = [name for name in DECISIONS if name not in decisions]
    if missing and not found.base:
        raise PolicyError(
            f"'{path}' does not define {listed(missing)}: define it, or write base = \"greedy\" "
            "(or another policy of `gin-sim policies list`) to leave it to that policy."
        )
    if not decisions:
        raise PolicyError(f"'{path}' defines none of {listed(DECISIONS)}: nothing is its own.")
    for name in sorted({str(place), *beside}):
        reached.digest.update(files[name].text.encode())
    for name, numbers in found.classes.items():
        reached.digest.update(f"{name} {numbers.record_type()}".encode())
    found.digest = reached.digest.hexdigest()[:16]
    return found


def numbers_of(source: Source, choice: str) -> Numbers:
    """Return the class of numbers that a spec names, or the only one; check who reads it."""
    if choice and choice not in source.classes:
        has = f"it has {listed(source.classes)}" if source.classes else "it has none"
        raise PolicyError(
            f"'{source.path}' has no class of numbers '{choice}'."
            f"{nearest(choice, source.classes)} A NamedTuple class in the file is one; {has}."
        )
    if not choice and len(source.classes) > 1:
        raise PolicyError(
            f"'{source.path}' has {len(source.classes)} classes of numbers: write "
            f"{listed(f'{source.path}:{name}' for name in source.classes)}."
        )
    found = source.classes[choice] if choice else next(iter(source.classes.values()), Numbers())
    check_given(source, 1, found.name or "p", [p.name for p in found.parameters])
    return found


def _decisions(module, files, path) -> dict[str, types.FunctionType]:
    found = {}
    for name in DECISIONS:
        if name not in vars(module):
            continue
        decision = vars(module)[name]
        plain = isinstance(decision, types.FunctionType) and not decision.__closure__
        file = files.get(decision.__code__.co_filename) if plain else None
        node = file.node_of(decision) if file else None
        if node is None or node.decorator_list:
            raise PolicyError(
                f"'{path}', line {line_of_name(files[module.__file__], name)}: {name} is no plain "
                f"function: write def {name}(view, p) without decorators."
            )
        rest = node.args
        n_plain = len(rest.posonlyargs) + len(rest.args)
        if n_plain != 2 or rest.vararg or rest.kwarg or rest.kwonlyargs or rest.defaults:
            raise PolicyError(
                f"'{file.shown}', line {node.lineno}: {name} takes ({ast.unparse(rest)}): it takes "
                "(view, p) and no more."
            )
        found[name] = decision
    return found


def _base(module: types.ModuleType, file: SourceFile) -> tuple[str, int]:
    base = vars(module).get("base", "")
    line = line_of_name(file, "base")
    if not isinstance(base, str):
        raise PolicyError(
            f"'{file.shown}', line {line}: base is {base!r}: it is a policy's spec as a text."
        )
    return base, line
