"""What stays in a kernel when a cell with an explorer is run again and again."""

import nbformat
from nbclient import NotebookClient

CELL = """import numpy as np
from evalteach import ThresholdExplorer
rng = np.random.default_rng(0)
ThresholdExplorer(rng.random(2000) < 0.3, rng.random(2000))"""
COUNT = """import gc
from ipywidgets.widgets.widget import _instances
from evalteach.explorers import Explorer
gc.collect()
print(sum(hasattr(each, "view") for each in gc.get_objects() if isinstance(each, Explorer)), len(_instances))"""
STILL_MOVES = """view = next(each for each in _instances.values() if type(each).__name__ == "_RealBox")
said = [each for each in _instances.values() if type(each).__name__ == "HTML"]
view.value = 0.25
print([each.value for each in said if "Threshold 0.25" in each.value] != [])"""


def printed(runs):
    """What the last cell of a notebook prints, each cell run so many times in one kernel."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell, _ in runs])
    client = NotebookClient(notebook, timeout=120)
    with client.setup_kernel():
        for place, (_, times) in enumerate(runs):
            for _ in range(times):
                client.execute_cell(notebook.cells[place], place)
    return "".join(output.get("text", "") for output in notebook.cells[-1].outputs)


def test_a_cell_that_is_run_again_keeps_one_explorer_and_its_widgets_only():
    once, forty = printed([(CELL, 1), (COUNT, 1)]), printed([(CELL, 40), (COUNT, 1)])
    assert once == forty
    assert once.startswith("1 ")


def test_two_cells_keep_one_explorer_each_and_one_without_a_name_still_moves():
    other = CELL.replace("0.3", "0.4")
    assert printed([(CELL, 3), (other, 3), (COUNT, 1)]).startswith("2 ")
    assert printed([(CELL, 2), ("import gc; gc.collect()", 1), (COUNT, 1), (STILL_MOVES, 1)]) == "True\n"
