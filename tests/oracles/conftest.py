"""Functions that a lesson derives, for tests that hold them against another package."""

import ast
from types import SimpleNamespace

import lessons
import pytest


@pytest.fixture(scope="session")
def derived():
    """What a notebook's visible cells define: its functions, by name, after its imports."""

    def derived(name):
        space = {}
        cells = lessons.read(lessons.NOTEBOOKS / f"{name}.ipynb").code
        exec(cells[0].source, space)
        for cell in cells[1:]:
            functions = [node for node in ast.parse(cell.source).body if isinstance(node, ast.FunctionDef)]
            exec(compile(ast.Module(functions, []), name, "exec"), space)
        return SimpleNamespace(**space)

    return derived
