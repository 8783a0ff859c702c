"""What a notebook shows: a picture of a run, a table of a certificate, in plain HTML.

SPDX-License-Identifier: BSD-3-Clause
"""
from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

if TYPE_CHECKING:
    from .certificate import Certificate
    from .run import Run

COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#17becf")
WIDTH, HEIGHT, POINTS = 560.0, 180.0, 600


def curve(t: Any, x: Any, colour: str, low: float, high: float) -> str:
    """A polyline of SVG."""
    pick = np.unique(np.linspace(0, len(t) - 1, min(len(t), POINTS)).astype(int))
    span, height = (t[-1] - t[0]) or 1.0, (high - low) or 1.0
    points = " ".join(f"{(t[i] - t[0]) / span * WIDTH:.1f},{(high - x[i]) / height * HEIGHT:.1f}"
                      for i in pick if np.isfinite(x[i]))
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.2"/>'


def run_html(run: "Run") -> str:
    """Coordinates against time as SVG, and what the run is."""
    names = [n for n in run.system.coordinates if n in run][:len(COLOURS)]
    picture = ""
    if "t" in run and names and len(run) > 1:
        columns = [run[n] for n in names]
        every = np.concatenate(columns)
        every = every[np.isfinite(every)]
        low, high = (float(every.min()), float(every.max())) if len(every) else (0.0, 1.0)
        curves = "".join(curve(run.t, x, c, low, high) for x, c in zip(columns, COLOURS))
        key = " ".join(f'<span style="color:{c}">{html.escape(n)}</span>' for n, c in zip(names, COLOURS))
        picture = (f'<svg viewBox="-4 -4 {WIDTH + 8:.0f} {HEIGHT + 8:.0f}" width="{WIDTH:.0f}" role="img" '
                   f'aria-label="coordinates against time"><rect width="{WIDTH:.0f}" height="{HEIGHT:.0f}" fill="none" '
                   f'stroke="#999"/>{curves}</svg><div>{key}; t = {run.t[0]:.6g} .. {run.t[-1]:.6g}, '
                   f'from {low:.4g} to {high:.4g}</div>')
    ended = f"<div><b>ended: {html.escape(run.ended)}</b></div>" if run.ended else ""
    return (f"<div>{html.escape(repr(run)[1:-1])}</div>{picture}{ended}"
            + "".join(f"<div>warning: {html.escape(w)}</div>" for w in run.warnings)
            + (f"<div>note: {html.escape(run.note)}</div>" if run.note else ""))


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of HTML; the cells are text."""
    def line(tag: str, cells: Sequence[str]) -> str:
        styles = ["text-align:left;white-space:nowrap"] * (len(cells) - 1) + ["text-align:left"]
        return "<tr>" + "".join(f'<{tag} style="{s}">{html.escape(c)}</{tag}>' for c, s in zip(cells, styles)) + "</tr>"
    return "<table>" + line("th", head) + "".join(line("td", r) for r in rows) + "</table>"


def certificate_html(shown: "Certificate") -> str:
    """Symmetries and laws as tables."""
    laws = table(["verdict", "law", "value", "bound", "what"],
                 [[law["verdict"], name, f"{law['value']:.2e}" if law["value"] is not None else "",
                   f"<= {law['bound']:.1e}" if law.get("bound") is not None else "", law.get("what", "")]
                  for name, law in shown.laws.items()])
    found = table(["symmetry", "what", "momentum"], [[n, s["what"], s["momentum"]] for n, s in shown.symmetries.items()])
    return (found if shown.symmetries else "") + laws + (
        "<b>All that is promised holds.</b>" if shown.holds else "<b>NOT all that is promised holds.</b>")
