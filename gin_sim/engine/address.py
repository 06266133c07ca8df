"""Functions called by their address: a caller's compiled code serves functions that come later.

A decision compiled as a C function takes a copy of a record and its numbers, both as pointers, and
returns an int64.  The caller knows neither function nor numbers when it is compiled, so that it
never has to be compiled again for them.  With the JIT switched off an address is a place in a list.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from gin_sim.engine.apart import call_native
from gin_sim.engine.jit import c_function

#: Whatever has an address stays loaded as long as the process lives.
_KEPT: list[Callable] = [lambda view, own: -1]  # place 0, the null address, is no function's

if config.DISABLE_JIT:

    def call_at(address, view, own):
        """Call the function at an address with a copy of a view and a player's own numbers."""
        return _KEPT[address](view.copy(), own)

    def decide_at(address, view, player):
        """Call the shipped decision at an address; see :func:`place_of`."""
        return _KEPT[address](view, player)

    def chance_at(address, view, player, card):
        """Call the shipped chance of an answer at an address; see :func:`place_of`."""
        return _KEPT[address](view, player, card)

else:
    _BYTES = ir.IntType(8).as_pointer()
    _DECISION = ir.FunctionType(ir.IntType(64), [_BYTES, _BYTES])

    def _copied(builder, source, n_bytes):
        """Return a pointer to a copy on the stack, aligned like the fields of 8 bytes in it."""
        copy = cgutils.alloca_once(builder, ir.ArrayType(ir.IntType(64), -(-n_bytes // 8)))
        copy = builder.bitcast(copy, _BYTES)
        size = ir.Constant(ir.IntType(64), n_bytes)
        cgutils.raw_memcpy(builder, copy, builder.bitcast(source, _BYTES), size, 1)
        return copy

    @intrinsic
    def call_at(typingctx, address, view, own):
        """Call the function at an address with a copy of a view and a player's own numbers.

        Whatever the function writes to the view's arrays, by whatever way, goes with its copy.

        Parameters
        ----------
        address : int64
            Of :func:`address_of`.
        view : record
        own : float64 array
            Its memory is read as the record that the function was compiled for.
        """

        def codegen(context, builder, signature, args):
            function = builder.inttoptr(args[0], _DECISION.as_pointer())
            numbers = context.make_array(signature.args[2])(context, builder, value=args[2])
            return builder.call(
                function,
                [_copied(builder, args[1], view.size), builder.bitcast(numbers.data, _BYTES)],
            )

        return types.int64(types.int64, view, own), codegen

    def _call(context, builder, signature, args):
        parameters = signature.args[1:]
        kind = context.call_conv.get_function_type(signature.return_type, parameters)
        function = builder.inttoptr(args[0], kind.as_pointer())
        return call_native(context, builder, function, signature.return_type, parameters, args[1:])

    @intrinsic
    def decide_at(typingctx, address, view, player):
        """Call the shipped decision at an address with a view and a player; return its int64.

        Parameters
        ----------
        address : int64
            Of a function that is compiled apart, see :mod:`gin_sim.engine.apart`.
        view, player : records
        """
        return types.int64(types.int64, view, player), _call

    @intrinsic
    def chance_at(typingctx, address, view, player, card):
        """Call the shipped chance of an answer at an address, as :func:`decide_at`; a float64.

        ``card`` is an int64, which only the chance of a discard reads.
        """
        return types.float64(types.int64, view, player, types.int64), _call


def address_of(function, record_types, folder: Path | None) -> int:
    """Compile a function of two records for :func:`call_at`; return its address.

    Parameters
    ----------
    function : function
        Plain; it returns a number.
    record_types : pair of Numba types
        Of a view and of the function's own numbers.
    folder : Path or None
        Where its code is kept; see :func:`gin_sim.engine.compile_cache.user_folder`.
    """
    compiled = c_function(function, types.int64(*record_types), folder)
    _KEPT.append(compiled)
    return compiled.address


def shipped_address(function) -> int:
    """Return the address of a shipped function that is compiled apart, or its place without JIT."""
    if not config.DISABLE_JIT:
        return function.address
    if function not in _KEPT:
        _KEPT.append(function)
    return _KEPT.index(function)


def place_of(function: Callable) -> int:
    """Return what stands for the address of a function of view and own numbers without the JIT."""
    _KEPT.append(function)
    return len(_KEPT) - 1


@contextlib.contextmanager
def noting_exceptions() -> Iterator[list[str]]:
    """Yield a list that gets the exceptions that called functions end with, as text.

    A C function has nobody to raise to: the exception is noted for Python, and 0 is returned.
    """
    noted: list[str] = []
    before = sys.unraisablehook

    def note(unraisable) -> None:
        if not isinstance(unraisable.object, str) or "numba" not in unraisable.object:
            before(unraisable)
        elif not noted:
            noted.append(f"{unraisable.exc_type.__name__} ({unraisable.exc_value})")

    sys.unraisablehook = note
    try:
        yield noted
    finally:
        sys.unraisablehook = before
