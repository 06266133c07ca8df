"""gin-sim answers "when should I knock?" in gin rummy, with numbers that can be trusted.

The package is laid out in rooms that import only downwards:
``cli > report > analysis > simulate > policies > engine > rules, cards``.
Importing ``gin_sim`` itself is cheap: nothing here loads Numba, pandas or matplotlib.
The functions most users want live in :mod:`gin_sim.analysis.hands` (exact deadwood, best
discard, layoffs) and :mod:`gin_sim.simulate.run` (millions of hands between two policies).
"""

__version__ = "0.1.0"
