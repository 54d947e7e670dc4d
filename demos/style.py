"""The colours of every picture (Okabe and Ito's, safe for the colour-blind), and how a picture becomes a file.

Matplotlib is loaded only when something is drawn, for it loads slower than all the rest.
"""
import io

import numpy as np

BLUE, SKY, RED, PINK, AMBER, GREEN, GREY = ("#0072B2", "#56B4E9", "#D55E00", "#CC79A7", "#E69F00", "#009E73", "#666666")
AREA = 1000                                  # pixels of a colour that is more than the edge of something


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
    """The content of a file, half as long as Matplotlib's own: the edges of letters and lines get 8 levels a colour.

    Panels get smaller titles than the figure.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.image import imsave
    for axes in picture.axes:
        axes.title.set_fontsize("medium")
    canvas, content = FigureCanvasAgg(picture), io.BytesIO()
    canvas.draw()
    pixels = np.array(canvas.buffer_rgba())
    _, place, counts = np.unique(pixels.view(np.uint32), return_inverse=True, return_counts=True)
    rare = (counts < AREA)[place].reshape(*pixels.shape[:2], 1)
    coarse = np.minimum(255, 37 * np.rint(pixels / 37)).astype(np.uint8)
    imsave(content, np.where(rare, coarse, pixels), format="png")
    return content.getvalue()
