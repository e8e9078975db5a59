"""What axe-core finds in notebooks in JupyterLab: in what they hold, not in what JupyterLab puts around it."""

import pytest
from accessibility import barriers
from lab_scripts import OPEN_ALL

pytestmark = pytest.mark.browser_full
# menus, toolbars, prompts and the editors of cells are JupyterLab's; texts, outputs and widgets are ours
OURS = {"include": [[".jp-RenderedMarkdown"], [".jp-OutputArea-output"]]}


@pytest.mark.parametrize(
    "notebook",
    ["00_start_here.ipynb", "01_confusion_matrix.ipynb", "10_class_ratio.ipynb"],
    indirect=True,
    scope="module",
)
def test_nothing_in_a_notebook_keeps_a_reader_out(notebook):
    page = notebook.page
    page.evaluate(OPEN_ALL)
    page.locator(".jp-OutputArea-output .noUi-handle").first.wait_for(state="attached")
    assert barriers(page, OURS) == []
