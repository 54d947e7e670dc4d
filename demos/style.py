"""The colours of every picture (Okabe and Ito's, safe for the colour-blind), and how a picture becomes a file.

Matplotlib is loaded only when something is drawn, for it loads slower than all the rest.
"""
import io

import numpy as np

BLUE, SKY, RED, PINK, AMBER, GREEN, GREY = ("#0072B2", "#56B4E9", "#D55E00", "#CC79A7", "#E69F00", "#009E73", "#666666")


def figure(width: float, height: float, title: str = ""):
    """An empty figure in inches."""
    from matplotlib.figure import Figure
    picture = Figure(figsize=(width, height), dpi=110, layout="constrained")
    picture.suptitle(title)
    return picture


def legend(picture, place=None) -> None:
    """One legend for all panels, right of them or in a place of its own; dashes are seen beside the markers."""
    handles = {label: handle for axes in picture.axes for handle, label in zip(*axes.get_legend_handles_labels())}
    (place or picture).legend(handles.values(), handles, loc="center" if place else "outside right center",
                              handlelength=4, fontsize="small")


def png(picture) -> bytes:
    """The content of a file: panels get smaller titles than the figure, each colour 16 levels, which halves the file."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.image import imsave
    for axes in picture.axes:
        for title in (axes.title, axes._left_title):
            title.set_fontsize("medium")
    canvas, content = FigureCanvasAgg(picture), io.BytesIO()
    canvas.draw()
    imsave(content, (17 * np.rint(np.array(canvas.buffer_rgba()) / 17)).astype(np.uint8), format="png")
    return content.getvalue()
