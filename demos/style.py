"""The colours of every picture (Okabe and Ito's, safe for the colour-blind), and how a picture becomes a file.

Matplotlib is loaded only when something is drawn, for it loads slower than all the rest.
"""
import io

BLUE, SKY, RED, PINK, AMBER, GREEN, GREY = ("#0072B2", "#56B4E9", "#D55E00", "#CC79A7", "#E69F00", "#009E73", "#666666")


def figure(width: float, height: float, title: str = ""):
    """An empty figure in inches."""
    from matplotlib.figure import Figure
    picture = Figure(figsize=(width, height), layout="constrained")
    picture.suptitle(title)
    return picture


def png(picture) -> bytes:
    """The figure as the content of a file."""
    content = io.BytesIO()
    picture.savefig(content, format="png", dpi=110)
    return content.getvalue()
