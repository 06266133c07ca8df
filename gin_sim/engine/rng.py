"""Counter-based randomness: a number is a function of its key and its index, of nothing else.

A key is made from (seed, deal index, stream); stream 0 orders the deck, streams 1 and 2 belong to
the policies in seats 0 and 1.  Word ``i`` of a key is the ``i``-th output of SplitMix64 started at
the key (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014;
finaliser of Stafford's variant 13).  The same seed gives the same deals on every machine, whatever
the number of threads and however the work is split.
"""

from __future__ import annotations

import numpy as np

from gin_sim.engine.jit import jit_inline

DECK_STREAM = 0
SEAT_STREAM = 1  # plus the seat

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_ONE = np.uint64(1)
_27 = np.uint64(27)
_30 = np.uint64(30)
_31 = np.uint64(31)
_32 = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)


@jit_inline
def _mix(word):
    word = (word ^ (word >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@jit_inline
def stream_key(seed, deal_index, stream):
    """Return the uint64 key of one stream of one deal."""
    key = _mix(np.uint64(seed) + _GAMMA)
    key = _mix((key ^ np.uint64(deal_index)) + _GAMMA)
    return _mix((key ^ np.uint64(stream)) + _GAMMA)


@jit_inline
def word(key, index):
    """Return the uint64 word at an index (from 0) of a key."""
    return _mix(key + (np.uint64(index) + _ONE) * _GAMMA)


@jit_inline
def low_below(bits, bound):
    """Return an int64 in [0, bound) from the low half of a word; bound < 2**31."""
    return np.int64(((bits & _LOW_HALF) * np.uint64(bound)) >> _32)


@jit_inline
def high_below(bits, bound):
    """Return an int64 in [0, bound) from the high half of a word; bound < 2**31.

    Each value's chance is within 2**-32 of 1 / bound.
    """
    return np.int64(((bits >> _32) * np.uint64(bound)) >> _32)
