"""Jitted functions as their callers need them: code to be linked in, and nothing else.

Numba makes every function ready to be called by Python, too: a wrapper that unpacks Python's
objects, full optimisation, machine code.  Most functions here are called by compiled code alone,
and go into their callers, where they are optimised once more.  So what a caller asks for is
translated and simplified only; a third of the time of compiling is saved.  Where Python calls such
a function, code of its own is made for that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import llvmlite.binding
from numba import config, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, compile_result
from numba.core.registry import CPUDispatcher

from gin_sim.engine.compile_cache import Entries


def set_environments(compiled: CompileResult) -> None:
    """Tell compiled code where the constants of Python are that it and what it took in refer to.

    Numba does so for each function when it becomes machine code, which a linked one never does.
    """
    codegen = compiled.library.codegen
    for environment in compiled._find_referenced_environments():
        if codegen._engine.get_global_value_address(environment.env_name):  # else never read
            codegen.set_env(environment.env_name, environment)


class _Library(JITCodeLibrary):
    """Code that waits to be linked into another library; it is never run by itself."""

    def _optimize_final_module(self) -> None:
        """Simplify the code, as Numba does before its full optimisation."""
        manager, builder = self._codegen._module_pass_manager(
            loop_vectorize=self._codegen._loopvect,
            slp_vectorize=False,
            opt=self._codegen._opt_level,
            cost="cheap",
        )
        manager.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def serialize_using_object_code(self) -> tuple:
        """Return what :meth:`kept` reads; there is no object code."""
        return self.serialize_using_bitcode()

    @classmethod
    def kept(cls, codegen, serialized: tuple) -> _Library:
        """Return a library that was serialised."""
        name, _, bitcode = serialized
        library = cls(codegen, name)
        library._final_module = llvmlite.binding.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library


class _Pipeline(Compiler):
    """Numba's compiler, without what only Python needs."""

    def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
        flags.no_cpython_wrapper = True
        flags.no_cfunc_wrapper = True
        flags.no_compile = True
        library = _Library(targetctx.codegen(), "linked")
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)


class _Entries(Entries):
    """The kept code of one function for its callers."""

    kind = "linked"

    def _can_be_kept(self, compiled: CompileResult) -> bool:
        """Return whether code makes sense in another process.

        What passes a function on holds its address, and what takes one has a type that does.  Their
        callers can be kept: once optimised, their code holds neither.
        """
        takes = any(isinstance(each, types.Dispatcher) for each in compiled.signature.args)
        return not takes and not compiled.library.has_dynamic_globals

    def _rebuilt(self, target_context, reduced: tuple) -> CompileResult:
        serialized, fndesc, environment, signature, objectmode, lifted, annotation, *rest = reduced
        reload_init, environments = rest
        for function in reload_init:
            function()
        return compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=object(),  # what stands for it, see Linked.add_overload
            type_annotation=annotation,
            signature=signature,
            library=_Library.kept(target_context.codegen(), serialized),
            objectmode=objectmode,
            lifted=lifted,
            fndesc=fndesc,
            environment=environment,
            reload_init=reload_init,
            referenced_envs=environments,
        )


class _ForPython(CPUDispatcher):
    """A jitted function as Python calls it."""

    def add_overload(self, cres: CompileResult) -> None:
        set_environments(cres)
        super().add_overload(cres)


class Linked(CPUDispatcher):
    """A jitted function whose code goes into its callers'.

    Parameters
    ----------
    py_func : function
        Plain.
    locals, targetoptions
        As Numba's dispatchers take them.
    folder : Path or None
        Where its code is kept.
    """

    def __init__(
        self,
        py_func,
        locals: dict | None = None,
        targetoptions: dict | None = None,
        folder: Path | None = None,
    ) -> None:
        super().__init__(py_func, locals, targetoptions, pipeline_class=_Pipeline)
        self._cache = _Entries(py_func, folder)
        #: What Python calls: compiled by itself, when Python first does.
        self.for_python = _ForPython(py_func, locals, targetoptions)
        self.for_python._cache = Entries(py_func, folder)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function from Python."""
        return self.for_python(*arguments, **named)

    def add_overload(self, cres: CompileResult) -> None:
        """Let callers find code for its types; Numba calls this with what it made or loaded.

        Callers look code up by its entry point.  There is none, so that anything stands for it.
        """
        if cres.entry_point is None:
            cres = cres._replace(entry_point=object())
            self.targetctx.insert_user_function(cres.entry_point, cres.fndesc, [cres.library])
        self.overloads[tuple(cres.signature.args)] = cres


def linked(function, folder: Path | None, **options: Any):
    """Return a jitted function for compiled callers and for Python; plain where the JIT is off."""
    if config.DISABLE_JIT:
        return function
    return Linked(function, targetoptions={"nopython": True, **options}, folder=folder)
