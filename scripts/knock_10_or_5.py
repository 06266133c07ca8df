"""Write results/knock_10_or_5: the README's first answer with its tables and chart.

.venv/bin/python scripts/knock_10_or_5.py
"""

import os
from pathlib import Path

from gin_sim.cli import main

ROOT = Path(__file__).resolve().parent.parent
MAIN_JOB = "simulate greedy:knock=10 greedy:knock=5 --hands 1e6 --seed 1"

if __name__ == "__main__":
    os.chdir(ROOT)
    main([*MAIN_JOB.split(), "--out", "results/knock_10_or_5"])
