"""Whether a drawn chart reads: nothing is cut, no two texts overlap, and nothing says nan."""

from __future__ import annotations

import numpy as np


def texts_of(figure):
    """Every text that is shown, the ticks within the axes' limits too."""
    found = [figure._suptitle, figure._supxlabel]
    for axes in figure.axes:
        found += axes.get_legend().texts if axes.get_legend() else []
        if not axes.axison:
            continue
        found += [axes.title, axes._left_title, axes.xaxis.label, axes.yaxis.label, *axes.texts]
        for axis, limits in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            low, high = sorted(limits)
            ticks = zip(axis.get_ticklocs(), axis.get_ticklabels(), strict=True)
            found += [label for place, label in ticks if low <= place <= high]
            found.append(axis.get_offset_text())
    return [text for text in found if text.get_text() and text.get_visible()]


def check_that_it_reads(figure):
    figure.draw_without_rendering()
    whole = figure.bbox
    texts = texts_of(figure)
    assert not [text for text in texts if "nan" in text.get_text()]
    boxes = np.array([text.get_window_extent().extents for text in texts])
    inside = (boxes >= [*whole.min - 1] * 2) & (boxes <= [*whole.max + 1] * 2)
    assert not [text.get_text() for text, fits in zip(texts, inside, strict=True) if not all(fits)]
    # Pixels that two texts share, across and up.
    low, high = boxes[:, None, :2], boxes[:, None, 2:]
    shared = np.minimum(high, high.swapaxes(0, 1)) - np.maximum(low, low.swapaxes(0, 1))
    touching = np.argwhere(np.triu((shared > [1, 2]).all(axis=-1), 1))
    assert not [(texts[i].get_text(), texts[j].get_text()) for i, j in touching]
