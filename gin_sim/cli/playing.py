"""How commands whose results are not yet Structs write them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import click


def json_text(described: dict) -> str:
    """Return a result as the JSON text that ``--json`` prints."""
    return json.dumps(described, indent=2, ensure_ascii=False, allow_nan=False)


def write_result(
    kind: str, described: dict, tables: dict, out: Path, quiet: bool, charts: bool = True
) -> None:
    """Write a result's tables, charts and manifest.

    Parameters
    ----------
    kind : str
        What :func:`gin_sim.report.charts.draw_saved_charts` knows.
    described : dict
        The result as it is printed with ``--json``.
    tables : dict of str to DataFrame
        By file name without ending.
    out : Path
    quiet : bool
    charts : bool
        Whether to draw them.
    """
    from gin_sim.report.charts import draw_saved_charts
    from gin_sim.results.folder import describe_run, has_parquet, write_results

    ran = shlex.join(["gin-sim", *click.get_current_context().find_root().obj])
    write_results(
        out,
        tables,
        draw_saved_charts(kind, described, ran) if charts else {},
        {**describe_run(ran), "kind": kind, "result": described},
    )
    if not quiet:
        without = "" if has_parquet() else " (no Parquet: pip install 'gin-sim[parquet]')"
        what = "Tables, chart and manifest" if charts else "Tables and manifest"
        click.echo(f"{what} are in {out}{without}.", err=True)
