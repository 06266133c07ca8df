"""How fast the engine is on one machine, measured after its sums are found right."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import UNSET, UnsetType

from gin_sim.results.common import Answer, Row


class BenchRow(Row):
    """One figure of a benchmark.

    Parameters
    ----------
    figure : str
        What was measured, as ``--only`` names it.
    threads : int or None
        How many threads played; None where the figure has none.
    value : float
        The median of five runs, of a cold compile the only one, in ``unit``.
    unit : str
        ``hands per second``, ``ns`` (per call) or ``CPU s``.
    """

    figure: str
    threads: int | None
    value: float
    unit: str


class Bench(Answer, kw_only=True, tag="bench"):
    """The engine's speed on one machine; what was not asked for is not there.

    Parameters
    ----------
    machine : str
        Python, Numba, processor and cores.
    golden_tallies : int
        How many fixed simulations had exactly the sums that they must have.
    hands_per_second : dict of str to dict of str to int
        By pairing, and by number of threads.
    ns : dict of str to float
        Nanoseconds per call, by part of the engine.
    cold_compile_cpu_seconds : dict of str to float
        CPU seconds of a small question with an empty cache, by command: nearly all is compiling.
    """

    machine: str
    golden_tallies: int
    hands_per_second: dict[str, dict[str, int]] | UnsetType = UNSET
    ns: dict[str, float] | UnsetType = UNSET
    cold_compile_cpu_seconds: dict[str, float] | UnsetType = UNSET

    TABLES: ClassVar[dict[str, type[Row]]] = {"figures": BenchRow}

    def rows(self) -> dict[str, list[Any]]:
        """Return a row for each figure."""
        rows = [
            BenchRow(figure=name, threads=int(count), value=speed, unit="hands per second")
            for name, speeds in (self.hands_per_second or {}).items()
            for count, speed in speeds.items()
        ]
        rows += [
            BenchRow(figure=name, threads=None, value=ns, unit="ns")
            for name, ns in (self.ns or {}).items()
        ]
        rows += [
            BenchRow(figure=f"cold_compile {command}", threads=None, value=seconds, unit="CPU s")
            for command, seconds in (self.cold_compile_cpu_seconds or {}).items()
        ]
        return {"figures": rows}
