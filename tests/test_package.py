"""What the package imports and when, which module may know which, and what it offers."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import evalteach

PACKAGE = Path(evalteach.__file__).resolve().parent
MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
    for path in sorted(PACKAGE.rglob("*.py"))
}

HEAVY = ("numpy", "pandas", "matplotlib", "ipywidgets", "anywidget", "sklearn", "scipy", "pooch")
PARTS = {module.split(".")[0] for module in MODULES}  # __init__ is a part, too: what the package offers
PUBLIC = set(evalteach.__all__)
OFFERED = {part for part in PARTS if not part.startswith("_")}

# ground <- counts <- metrics <- widgets <- practice, pictures <- widgets; what is named nowhere else is a metric
LAYERS = {
    "offer": {"__init__", "__main__"},
    "counts": {"counts"},
    "pictures": {"plots"},
    "widgets": {"explorers"},
    "data": {"data"},
    "practice": {"interview"},
    "command": {"command"},
    "exercises": {"exercises"},
}
LAYERS["ground"] = {part for part in PARTS if part.startswith("_")} - LAYERS["offer"]
LAYERS["metrics"] = PARTS - set().union(*LAYERS.values())
MAY_IMPORT = {
    "offer": {"command"},
    "ground": {"ground"},
    "counts": {"ground"},
    "metrics": {"ground", "counts", "metrics"},
    "pictures": {"ground"},
    "widgets": {"ground", "counts", "metrics", "pictures", "widgets", "offer"},
    "data": {"ground", "data"},
    "practice": {"offer", "ground", "counts", "metrics", "pictures", "widgets", "data", "practice", "command"},
    "command": {"offer", "ground", "counts", "metrics", "command"},
    "exercises": {"ground"},
}

# what `evalteach` imports before it knows what it is asked for
AT_ONCE = {"__init__", "__main__", "_record"}
AT_ONCE |= {f"command.{name}" for name in ("main", "catalogue", "environment", "folder", "report", "terminal")}

every_module = pytest.mark.parametrize("module", MODULES)


def part(module):
    """The file or folder of the package that a module belongs to."""
    return module.split(".")[0]


def imported(module):
    """Full names of all that a module imports, at its top or inside a function."""
    names = set()
    for node in ast.walk(MODULES[module]):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            # a relative import counts like the absolute one
            home = ["evalteach", *module.split(".")][: -node.level] if node.level else []
            source = ".".join([*home, *([node.module] if node.module else [])])
            names |= {f"{source}.{alias.name}" for alias in node.names}
    return names


def parts_imported(module):
    """Parts of the package that a module imports; ``__init__`` for what is defined there."""
    found = set()
    for name in imported(module):
        first, *rest = name.split(".")
        if first == "evalteach":
            found.add(rest[0] if rest and rest[0] in PARTS else "__init__")
    return found


def run(code):
    """Standard output of a fresh Python that runs the code beside the package."""
    done = subprocess.run([sys.executable, "-c", code], cwd=PACKAGE.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def loaded_by(statement):
    return set(run(f"{statement}; import sys; print(*[name for name in {HEAVY} if name in sys.modules])"))


# --- what an import loads --------------------------------------------------------------------------------


def test_importing_the_package_loads_nothing_heavy():
    assert loaded_by("import evalteach") == set()
    assert loaded_by("import evalteach; dir(evalteach); evalteach.__version__") == set()


def test_importing_the_command_line_loads_nothing_heavy():
    assert loaded_by("import evalteach.command.main") == set()


@pytest.mark.parametrize("statement", ["import evalteach.counts", "import evalteach; evalteach.sweep([0, 1], [1, 2])"])
def test_counting_needs_numpy_only(statement):
    assert loaded_by(statement) == {"numpy"}


def test_metrics_and_class_ratios_need_numpy_only():
    moved = "evalteach.at_class_ratio(evalteach.Counts(tp=1, fp=2, fn=3, tn=4), 5)"
    assert loaded_by(f"import evalteach; evalteach.classification.recall({moved})") == {"numpy"}


# --- what the package offers -----------------------------------------------------------------------------


def test_every_explorer_and_the_review_log_are_offered_by_the_package_and_by_explorers():
    from evalteach import explorers

    defined = {
        node.name
        for module in MODULES
        for node in public(MODULES[module].body)
        if part(module) == "explorers" and (node.name.endswith("Explorer") or node.name == "ReviewLog")
    }
    assert defined == set(explorers.__all__) == {"Explorer", *(name for name in PUBLIC if name in explorers.__all__)}
    assert all(getattr(explorers, name) is getattr(evalteach, name) for name in defined - {"Explorer"})


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_name_is_what_its_module_defines(name):
    value = getattr(evalteach, name)
    assert value.__name__ == name
    assert value.__module__.startswith("evalteach.")
    assert getattr(evalteach, name) is value


@pytest.mark.parametrize("name", sorted(OFFERED))
def test_a_module_is_an_attribute_before_anyone_imports_it(name):
    assert run(f"import evalteach; print(evalteach.{name}.__name__)") == [f"evalteach.{name}"]


def test_dir_lists_the_public_names_and_the_modules_before_they_are_loaded():
    listed = run("import evalteach; print(*dir(evalteach))")
    assert PUBLIC | OFFERED | {"__version__"} <= set(listed)
    assert listed == sorted(listed)


def test_dir_lists_each_name_once():
    listed = run("import evalteach; evalteach.Counts; print(*dir(evalteach))")
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("name", ["swep", "_inputs_", "Explorer"])
def test_an_unknown_name_is_an_attribute_error(name):
    with pytest.raises(AttributeError, match=f"^module 'evalteach' has no attribute '{name}'$"):
        getattr(evalteach, name)
    assert not hasattr(evalteach, name)


# --- which module may know which -------------------------------------------------------------------------


def layer(name):
    return next(layer for layer, parts in LAYERS.items() if name in parts)


def test_every_layer_has_its_parts_and_no_part_two_layers():
    assert all(parts and parts <= PARTS for parts in LAYERS.values())
    assert sum(map(len, LAYERS.values())) == len(PARTS)


@every_module
def test_imports_point_one_way(module):
    imported_from = {layer(other) for other in parts_imported(module)}
    assert imported_from <= MAY_IMPORT[layer(part(module))]


@every_module
def test_nothing_is_imported_by_a_name_that_this_file_cannot_read(module):
    by_name = {name for name in imported(module) if name.endswith((".import_module", ".__import__"))}
    called = {ast.unparse(node.func) for node in ast.walk(MODULES[module]) if isinstance(node, ast.Call)}
    by_name |= {name for name in called if name in ("__import__", "importlib.import_module", "exec", "eval")}
    # the questions' own expressions are evaluated where they are read, see test_interview.py
    assert not by_name or module == "__init__" or (module, by_name) == ("interview.bank", {"eval", "__import__"})


def test_no_part_imports_itself_by_way_of_others():
    reached = {name: set() for name in PARTS - LAYERS["offer"]}
    for module in MODULES:
        if part(module) in reached:
            reached[part(module)] |= (parts_imported(module) & set(reached)) - {part(module)}
    for _ in reached:
        reached = {name: others.union(*(reached[o] for o in others)) for name, others in reached.items()}
    assert not [name for name, others in reached.items() if name in others]


@every_module
def test_only_explorers_and_checks_import_widgets(module):
    widgets = {name for name in imported(module) if name.split(".")[0] in ("ipywidgets", "traitlets")}
    widgets -= {"traitlets.config.Config"}  # which IPython takes
    assert not widgets or part(module) in ("explorers", "exercises", "interview")


@every_module
def test_plots_do_not_import_scikit_learn(module):
    learned = {name for name in imported(module) if name.split(".")[0] == "sklearn"}
    assert not learned or part(module) != "plots"


@every_module
def test_pyplot_is_not_used_anywhere(module):
    assert not [name for name in imported(module) if {"pyplot", "pylab"} & set(name.split("."))]
    attributes = {node.attr for node in ast.walk(MODULES[module]) if isinstance(node, ast.Attribute)}
    assert "pyplot" not in attributes


@every_module
def test_the_command_line_needs_the_standard_library_only_at_its_top(module):
    if module in AT_ONCE:
        names = set()
        for node in MODULES[module].body:
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names.add(node.module)
        assert {name.split(".")[0] for name in names} <= {*sys.stdlib_module_names, "evalteach"}


# --- what is written about it ----------------------------------------------------------------------------


EXPORTED = {*PUBLIC, "Explorer"}


def undocumented(module):
    """What a notebook can call without a docstring: functions, classes and their methods.

    A method that reads like an attribute is described by its class, one that overrides another by the class
    it comes from, and the functions of the command line by its --help.
    """
    for node in public(MODULES[module].body):
        if module.startswith("explorers.") and node.name not in EXPORTED:
            continue
        if not ast.get_docstring(node):
            yield node.name
        if isinstance(node, ast.ClassDef) and not node.bases:
            for method in public(node.body):
                if not ast.get_docstring(method) and not is_property(method):
                    yield f"{node.name}.{method.name}"


def public(body):
    definitions = (node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef))
    return [node for node in definitions if not node.name.startswith("_")]


def is_property(method):
    marks = [ast.unparse(mark).rpartition(".")[2] for mark in method.decorator_list]
    return bool({"property", "cached_property", "setter"} & set(marks))


@every_module
def test_every_module_says_what_it_is(module):
    assert ast.get_docstring(MODULES[module])


@pytest.mark.parametrize("module", [name for name in MODULES if name not in AT_ONCE | {"_inputs"}])
def test_every_public_function_and_class_has_a_docstring(module):
    assert list(undocumented(module)) == []
