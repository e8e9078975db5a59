"""Runs notebooks and writes them back with their outputs, frozen: the one way to change what a notebook shows.

    python tests/tools/refresh_outputs.py [notebooks/01_confusion_matrix.ipynb ...]

Frozen means: run counts 1..n, no widget state and no widget views (a saved view is dead wherever no
kernel runs), no timings, and nothing in the metadata but what every notebook has, what is folded (headings saved
collapsed, code whose source is hidden), and which slide a cell begins.
"""

import os
import sys
from pathlib import Path

import nbformat
from lessons import COLLAPSED
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
SLIDES = ("slide", "subslide", "fragment", "skip", "notes")  # what nbconvert knows
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}


def freeze(notebook):
    """Take out of an executed notebook what only lived during its run."""
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        tags = sorted(cell.metadata.get("tags", []))
        folded = cell.metadata.get("jupyter", {}).get("source_hidden") is True or "solution" in tags
        collapsed = cell.metadata.get(COLLAPSED) is True
        slide = cell.metadata.get("slideshow", {}).get("slide_type")
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if slide in SLIDES:
            cell.metadata["slideshow"] = nbformat.from_dict({"slide_type": slide})
        if folded and cell.cell_type == "code":
            cell.metadata["jupyter"] = nbformat.from_dict({"source_hidden": True})
        if collapsed and cell.cell_type == "markdown":
            cell.metadata[COLLAPSED] = True
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)
            if "metadata" in output:
                output.metadata.pop(WIDGET_VIEW, None)
    return notebook


def run(path):
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    nbformat.write(freeze(notebook), path)


if __name__ == "__main__":
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"  # the kernel of this environment, not the user's
    for given in sys.argv[1:] or sorted(map(str, NOTEBOOKS.glob("*.ipynb"))):
        print(given, flush=True)
        run(Path(given).resolve())
