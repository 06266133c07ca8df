"""Exact answers on single hands: arrangement, deadwood, best discard, the end of a knock.

Hands are masks here (see :mod:`gin_sim.cards`); the answers are the Structs of
:mod:`gin_sim.results.hands`.  The functions check what they are given and say what is wrong with
it; the two kernels trust them, loop over whole arrays, and serve one hand as an array of one.
Nothing here reads text or draws, and no number is an estimate: there is no opponent's play in it.
"""

from gin_sim.single_hands.answers import analyse_hand, analyse_hands
from gin_sim.single_hands.arrangement import arrange_hands, deadwoods
from gin_sim.single_hands.checks import HandsError
from gin_sim.single_hands.knocks import settle, settle_hands
from gin_sim.single_hands.settlement import settle_knocks

__all__ = [
    "HandsError",
    "analyse_hand",
    "analyse_hands",
    "arrange_hands",
    "deadwoods",
    "settle",
    "settle_hands",
    "settle_knocks",
]
