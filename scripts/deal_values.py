"""Count what the 15,820,024,220 hands of ten cards are worth on average, to adjust for luck.

Deadwood, meldable cards and outs do not change when suits change names: of each class of hands, the
one whose suits are in order is looked at, and counted as many times as the class has hands.  Prints
the sums that gin_sim/play/luck.py holds; ten seconds on one core.
"""

import sys

import numpy as np

from gin_sim.engine.jit import jit
from gin_sim.play.luck import N_VALUES, VALUE_SUMS, hand_values

N_RANKS = 13


def suits_in_order(n_ranks: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the holdings of one suit by number of cards, and where each number starts."""
    holdings = sorted(range(1 << n_ranks), key=lambda cards: (cards.bit_count(), cards))
    counts = [cards.bit_count() for cards in holdings]
    starts = [counts.index(n) for n in range(n_ranks + 1)] + [len(holdings)]
    return np.array(holdings, np.int64), np.array(starts, np.int64)


@jit
def sum_values(holdings, starts, n_cards, sums):
    """Sum the values of all hands of so many cards; return the number of hands.

    Parameters
    ----------
    holdings, starts : int64 arrays
        From :func:`suits_in_order`.
    n_cards : int64
    sums : int64 array of length N_VALUES
        Added to.
    """
    most = len(starts) - 2
    n_hands = 0
    for n_a in range(min(most, n_cards // 4) + 1):
        for n_b in range(n_a, min(most, (n_cards - n_a) // 3) + 1):
            for n_c in range(n_b, min(most, (n_cards - n_a - n_b) // 2) + 1):
                n_d = n_cards - n_a - n_b - n_c
                if n_d > most:
                    continue
                for a in range(starts[n_a], starts[n_a + 1]):
                    for b in range(max(a, starts[n_b]), starts[n_b + 1]):
                        two = holdings[a] | holdings[b] << 13
                        for c in range(max(b, starts[n_c]), starts[n_c + 1]):
                            three = two | holdings[c] << 26
                            for d in range(max(c, starts[n_d]), starts[n_d + 1]):
                                n_alike = n_orders(a, b, c, d)
                                values = hand_values(three | holdings[d] << 39)
                                n_hands += n_alike
                                for value in range(N_VALUES):
                                    sums[value] += n_alike * values[value]
    return n_hands


@jit
def n_orders(a, b, c, d):
    """Return in how many ways four holdings in ascending order can be given to four suits."""
    if a == d:
        return 1
    if a == c or b == d:
        return 4
    if a == b and c == d:
        return 6
    if a == b or b == c or c == d:
        return 12
    return 24


def main() -> None:
    """Count, print, and say whether the package holds the same sums."""
    sums = np.zeros(N_VALUES, np.int64)
    n_hands = sum_values(*suits_in_order(N_RANKS), 10, sums)
    print(f"{n_hands:,} hands; sums {sums.tolist()}; means {(sums / n_hands).tolist()}")
    if sums.tolist() != list(VALUE_SUMS):
        sys.exit(f"gin_sim/play/luck.py holds {list(VALUE_SUMS)}")


if __name__ == "__main__":
    main()
