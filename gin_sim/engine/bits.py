"""Counting and finding bits in int64 masks, one machine instruction each."""

from __future__ import annotations

from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from gin_sim.engine.jit import jit, jit_inline

SUIT_BITS = 0x1FFF
ONE_OF_EACH_SUIT = 1 | 1 << 13 | 1 << 26 | 1 << 39

if config.DISABLE_JIT:

    def popcount(mask):
        """Return how many bits of a mask are set."""
        return int(mask).bit_count()

    def lowest_bit(mask):
        """Return the position of the lowest set bit; the mask is not 0."""
        return (int(mask) & -int(mask)).bit_length() - 1

    def highest_bit(mask):
        """Return the position of the highest set bit; the mask is above 0."""
        return int(mask).bit_length() - 1

else:
    _FALSE = ir.Constant(ir.IntType(1), 0)

    @intrinsic
    def popcount(typingctx, mask):
        """Return how many bits of a mask are set."""
        return types.int64(types.int64), lambda _c, builder, _s, args: builder.ctpop(args[0])

    @intrinsic
    def lowest_bit(typingctx, mask):
        """Return the position of the lowest set bit; the mask is not 0."""
        return types.int64(types.int64), lambda _c, builder, _s, args: builder.cttz(args[0], _FALSE)

    @intrinsic
    def highest_bit(typingctx, mask):
        """Return the position of the highest set bit; the mask is above 0."""

        def codegen(_context, builder, _signature, args):
            return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(args[0], _FALSE))

        return types.int64(types.int64), codegen


@jit_inline
def ranks_of(cards):
    """Return the 13-bit mask of the ranks that occur in a mask of cards."""
    return (cards | cards >> 13 | cards >> 26 | cards >> 39) & SUIT_BITS


@jit_inline
def ranks_of_four(cards):
    """Return the 13-bit mask of the ranks that a mask of cards holds in all four suits."""
    return cards & cards >> 13 & cards >> 26 & cards >> 39 & SUIT_BITS


@jit_inline
def highest_card(cards):
    """Return the card of highest rank, of the first suit on ties; the mask is not 0."""
    rank = highest_bit(ranks_of(cards))
    return rank + lowest_bit(cards >> rank & ONE_OF_EACH_SUIT)


@jit
def nth_card(mask, n):
    """Return the ``n``-th card (from 0, ascending) of a mask that holds more than ``n``."""
    for _ in range(n):
        mask &= mask - 1
    return lowest_bit(mask)
