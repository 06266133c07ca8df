"""A policy's Python file before it is compiled: what it defines, and what it may not.

The file is run once, like any module; its decisions, its helpers and its numbers are found and
checked, and every complaint names the file and the line.  Compiling is not done here.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import inspect
import io
import sys
import tokenize
import traceback
import types
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ForwardRef

import numpy as np

from gin_sim.engine.view import VIEW
from gin_sim.errors import listed, nearest
from gin_sim.policies.contract import N_OWN, Parameter, PolicyError
from gin_sim.policies.reached import reach, undressed
from gin_sim.policies.specs import read_text

TAKE, DISCARD, KNOCK = DECISIONS = ("take_upcard", "choose_discard", "should_knock")

_MOST_WHOLE = 2**53  # every whole number up to here is a float64 too
_REFUSED = {
    ast.Raise: "raise",
    ast.Try: "try",
    ast.TryStar: "try",
    ast.Assert: "assert",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Await: "await",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.With: "with",
    ast.AsyncWith: "with",
    ast.Import: "import",
    ast.ImportFrom: "import",
}
_IN_PLACE = ("fill", "sort", "put", "partition", "itemset", "resize")
_PACKAGES = ("gin_sim", "numba", "numpy")
_COPIES = ("copy", "astype")
_OTHER_FORMS = ("asarray", "ascontiguousarray", "atleast_1d", "ravel", "reshape", "transpose")
_BEHIND_THE_COMPILER = ("as_strided", "carray", "farray", "intrinsic", "objmode", "overload")
_NUMBERS = {"int": int, "float": float, "bool": bool}


@dataclass(frozen=True)
class OwnNumber(Parameter):
    """A number of a user's own, a field of a NamedTuple class."""

    def range_words(self) -> str:
        """Return what values there are."""
        if self.high == 1:
            return "0 or 1"
        return "a whole number" if self.whole else "a number"


@dataclass(frozen=True)
class Numbers:
    """The class of numbers that a policy file's decisions get as ``p``."""

    name: str = ""
    parameters: tuple[OwnNumber, ...] = ()
    make: Any = tuple  # called with the values in order

    def record_type(self) -> np.dtype:
        """Return the numbers as a record of 8 bytes each; a lone empty field for none."""
        fields = [(p.name, "i8" if p.whole else "f8") for p in self.parameters]
        return np.dtype(fields or [("_", "i8")])


@dataclass
class Source:
    """A policy file that has been run and checked.

    Parameters
    ----------
    path : str
        As given, for errors.
    module : module
    decisions : dict of str to function
    helpers : list of function
        The plain functions that the decisions reach, in the file and in its folder.
    namespaces : list of dict
        Where decisions and helpers look up functions.
    classes : dict of str to Numbers
    base : str
        A spec, or nothing.
    base_line : int
    digest : str
        16 hexadecimal digits that change with whatever the compiled code depends on.
    """

    path: str
    module: types.ModuleType
    decisions: dict[str, types.FunctionType]
    helpers: list[types.FunctionType]
    namespaces: list[dict] = field(repr=False)
    classes: dict[str, Numbers]
    base: str
    base_line: int
    digest: str
    files: dict[str, _File] = field(repr=False)

    @property
    def summary(self) -> str:
        """The first line of what the file says of itself."""
        return (inspect.getdoc(self.module) or "").strip().partition("\n")[0]

    def numbers(self, choice: str) -> Numbers:
        """Return the class of numbers that a spec names, or the only one; check who reads it."""
        if choice and choice not in self.classes:
            has = f"it has {listed(self.classes)}" if self.classes else "it has none"
            raise PolicyError(
                f"'{self.path}' has no class of numbers '{choice}'."
                f"{nearest(choice, self.classes)} A NamedTuple class in the file is one; {has}."
            )
        if not choice and len(self.classes) > 1:
            raise PolicyError(
                f"'{self.path}' has {len(self.classes)} classes of numbers: write "
                f"{listed(f'{self.path}:{name}' for name in self.classes)}."
            )
        found = self.classes[choice] if choice else next(iter(self.classes.values()), Numbers())
        _check_given(self, 1, found.name or "p", [p.name for p in found.parameters])
        return found

    def add_file(self, name: str) -> None:
        """Take another file of the folder for the file's own."""
        shown = Path(self.path).parent / Path(name).relative_to(Path(self.module.__file__).parent)
        self.files[name] = _File(str(shown), read_text(name))
        _refuse_names(self.files[name])

    def complaint(self, function: types.FunctionType, words: str, line: int = 0) -> PolicyError:
        """Return an error about a function, at its first line or another."""
        code = function.__code__
        file = self.files.get(code.co_filename)
        shown = file.shown if file else code.co_filename
        line = line or (file.line_of(function) if file else code.co_firstlineno)
        return PolicyError(f"'{shown}', line {line}: {function.__name__} {words}")

    def writes(self, function: types.FunctionType, what: str, line: int) -> PolicyError:
        """Return the error of a function that writes to what it was given."""
        return self.complaint(
            function, f"writes to {what}: a decision only reads what it is given.", line
        )

    def changed_in_place(self, function: types.FunctionType) -> list[tuple[str, int]]:
        """Return the names, with lines, that a function changes by += and the like.

        Of numbers, that makes new ones; of arrays it writes, and only the compiler knows which.
        """
        node = self.files[function.__code__.co_filename].node_of(function)
        made, given = _made_and_given(node)
        return [
            (part.target.id, part.lineno)
            for part in ast.walk(node)
            if isinstance(part, ast.AugAssign)
            and isinstance(part.target, ast.Name)
            and part.target.id not in made - given
        ]

    def function_at(self, filename: str, line: int) -> types.FunctionType | None:
        """Return the decision or helper that a line belongs to."""
        for function in (*self.decisions.values(), *self.helpers):
            node = self.files[function.__code__.co_filename].node_of(function)
            if function.__code__.co_filename == filename and node.lineno <= line <= node.end_lineno:
                return function
        return None


class _File:
    """One Python source: its text, what errors call it, and its syntax tree."""

    def __init__(self, shown: str, text: str) -> None:
        self.shown, self.text = shown, text
        self.tree = ast.parse(text)

    def node_of(self, function: types.FunctionType) -> ast.FunctionDef | None:
        first = function.__code__.co_firstlineno
        for node in ast.walk(self.tree):
            if (
                isinstance(node, ast.FunctionDef)
                and node.name == function.__code__.co_name
                and min([node.lineno, *(d.lineno for d in node.decorator_list)]) == first
            ):
                return node
        return None

    def line_of(self, function: types.FunctionType) -> int:
        node = self.node_of(function)
        return node.lineno if node else function.__code__.co_firstlineno

    def comments(self) -> dict[int, str]:
        """Return what stands behind a # by line."""
        tokens = tokenize.generate_tokens(io.StringIO(self.text).readline)
        return {t.start[0]: t.string.lstrip("# ") for t in tokens if t.type == tokenize.COMMENT}


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
        raise PolicyError(_not_python(path, error)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise PolicyError(f"'{path}' is not Python: {error}.") from None
    beside = _run(code, module, path, place)
    files = {str(place): _File(path, text)}
    for name in beside:
        shown = str(Path(path).parent / Path(name).relative_to(place.parent))
        files[name] = _File(shown, read_text(name))
    for file in files.values():
        _refuse_names(file)
    decisions = _decisions(module, files, path)
    found = Source(path, module, decisions, [], [], {}, "", 0, "", files)
    reached = reach(found)
    found.helpers, found.namespaces = reached.helpers, reached.namespaces
    for function in (*decisions.values(), *found.helpers):
        _check_body(found, function)
    _check_given(found, 0, "a view", VIEW.names)
    found.classes = _classes(module, files[str(place)])
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


def _not_python(path: str, error: SyntaxError) -> str:
    return f"'{path}', line {error.lineno or 1}: this is not Python ({error.msg})."


def _run(code: types.CodeType, module: types.ModuleType, path: str, place: Path) -> list[str]:
    """Run the file with its own folder first on the path; return the files it imports from there.

    Those modules are given names of their own: another policy's helpers may have the same ones,
    and the compiler finds a function's module by name.  What is loaded by such a name already is
    put aside for the while.
    """
    aside = _set_aside(_beside(path, place))
    before = set(sys.modules)
    no_bytecode = sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    search, places = sys.path, list(sys.path)
    sys.path.insert(0, str(place.parent))
    sys.modules[module.__name__] = module
    try:
        with contextlib.redirect_stdout(sys.stderr):
            exec(code, vars(module))
    except SyntaxError as error:
        shown = Path(path).with_name(Path(error.filename or path).name)
        raise PolicyError(_not_python(str(shown), error)) from None
    except (Exception, SystemExit) as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(place)]
        raise PolicyError(
            f"'{path}', line {lines[-1] if lines else 1}: running the file raised "
            f"{type(error).__name__} ({error})."
        ) from None
    finally:
        sys.path = search
        sys.path[:] = places
        sys.dont_write_bytecode = no_bytecode
        beside = []
        for name in set(sys.modules) - before - {module.__name__}:
            file = getattr(sys.modules[name], "__file__", None)
            # Right beside it only: the folder may well hold a whole environment of packages.
            if file and Path(file).suffix == ".py" and Path(file).resolve().parent == place.parent:
                _rename(name, f"{module.__name__}.{name}")
                beside.append(file)
        sys.modules.update(aside)
    return sorted(beside)


def _beside(path: str, place: Path) -> list[str]:
    """Return the names of the modules right beside the file that it imports, or that they import.

    Raises
    ------
    PolicyError
        If a name that is imported means something else than what stands in the folder.
    """
    found: list[str] = []
    waiting = [place]
    while waiting:
        file = waiting.pop()
        for name, line in _imported(file):
            inner = place.parent / f"{name}.py"
            package = place.parent / name
            ours = inner if inner.is_file() else package
            if name in found or not (inner.is_file() or any(package.glob("*.py"))):
                continue
            known = name in sys.stdlib_module_names or name in _PACKAGES
            if known or (ours is package and _is_elsewhere(name, package)):
                raise PolicyError(
                    f"'{Path(path).with_name(file.name)}', line {line}: it imports {name}, and "
                    f"{ours.name} in its folder has the name of a module that is loaded already: "
                    "give it another name."
                )
            if ours is inner:
                found.append(name)
                waiting.append(inner)
    return found


def _imported(file: Path) -> list[tuple[str, int]]:
    """Return the first parts of the names that a file imports, with lines."""
    try:
        tree = ast.parse(read_text(str(file)))
    except (SyntaxError, ValueError):  # running it says so
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name.partition(".")[0], node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append((node.module.partition(".")[0], node.lineno))
    return found


def _is_elsewhere(name: str, package: Path) -> bool:
    """Return whether a package of this name is loaded from another folder, or a part of one."""
    loaded = [getattr(module, "__file__", None) for _, module in _loaded(name)]
    return any(file and not Path(file).resolve().is_relative_to(package) for file in loaded)


def _loaded(name: str) -> list[tuple[str, types.ModuleType]]:
    return [
        (other, module)
        for other, module in list(sys.modules.items())
        if other == name or other.startswith(f"{name}.")
    ]


def _set_aside(names: list[str]) -> dict[str, types.ModuleType]:
    return {other: sys.modules.pop(other) for name in names for other, _ in _loaded(name)}


def _rename(name: str, new_name: str) -> None:
    module = sys.modules.pop(name)
    sys.modules[new_name] = module
    module.__name__ = new_name
    for value in vars(module).values():
        if isinstance(value, types.FunctionType) and value.__module__ == name:
            value.__module__ = new_name


def _refuse_names(file: _File) -> None:
    """Refuse Python's and NumPy's generators, and what goes round the compiler's checks."""
    numpys = set()
    for node in ast.walk(file.tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
            numpys |= {alias.asname or "numpy" for alias in node.names if alias.name == "numpy"}
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            names = [f"numpy.{node.attr}"] if node.value.id in numpys else [f".{node.attr}"]
        elif isinstance(node, ast.Attribute):
            names = [f".{node.attr}"]
        for name in names:
            place = f"'{file.shown}', line {node.lineno}: it"
            last = name.rpartition(".")[2]
            if name.split(".")[0] == "random" or name.startswith("numpy.random"):
                raise PolicyError(
                    f"{place} uses {name}, and the same seed must give the same hands: take chance "
                    "from noise_word of gin_sim.policies.contract."
                )
            if last == "*" and name.startswith("numpy."):
                raise PolicyError(f"{place} imports all of numpy by a star: write import numpy.")
            if last in _BEHIND_THE_COMPILER:
                raise PolicyError(
                    f"{place} uses {last}, with which a decision could read or write what is not "
                    "its own: leave it out."
                )


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
                f"'{path}', line {_line_of_name(module, files, name)}: {name} is no plain "
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


def _line_of_name(module, files, name: str) -> int:
    """Return the last line of the file's top level that binds a name."""
    line = 1
    for node in files[module.__file__].tree.body:
        bound = [getattr(node, "name", None)]
        if isinstance(node, ast.Assign):
            bound = [t.id for t in node.targets if isinstance(t, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            bound = [node.target.id]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            bound = [alias.asname or alias.name for alias in node.names]
        if name in bound:
            line = node.lineno
    return line


# ---------------------------------------------------------------------------------------------
# What a decision or a helper may not do


def _check_body(source: Source, function: types.FunctionType) -> None:
    node = source.files[function.__code__.co_filename].node_of(function)
    if node is None or function.__closure__:
        raise source.complaint(
            function, "is no plain function: write it with def at the top level."
        )
    made, given = _made_and_given(node)
    for part in ast.walk(node):
        line = getattr(part, "lineno", 0)
        if type(part) in _REFUSED:
            raise source.complaint(
                function,
                f"uses {_REFUSED[type(part)]}, which a decision cannot: leave it out.",
                line,
            )
        stored = isinstance(part, ast.Attribute | ast.Subscript) and type(part.ctx) is not ast.Load
        if stored and (isinstance(part, ast.Attribute) or _root(part) not in made - given):
            raise source.writes(function, ast.unparse(part), line)
        call = isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)
        if call and part.func.attr in _IN_PLACE and _root(part.func) in given:
            raise source.writes(function, ast.unparse(part.func.value), line)


def _root(node: ast.expr) -> str:
    """Return the name that an attribute, an index or a method starts from, if it does from one."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


def _made_and_given(node: ast.FunctionDef) -> tuple[set[str], set[str]]:
    """Return the names of what a function makes itself, and of what it may have been given."""
    made, given = set(), {a.arg for a in (*node.args.posonlyargs, *node.args.args)}
    assignments = [part for part in ast.walk(node) if isinstance(part, ast.Assign)]
    for part in sorted(assignments, key=lambda part: part.lineno):
        names = {t.id for t in part.targets if isinstance(t, ast.Name)}
        (made if _is_new(part.value, given) else given).update(names)
    return made, given


def _is_new(value: ast.expr, given: set[str]) -> bool:
    """Return whether a value is a new one: no part, and no other form, of what was given."""
    if not isinstance(value, ast.Call):
        return isinstance(value, ast.List | ast.ListComp | ast.BinOp)
    name = getattr(value.func, "attr", getattr(value.func, "id", ""))
    if name in _COPIES:
        return True
    same = [value.func] if isinstance(value.func, ast.Attribute) else []
    same += value.args if name in _OTHER_FORMS else []
    return not any(_root(part) in given for part in same)


def _check_given(source: Source, argument: int, has: str, known: Iterable[str]) -> None:
    """Refuse fields that an argument of the decisions does not have, in helpers that get it too."""
    waiting = [(function, argument) for function in source.decisions.values()]
    done: list[tuple[types.FunctionType, int]] = []
    while waiting:
        function, place = waiting.pop(0)
        if (function, place) in done:
            continue
        done.append((function, place))
        node = source.files[function.__code__.co_filename].node_of(function)
        arguments = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        if place >= len(arguments) or arguments[place] in _stored(node):
            continue
        _check_fields(source, function, node, arguments[place], has, known)
        waiting += _passed_on(source, function, node, arguments[place])


def _stored(node: ast.FunctionDef) -> set[str]:
    names = (part for part in ast.walk(node) if isinstance(part, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def _check_fields(source: Source, function, node, name: str, has: str, known) -> None:
    for part in ast.walk(node):
        read = isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
        if read and part.value.id == name and part.attr not in known:
            raise source.complaint(
                function,
                f"reads {name}.{part.attr}, and {has} has no '{part.attr}'."
                f"{nearest(part.attr, known)}",
                part.lineno,
            )


def _passed_on(source: Source, function, node, name: str) -> list[tuple[types.FunctionType, int]]:
    """Return the helpers that get an argument of a function, and as their how-manieth."""
    found = []
    for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
        helper = undressed(_meaning(call.func, function.__globals__))
        if helper not in source.helpers:
            continue
        places = {word: place for place, word in enumerate(helper.__code__.co_varnames)}
        given = [*enumerate(call.args), *((places.get(k.arg, 0), k.value) for k in call.keywords)]
        found += [(helper, i) for i, arg in given if isinstance(arg, ast.Name) and arg.id == name]
    return found


def _meaning(node: ast.expr, namespace: dict) -> Any:
    """Return what a name, or an attribute of a module, means."""
    if isinstance(node, ast.Name):
        return namespace.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _meaning(node.value, namespace)
        return getattr(owner, node.attr, None) if isinstance(owner, types.ModuleType) else None
    return None


# ---------------------------------------------------------------------------------------------
# Numbers and base


def _base(module: types.ModuleType, file: _File) -> tuple[str, int]:
    base = vars(module).get("base", "")
    line = _line_of_name(module, {module.__file__: file}, "base")
    if not isinstance(base, str):
        raise PolicyError(
            f"'{file.shown}', line {line}: base is {base!r}: it is a policy's spec as a text."
        )
    return base, line


def _classes(module: types.ModuleType, file: _File) -> dict[str, Numbers]:
    comments = file.comments()
    nodes = {node.name: node for node in file.tree.body if isinstance(node, ast.ClassDef)}
    found = {}
    for name, value in vars(module).items():
        tuples = isinstance(value, type) and issubclass(value, tuple)
        if not tuples or value.__module__ != module.__name__:
            continue
        if name in nodes and hasattr(value, "_field_defaults"):
            found[name] = _numbers(value, nodes[name], file, comments)
        elif name not in nodes and vars(value).get("__annotations__"):
            line = _line_of_name(module, {module.__file__: file}, name)
            raise PolicyError(
                f"'{file.shown}', line {line}: {name} is made by a call, which cannot give "
                f"defaults: write class {name}(NamedTuple)."
            )
    return found


def _numbers(made: type, node: ast.ClassDef, file: _File, comments: dict[int, str]) -> Numbers:
    lines = {
        part.target.id: part.lineno
        for part in node.body
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    }
    if len(made._fields) > N_OWN:
        raise PolicyError(
            f"'{file.shown}', line {node.lineno}: {made.__name__} has {len(made._fields)} numbers: "
            f"a policy has at most {N_OWN} of its own."
        )
    parameters = []
    for name in made._fields:
        line = lines.get(name, node.lineno)
        complaint = f"'{file.shown}', line {line}: {made.__name__}.{name}"
        wanted = getattr(made, "__annotations__", {}).get(name)
        if isinstance(wanted, ForwardRef):
            wanted = _NUMBERS.get(wanted.__forward_arg__)
        if wanted not in (int, float, bool):
            raise PolicyError(f"{complaint} is no number: it is an int, a float or a bool.")
        if name not in made._field_defaults:
            raise PolicyError(f"{complaint} has no default: write {name}: {wanted.__name__} = ...")
        default = made._field_defaults[name]
        fits = {int: (int,), float: (int, float), bool: (bool,)}[wanted]
        if type(default) not in fits or not abs(default) <= (
            _MOST_WHOLE if wanted is int else sys.float_info.max
        ):
            raise PolicyError(f"{complaint} is {default!r}: its default is no {wanted.__name__}.")
        low, high = {
            int: (-_MOST_WHOLE, _MOST_WHOLE),
            float: (-sys.float_info.max, sys.float_info.max),
            bool: (0, 1),
        }[wanted]
        parameters.append(
            OwnNumber(
                name,
                comments.get(line, ""),
                "switch" if wanted is bool else "number",
                float(default),
                low,
                high,
                whole=wanted is not float,
            )
        )
    return Numbers(made.__name__, tuple(parameters), made)
