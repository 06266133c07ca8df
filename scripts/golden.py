"""Write gin_sim/checks/golden.json: the sums that `gin-sim bench` and the tests insist on.

Run it only when the engine's numbers are meant to change, and say why in the commit.
"""

import json
from pathlib import Path

from gin_sim.checks.bench import play_golden

PLANS = [
    (["greedy", "greedy:knock=5"], "standard", 20_000),
    (["simple", "greedy:knock=0"], "eaai", 20_000),
    (["random", "simple"], "oklahoma", 10_000),
    (["greedy", "simple"], "openspiel", 10_000),
]


def main() -> None:
    """Play each plan and write its sums."""
    entries = [
        {"policies": policies, "rules": rules, "hands": hands, "seed": 1}
        for policies, rules, hands in PLANS
    ]
    lines = [json.dumps({**entry, "sums": play_golden(entry)}) for entry in entries]
    target = Path(__file__).resolve().parent.parent / "gin_sim" / "checks" / "golden.json"
    target.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
