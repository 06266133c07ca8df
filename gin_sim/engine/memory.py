"""Copying a record as it stands in memory.

An assignment of one record to another does the same, but the compiler takes it apart into bytes,
which costs seconds of compiling for each.
"""

from __future__ import annotations

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

if config.DISABLE_JIT:

    def copy_record(source, target):
        """Copy a record over another of the same dtype."""
        for name in source.dtype.names:
            target[name] = source[name]

else:
    _BYTES = ir.IntType(8).as_pointer()

    @intrinsic
    def copy_record(typingctx, source, target):
        """Copy a record over another of the same dtype."""
        if not isinstance(source, types.Record) or source != target:
            return None

        def codegen(context, builder, signature, args):
            places = [builder.bitcast(place, _BYTES) for place in args]
            size = ir.Constant(ir.IntType(64), source.size)
            cgutils.raw_memcpy(builder, places[1], places[0], size, 1)
            return context.get_dummy_value()

        return types.none(source, target), codegen
