"""``python -m gin_sim`` is ``gin-sim``."""

from gin_sim.cli import main

if __name__ == "__main__":
    main()
