"""Functions compiled once, by themselves, which compiled code calls instead of taking them in.

Numba copies the code of every function into each caller and optimises it there again.  For a whole
play, a policy's decision or the settling of a knock that is most of the time of compiling, and a
call costs next to nothing beside what they do.  Such a function is compiled as a C function on its
first use.  A caller names it like any other; what depends on data, a player's decisions, is called
by its address (:mod:`gin_sim.engine.address`).
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import llvmlite.binding
import numba
from llvmlite import ir
from numba import config, types
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import lower_builtin, type_callable

from gin_sim.engine import compile_cache
from gin_sim.engine.jit import (
    apart_function,
    compiling_alone,
    is_compiled,
    kept_code,
    symbol_of,
)

_NUMBERS = {int: (types.int64, ctypes.c_int64), float: (types.float64, ctypes.c_double)}

#: Every function that is compiled apart, by its symbol.
_BY_SYMBOL: dict[str, Apart] = {}


class Apart:
    """A function that is compiled by itself; made by :func:`apart`.

    It can be called from Python and from jitted functions.

    Parameters
    ----------
    function : function
        Plain.
    parameters : sequence of dtype or type
        A record's dtype, int or float for each.
    returns : type
        int or float.
    """

    def __init__(self, function: Callable, parameters: tuple, returns: type) -> None:
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__
        self.py_func = function
        self.symbol = symbol_of(self)
        self.parameters = parameters
        self.returns = returns
        self._cache = kept_code(function)
        self._compiled: Any = None
        _BY_SYMBOL[self.symbol] = self
        _let_jitted_functions_call(self)

    @property
    def signatures(self) -> list:
        """What it is compiled for in this process: its parameters, or nothing yet."""
        return [self.parameters] if self._compiled else []

    def ready(self) -> None:
        """Compile the function, or load it from the cache, unless that is done."""
        with global_compiler_lock:
            if self._compiled is not None:
                return
            if is_compiled(self):
                self._load()
                return
            with compiling_alone(self.symbol):
                self._load()

    def _load(self) -> None:
        signature = _type_of(self.returns)(*map(_type_of, self.parameters))
        compiled = apart_function(self.py_func, signature, self._cache)
        # The function itself: its C wrapper would be a second call.
        name = compiled.native_name.removeprefix("cfunc.")
        self._address = compiled._library.get_pointer_to_function(name)
        llvmlite.binding.add_symbol(self.symbol, self._address)
        self._compiled = compiled

    @property
    def address(self) -> int:
        """The address of the compiled function, for :func:`gin_sim.engine.address.decide_at`."""
        self.ready()
        return self._address

    def __call__(self, *arguments: Any) -> Any:
        """Call the compiled function from Python."""
        self.ready()
        kinds = [_NUMBERS[p][1] if p in _NUMBERS else ctypes.c_void_p for p in self.parameters]
        function = ctypes.CFUNCTYPE(_NUMBERS[self.returns][1], *kinds)(self._compiled.address)
        return function(
            *(
                given if p in _NUMBERS else given.__array_interface__["data"][0]
                for given, p in zip(arguments, self.parameters, strict=True)
            )
        )


def apart(*parameters: Any, returns: type = int) -> Callable[[Callable], Any]:
    """Return a decorator for a function that is compiled once, by itself.

    Parameters
    ----------
    *parameters : dtype or type
        The dtype of a record, which is passed as it stands in memory, int or float.
    returns : type
        int or float.
    """

    def made(function: Callable) -> Any:
        return function if config.DISABLE_JIT else Apart(function, parameters, returns)

    return made


def make_ready(symbols: Iterable[str]) -> None:
    """Compile or load the functions apart that code from the cache calls, before it is loaded."""
    for symbol in symbols:
        _BY_SYMBOL[symbol].ready()


def called_in(compiled: Any) -> list[str]:
    """Return the symbols of the functions apart that the code of a compile result calls."""
    module = compiled.library._final_module
    declared = {function.name for function in module.functions if function.is_declaration}
    return sorted(declared & _BY_SYMBOL.keys())


def _type_of(parameter: Any) -> types.Type:
    return _NUMBERS[parameter][0] if parameter in _NUMBERS else numba.from_dtype(parameter)


def _let_jitted_functions_call(function: Apart) -> None:
    @type_callable(function)
    def typed(context):
        def typer(*given):
            function.ready()
            fitting = [
                _NUMBERS[p][0] if p in _NUMBERS else record
                for record, p in zip(given, function.parameters, strict=True)
            ]
            return _NUMBERS[function.returns][0](*fitting)

        typer.__signature__ = inspect.signature(function.py_func)
        return typer

    @lower_builtin(function, types.VarArg(types.Any))
    def lowered(context, builder, signature, arguments):
        kind = context.call_conv.get_function_type(signature.return_type, signature.args)
        module = builder.module
        called = module.globals.get(function.symbol)
        if called is None:
            called = ir.Function(module, kind, function.symbol)
        return call_native(
            context, builder, called, signature.return_type, signature.args, arguments
        )


def call_native(context, builder, called, returned, parameters, arguments):
    """Return the value of a call of a function that Numba compiled, which raises nothing.

    Parameters
    ----------
    context, builder
        As an intrinsic gets them.
    called : LLVM value
    returned, parameters : Numba type, sequence of Numba types
    arguments : sequence of LLVM values
    """
    _, value = context.call_conv.call_function(builder, called, returned, parameters, arguments)
    return value


compile_cache.needs_of = called_in
compile_cache.before_load = make_ready
