"""Write the output of README.md's commands, and the files it shows, into README.md.

Each ```console block that starts with `$ gin-sim ...` gets what the command prints now, and each
block under a line that ends in a file's name in backquotes and a colon gets the file; the tests
compare both.
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
SHOWN_FILE = re.compile(r"(`(tests/data/[^`]+)`:\n\n```\w+\n)(.*?)```", re.DOTALL)


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


def text_of(name: str) -> str:
    """Return the text of a file of the project."""
    return (ROOT / name).read_text(encoding="utf-8")


def main() -> None:
    """Fill every block."""
    text = README.read_text(encoding="utf-8")
    filled = BLOCK.sub(lambda m: f"```console\n$ {m[1]}\n{output_of(m[1])}```", text)
    filled = SHOWN_FILE.sub(lambda m: f"{m[1]}{text_of(m[2])}```", filled)
    README.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main()
