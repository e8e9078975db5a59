"""What axe-core finds in notebooks in JupyterLab: in what they hold, not in what JupyterLab puts around it."""

import pytest
from accessibility import barriers
from lab_scripts import CLOSE, OPEN, OPEN_ALL, READY

pytestmark = pytest.mark.browser_full
# menus, toolbars, prompts and the editors of cells are JupyterLab's; texts, outputs and widgets are ours. JupyterLab
# draws a picture without the text that the notebook gives for it, which the pages of .ci/site have
OURS = {"include": [[".jp-RenderedMarkdown"], [".jp-OutputArea-output:not(.jp-RenderedImage)"]]}


@pytest.mark.parametrize("name", ["00_start_here", "01_confusion_matrix", "10_class_ratio"])
def test_nothing_in_a_notebook_keeps_a_reader_out(window, name):
    page = window.page
    page.evaluate(OPEN, f"{name}.ipynb")
    page.wait_for_function(READY, arg=f"{name}.ipynb")
    page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
    page.evaluate(OPEN_ALL)
    page.locator(".jp-OutputArea-output .noUi-handle").first.wait_for(state="attached")
    assert barriers(page, OURS) == []
    page.evaluate(CLOSE)
