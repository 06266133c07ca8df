"""Write the output of README.md's commands into README.md.

Each ```console block that starts with `$ gin-sim ...` gets what the command prints now; the tests
run the same commands and compare.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"```console\n\$ (gin-sim [^\n]+)\n(.*?)```", re.DOTALL)


def output_of(command: str) -> str:
    """Run a command of the README in the project's folder and return what it prints."""
    ran = subprocess.run(
        [sys.executable, "-m", *shlex.split(command.replace("gin-sim", "gin_sim", 1))],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        check=True,
    )
    return ran.stdout


def main() -> None:
    """Fill every block."""
    text = README.read_text(encoding="utf-8")
    filled = BLOCK.sub(lambda m: f"```console\n$ {m[1]}\n{output_of(m[1])}```", text)
    README.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main()
