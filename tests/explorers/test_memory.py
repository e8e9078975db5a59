"""What stays in a kernel when a cell with an explorer is run again and again."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

TESTS = Path(__file__).resolve().parents[1]

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
said = [each for each in _instances.values() if each._view_name == "HTMLView"]
view.value = 0.25
print([each.value for each in said if "Threshold 0.25" in each.value] != [])"""

MANY = f"""import sys
sys.path.insert(0, {str(TESTS)!r})
from explorers.helpers import CASES, move
made = [case.make() for case in (3 * [*CASES.values()])[:50]]
turns = [[values for values in case.moves if values] for case in (3 * [*CASES.values()])[:50]]"""
COUNT_OBJECTS = """import gc
gc.collect()
print(len(made), len(gc.get_objects()))"""
# four rounds of 250; what is kept for a quick answer is filled in the first
ROUND = f"""for turn in range(5):
    for explorer, values in zip(made, turns):
        move(explorer, **values[turn % len(values)])
{COUNT_OBJECTS}"""


def printed(runs):
    """What is printed after each of the runs, of a cell so many times, by the last cell then; all in one kernel."""
    cells = {source: nbformat.v4.new_code_cell(source) for source, _ in runs}
    client = NotebookClient(nbformat.v4.new_notebook(cells=[*cells.values()]), timeout=600)
    texts = []
    with client.setup_kernel():
        for source, times in runs:
            for _ in range(times):
                client.execute_cell(cells[source], [*cells].index(source))
            texts.append("".join(output.get("text", "") for output in cells[source].outputs))
    return texts


def test_a_cell_that_is_run_again_keeps_one_explorer_and_its_widgets_only():
    _, once, _, often = printed([(CELL, 1), (COUNT, 1), (CELL, 5), (COUNT, 1)])
    assert once == often
    assert once.startswith("1 ")


def test_two_cells_keep_one_explorer_each_and_one_without_a_name_still_moves():
    other = CELL.replace("0.3", "0.4")
    *_, one, still_moves, _, two = printed([(CELL, 2), (COUNT, 1), (STILL_MOVES, 1), (other, 3), (COUNT, 1)])
    assert (one.split()[0], still_moves, two.split()[0]) == ("1", "True\n", "2")


@pytest.mark.browser_full
def test_fifty_explorers_do_not_grow_in_a_thousand_moves():
    texts = printed([(MANY, 1), (ROUND, 1), (ROUND, 1), (ROUND, 1), (ROUND, 1)])
    explorers, objects = zip(*(map(int, text.split()) for text in texts[1:]), strict=True)
    assert set(explorers) == {50}
    assert max(objects[1:]) < 1.01 * objects[0], "each round of 250 moves leaves objects behind"
