"""The check of exercises says nothing that is not so, and the exercises of the notebooks let no wrong answer pass.

Every solution is broken on purpose: operators, swapped or ignored arguments, dropped terms, constants, order, rounding.
A broken one that gives something else than the solution on other inputs has to be refused on the exercise's own tries.
One notebook: ``pytest -q -n0 tests/test_exercises.py -k 10_``.
"""

import ast
import builtins
import contextlib
import copy
import dis
import functools
import io
import itertools
import re
import runpy
import symtable
import warnings
from fractions import Fraction
from pathlib import Path
from types import CodeType, SimpleNamespace

import lessons
import matplotlib
import numpy as np
import pytest

from evalteach import exercises
from evalteach.counts import Counts
from evalteach.exercises import check

TRIES = [({"tp": 8, "fp": 2}, 0.8), ({"tp": 1, "fp": 3}, 0.25), ({"tp": 0, "fp": 0}, np.nan)]


def precision(tp, fp):
    return tp / (tp + fp) if tp + fp else np.nan


def swapped(tp, fp):
    return precision(fp, tp)


@pytest.fixture
def line(capsys):
    """Check an answer: the one line that is printed."""

    def line(answer, tries=TRIES, mistakes=None):
        assert check(answer, tries, mistakes) is None
        (printed,) = capsys.readouterr().out.splitlines()
        return printed

    return line


def test_a_right_answer_is_correct_in_as_many_cases_as_there_are(line):
    assert line(precision) == "Correct in all 3 cases."
    assert line(precision, TRIES[:1]) == "Correct in the only case."
    assert line(precision, mistakes={"precision": precision}) == "Correct in all 3 cases."


def test_the_first_case_that_fails_is_shown_with_arguments_expected_and_got(line):
    assert line(lambda tp, fp: 0.8) == "Not yet: for tp=1, fp=3 expected 0.250, got 0.800"


def test_a_stub_and_an_answer_that_prints_are_asked_for_a_return(line):
    assert line(lambda tp, fp: None) == (
        "Not yet: for tp=8, fp=2 expected 0.800, but your function returned None. Did you write `return`?"
    )
    assert "but your function printed precision: 0.8 and returned nothing. Write `return`" in line(
        lambda tp, fp: print("precision:", tp / (tp + fp))
    )
    late = line(lambda tp, fp: print("x") or 0.8 if tp == 8 else None)
    assert late.endswith("your function returned None. Did you write `return`?"), "it printed in another case"


def test_what_an_answer_or_a_mistake_prints_is_not_shown(line):
    assert line(lambda tp, fp: print(tp) or precision(tp, fp)).startswith("Correct")
    named = line(
        lambda tp, fp: print(tp) or swapped(tp, fp), mistakes={"swap": lambda tp, fp: print() or swapped(tp, fp)}
    )
    assert named.endswith("got 0.200 (swap)")


def test_a_likely_mistake_is_named_if_it_agrees_wherever_both_have_a_value_and_is_wrong_somewhere(line):
    mistakes = {"divided by fp alone": lambda tp, fp: tp / fp, "the shares of the other class": swapped}
    assert line(swapped, mistakes=mistakes).endswith("expected 0.800, got 0.200 (the shares of the other class)")
    assert line(swapped, mistakes={"fails at 0": lambda tp, fp: fp / (tp + fp)}).endswith("(fails at 0)")
    for other in (lambda tp, fp: 0.2 if tp == 8 else 0.9, lambda tp, fp: 1 / 0):
        assert line(swapped, mistakes={"other": other}).endswith("got 0.200")
    right_or_nothing = {"other": lambda tp, fp: {8: 0.8}.get(tp) or 1 / 0}
    assert line(lambda tp, fp: 0.8, mistakes=right_or_nothing).endswith("got 0.800")


def test_a_mistake_that_warns_does_so_in_silence(line, recwarn):
    line(swapped, mistakes={"warns": lambda tp, fp: np.float64(tp) / np.array([]).mean()})
    assert not recwarn.list


def test_an_error_is_shown_in_one_line_and_goes_no_further(line):
    class Mute(Exception):
        def __str__(self):
            raise RuntimeError

    def failing(error):
        def answer(tp, fp):
            raise error

        return answer

    assert line(lambda tp, fp: tp / 0).endswith("expected 0.800, but it raised ZeroDivisionError: division by zero")
    assert "but it raised TypeError: " in line(lambda true_positives: 1)
    assert line(failing(ValueError("one\n  two\n\nthree"))).endswith("raised ValueError: one two three")
    assert line(failing(Mute())).endswith("but it raised Mute")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_stopping_the_cell_is_obeyed(stop):
    def stopped(tp, fp):
        raise stop

    with pytest.raises(stop):
        check(stopped, TRIES)


@pytest.mark.parametrize("nothing", ["nan", [None], np.array([np.nan], dtype=object), "", np.nan + 0j])
def test_text_and_objects_are_not_nan(line, nothing):
    tries = [({}, [np.nan])] if np.ndim(nothing) else [({}, np.nan)]
    assert line(lambda: nothing, tries).startswith("Not yet: ")
    assert line(lambda: np.full(np.shape(nothing), np.nan), tries).startswith("Correct")
    assert line(lambda tp, fp: np.nan).endswith("expected 0.800, got nan")
    assert line(lambda tp, fp: tp / (tp + fp) if tp + fp else 0.0).endswith("expected nan, got 0.000")


@pytest.mark.parametrize("answer", ["0.8", 0.8 + 0j, {"precision": 0.8}, {0.8}, [0.8, "a"], np.datetime64(1, "D")])
def test_what_is_no_number_is_refused_with_a_sentence(line, answer):
    assert line(lambda tp, fp: answer).endswith(" (return one number and nothing else)")
    assert line(lambda: answer, [({}, [0.8, 1.0])]).endswith(" (return numbers and nothing else)")


@pytest.mark.parametrize("kind", [float, np.float32, np.float64, np.array, Fraction])
def test_one_number_of_any_kind_will_do(line, kind):
    assert line(lambda tp, fp: kind(precision(tp, fp)), TRIES[:2]).startswith("Correct")


def test_arrays_are_compared_whole_and_a_wrong_shape_is_named(line):
    tries = [({"x": [1, 2, 3]}, np.array([2.0, 4.0, 6.0]))]
    assert line(lambda x: [2, 4, 6], tries) == "Correct in the only case."
    assert line(lambda x: [2, 4, 7.5], tries).endswith("x=[1, 2, 3] expected [2.000, 4.000, 6.000], got [2, 4, 7.500]")
    assert line(lambda x: [[2, 4, 6]], tries).endswith("got [[2, 4, 6]] (its shape is (1, 3), not (3,))")
    assert line(lambda x: [2, [4, 6]], tries).endswith("got [2, [4, 6]] (return numbers and nothing else)")
    assert line(lambda tp, fp: np.array([0.8])).endswith("got [0.800] (return one number, not an array)")


def test_rounding_errors_of_a_computer_are_forgiven_and_no_more(line):
    tries = [({"x": 0.1}, 0.3)]
    assert line(lambda x: x + 0.2, tries).startswith("Correct")
    assert line(lambda x: np.float32(0.3), tries).startswith("Correct")
    assert line(lambda x: 0.3001, tries).startswith("Not yet")


def test_numbers_that_look_alike_are_shown_until_they_differ(line):
    tries = [({"n": 3}, 1 / 3)]
    assert line(lambda n: 0.33349, tries).endswith("for n=3 expected 0.3333, got 0.3335")
    assert line(lambda n: 3e-6, [({"n": 3}, 2e-6)]).endswith("expected 0.000002, got 0.000003")
    array = [({"n": 3}, [0.5, 1 / 3])]
    assert line(lambda n: [0.5, 0.33349], array).endswith("expected [0.5000, 0.3333], got [0.5000, 0.3335]")


def test_a_rounded_answer_is_asked_to_keep_its_digits(line):
    tries, advice = [({"n": 3}, 5 / 6)], "(do not round; keep all digits)"
    for digits, shown in ((2, "expected 0.833, got 0.830"), (3, "expected 0.8333, got 0.8330")):
        assert line(lambda n, d=digits: round(5 / 6, d), tries).endswith(f"{shown} {advice}")
    assert line(lambda n: [0.83, 0.17], [({"n": 3}, [5 / 6, 1 / 6])]).endswith(advice)
    assert line(lambda n: 1, tries).endswith("got 1"), "which may be another mistake"
    assert line(lambda n: 0.84, tries).endswith("got 0.840")
    assert line(lambda n: 0.83, tries, {"cut off": lambda n: 0.83}).endswith("(cut off)"), "a name says more"


def test_an_answer_cannot_change_the_cases(line):
    def greedy(scores):
        best = scores[0]
        scores.sort()
        scores.pop() if isinstance(scores, list) else scores.fill(0)
        return best

    tries = [({"scores": [3, 1, 2]}, 3), ({"scores": np.array([5, 4])}, 5)]
    for _ in range(2):
        assert line(greedy, tries) == "Correct in all 2 cases."
    spoiled = line(lambda scores: scores.sort() or -1, tries, {"the lowest": lambda scores: min(scores)})
    assert spoiled == "Not yet: for scores=[3, 1, 2] expected 3, got -1"
    named = line(lambda scores: sorted(scores)[0], tries, {"sorted": lambda scores: scores.sort() or scores[0]})
    assert named.endswith("got 1 (sorted)")


def test_values_are_shown_in_one_short_line_that_is_the_same_in_every_run(line):
    class Table:
        def __repr__(self):
            return "a  b\n1  2"

    class Mute:
        def __repr__(self):
            raise RuntimeError

    assert " got a b 1 2 (" in line(lambda tp, fp: Table())
    assert " got Mute (" in line(lambda tp, fp: Mute())
    assert len(line(lambda tp, fp: "x" * 500)) < 200
    given = {
        **{"x": np.arange(9), "of": Counts(tp=1, fp=2, fn=3, tn=4), "key": len, "how": precision},
        **{"share": np.float64(0.25), "n": np.int64(3), "flags": np.array([True, False] * 4)},
    }
    assert line(lambda **arguments: np.int64(2), [(given, 1.0)]) == (
        "Not yet: for x=[0, 1, 2, 3, 4, 5, 6, 7, ...], of=Counts(tp=1, fp=2, fn=3, tn=4), "
        "key=<built-in function len>, how=function, share=0.25, n=3, "
        "flags=[True, False, True, False, True, False, True, False] expected 1.000, got 2"
    )


# --- the exercises of the notebooks ----------------------------------------------------------------------

NOTEBOOKS = lessons.paths()
ANSWERS = Path(__file__).resolve().parent / "answers"
OTHERS = 80  # other inputs that a broken solution is compared on


@functools.cache
def lesson(path):
    return lessons.read(path)


def code_cells(path):
    return [cell.source for cell in lesson(path).code]


def stubs():
    """One parameter for each exercise: where it is, and the cell of its stub."""
    for path in NOTEBOOKS:
        for i, source in enumerate(code_cells(path)):
            if lessons.is_stub(source):
                name = re.search(r"def (\w+)", source)[1]
                yield pytest.param((path, i), id=f"{path.stem}-{name}")


def read_by(source):
    """Names that a cell takes from the cells before it."""

    def free(code):
        yield from (each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_NAME", "LOAD_GLOBAL"))
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                yield from free(inner)

    return set(free(compile(source, "cell", "exec")))


def bound_by(source):
    """Names that a cell gives or changes: assigned, defined, imported, or assigned into."""
    symbols = symtable.symtable(source, "cell", "exec").get_symbols()
    names = {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            names |= read_by(ast.unparse(node.value))
    return names


def needed(cells, wanted):
    """The cells that give these names, and the names that those cells read: a fraction of a notebook."""
    wanted = set(wanted)
    kept = []
    for source in reversed(cells):
        if not lessons.is_stub(source) and bound_by(source) & wanted:
            kept.append(source)
            wanted |= read_by(source)
    return kept[::-1]


@functools.cache
def exercise(path, i):
    """What the cells of an exercise hold: stub, tries, mistakes, and the solution with its source."""
    cells = code_cells(path)
    stub = cells[i]
    name = re.search(r"def (\w+)", stub)[1]
    # between stub and solution lie the tries, the mistakes and the check: two cells, or three
    end = next(j for j in range(i, len(cells)) if re.search(rf"^def {name}_solved\(", cells[j], flags=re.M))
    tried, solution = "\n".join(cells[i + 1 : end]), cells[end]
    marked = []

    def marked_only(answer, tries, mistakes=None):
        marked.append(SimpleNamespace(answer=answer, tries=tries, mistakes=mistakes or {}))

    space = {"__name__": "notebook"}
    wanted = read_by(stub) | read_by(tried) | read_by(solution)
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setattr(exercises, "check", marked_only)
        patch.setattr("IPython.display.display", lambda *shown, **options: None)
        patch.setattr("IPython.core.display_functions.display", lambda *shown, **options: None)
        with matplotlib.rc_context({"backend": "agg"}):
            for source in [*needed(cells[:i], wanted), stub, tried, solution]:
                exec(source, space)
    (asked, solved), tree = marked[-2:], ast.parse(solution)
    right = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == f"{name}_solved")
    assert (asked.answer, solved.answer) == (space[name], space[right.name]), "the cells mark something else"
    return SimpleNamespace(
        name=name, stub=stub, asked=asked, solved=solved, right=space[right.name], tree=right, space=space
    )


def called(function, arguments):
    """What comes back, and whether anything came back at all."""
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        try:
            return exercises._call(function, arguments), True
        except Exception:
            return None, False


every_exercise = pytest.mark.parametrize("place", list(stubs()))


@every_exercise
def test_a_stub_is_unanswered_and_the_solution_is_right(place, line):
    found = exercise(*place)
    for marked in (found.asked, found.solved):
        assert line(found.right, marked.tries, marked.mistakes).startswith("Correct in all ")
        unsolved = line(found.asked.answer, marked.tries, marked.mistakes)
        if lessons.is_repair(found.stub):
            assert unsolved.startswith("Not yet: for "), "there is nothing to repair"
            assert called(found.asked.answer, marked.tries[0][0])[1], "what is to be repaired runs, and is wrong"
        else:
            assert unsolved.endswith("returned None. Did you write `return`?")


@every_exercise
def test_two_other_right_answers_are_accepted(place, line):
    found = exercise(*place)
    others = answers(place[0].stem).get(found.name, [])
    assert len(others) >= 2, f"tests/answers/{place[0].stem}.py has less than two for {found.name}"
    for answer in others:
        with warnings.catch_warnings(action="ignore"):
            assert line(answer, found.asked.tries, found.asked.mistakes).startswith("Correct in all ")
    codes = [answer.__code__ for answer in (found.right, *others) if hasattr(answer, "__code__")]
    assert len({(code.co_code, code.co_names, code.co_consts) for code in codes}) == len(codes), "two are the same"


def answers(name):
    """Other right answers to the exercises of one notebook: lists of functions by the name of the exercise."""
    path = ANSWERS / f"{name}.py"
    return runpy.run_path(str(path))["ANSWERS"] if path.exists() else {}


@pytest.mark.parametrize("name", sorted(path.stem for path in ANSWERS.glob("*.py")))
def test_every_other_answer_belongs_to_an_exercise(name):
    asked = {
        re.search(r"def (\w+)", s)[1] for s in code_cells(lessons.NOTEBOOKS / f"{name}.ipynb") if lessons.is_stub(s)
    }
    assert set(answers(name)) <= asked


@every_exercise
def test_nothing_and_text_are_refused(place, line):
    found = exercise(*place)
    assert line(lambda **arguments: None, found.asked.tries).endswith("returned None. Did you write `return`?")
    for made in (str, lambda got: np.asarray(got).astype(str), lambda got: np.asarray(got) + 0j):
        assert line(lambda made=made, **arguments: made(found.right(**arguments)), found.asked.tries).endswith(
            "and nothing else)"
        )


@every_exercise
def test_every_named_mistake_can_be_made(place, line):
    found = exercise(*place)
    assert found.asked.mistakes, "no mistake is named"
    for name, mistake in found.asked.mistakes.items():
        with warnings.catch_warnings(action="ignore"):
            assert line(mistake, found.asked.tries, found.asked.mistakes).endswith(f"({name})")


@every_exercise
def test_a_solution_that_is_broken_on_purpose_is_refused(place):
    found = exercise(*place)
    tries = found.asked.tries
    others = [
        (arguments, got) for arguments in other_inputs(tries) if usable(got := called(found.right, arguments), tries)
    ]
    assert len(others) >= OTHERS / 4, "too few of the other inputs have an answer"
    tried, survivors = 0, []
    for source in broken(found.tree, [*tries[0][0]]):
        space = dict(found.space, FIRST_TRY=tries[0][0], np=np)
        with warnings.catch_warnings(action="ignore"):  # Python warns of some nonsense as soon as it reads it
            exec(source, space)
        answer = space[found.tree.name]
        tried += 1
        if not all(exercises._same(called(answer, arguments)[0], expected) for arguments, expected in tries):
            continue
        for arguments, (expected, _) in others:
            got, returned = called(answer, arguments)
            if returned and not exercises._same(got, expected):
                shown = f"{exercises._shown(got, 6)} instead of {exercises._shown(expected, 6)}"
                survivors.append(f"{source}\n    # for {exercises._listed(arguments)}: {shown}")
                break
    assert tried > 5
    if survivors:
        summary = f"{len(survivors)} of {tried} broken solutions pass (FIRST_TRY holds the arguments of the first try)"
        pytest.fail("\n\n".join([summary, *survivors]), pytrace=False)


def usable(called, tries):
    """Whether the solution has a value here; nan counts where a try asks for it, else it means bad input."""
    got, returned = called
    if not returned or (got := exercises._numbers(got)) is None:
        return False
    undefined = any(np.isnan(exercises._numbers(expected)).any() for _, expected in tries)
    return bool(np.isfinite(got).all()) or (undefined and not np.isinf(got).any())


# --- other inputs of the same kind -----------------------------------------------------------------------


def other_inputs(tries):
    """Inputs like those that are tried: of the same types, ranges, linked lengths and order between numbers."""
    rng = np.random.default_rng(0)
    given = [arguments for arguments, _ in tries]
    names = [name for name in given[0] if all(name in arguments for arguments in given)]
    smaller = [
        (a, b)
        for a, b in itertools.permutations([name for name in names if all(is_number(g[name]) for g in given)], 2)
        if all(g[a] <= g[b] for g in given) and len(given) > 1
    ]
    made = []
    for _ in range(20 * OTHERS):
        arguments = other_input(given, rng)
        if all(arguments[a] <= arguments[b] for a, b in smaller):
            made.append(arguments)
        if len(made) == OTHERS:
            break
    return made


def other_input(given, rng):
    base = copy.deepcopy(given[rng.integers(len(given))])
    picks = {}
    for name, value in base.items():
        seen = [arguments[name] for arguments in given if name in arguments]
        if is_sequence(value):
            # rows stay rows: arrays that are equally long everywhere are drawn with the same numbers of rows
            linked = tuple(len(a[name]) if name in a and is_sequence(a[name]) else -1 for a in given)
            if linked not in picks:
                n = len(value)
                size = int(rng.integers(max(1, n // 2), 2 * n + 1))
                picks[linked] = [np.arange(n), rng.permutation(n), rng.integers(n, size=size)][rng.integers(3)]
            base[name] = other_sequence(value, picks[linked], seen, rng)
        elif is_number(value):
            base[name] = other_number(value, [s for s in seen if is_number(s)], rng) if rng.random() < 0.7 else value
        else:
            base[name] = seen[rng.integers(len(seen))]
    return base


def other_sequence(value, pick, seen, rng):
    values, all_seen = np.asarray(value)[pick], np.concatenate([np.ravel(s) for s in seen])
    if all_seen.dtype.kind not in "biuf":
        return type(value)(values) if not isinstance(value, np.ndarray) else values
    if rng.random() < 0.7:
        labels = np.isin(all_seen, (0, 1)).all() and all_seen.dtype.kind in "biu"
        flat = [other_number(v, all_seen.tolist(), rng, labels) for v in values.ravel().tolist()]
        values = np.array(flat, dtype=values.dtype).reshape(values.shape)
    if values.ndim == 1 and all(len(s) > 1 and np.isclose(np.sum(s), 1) for s in seen) and np.sum(values):
        values = values / np.sum(values)  # shares of a whole
    return type(value)(values.tolist()) if isinstance(value, list | tuple) else values


def other_number(value, seen, rng, labels=False):
    if isinstance(value, bool) or labels:
        return type(value)(rng.integers(2))
    if np.isnan(value):
        return value
    whole, least = all(isinstance(s, int | np.integer) for s in seen), np.nanmin(seen)
    if whole:
        lowest = int(least) if least <= 0 else 1
        return int(rng.integers(min(lowest, int(value)), max(lowest, 2 * int(value)) + 3))
    if least >= 0 and np.nanmax(seen) <= 1 and rng.random() < 0.5:
        return round(float(rng.uniform(0.01, 0.99)), 2)
    moved = value * float(rng.uniform(0.3, 3))
    return min(moved, 1.0) if np.nanmax(seen) <= 1 else moved


def is_number(value):
    return isinstance(value, int | float | np.integer | np.floating)


def is_sequence(value):
    return isinstance(value, list | tuple | np.ndarray) and np.ndim(value) > 0


# --- solutions that are broken on purpose ----------------------------------------------------------------

OPERATORS = {
    ast.Add: ["-", "*"],
    ast.Sub: ["+", "*"],
    ast.Mult: ["/", "+"],
    ast.Div: ["*", "//", "-"],
    ast.FloorDiv: ["/", "*"],
    ast.Mod: ["//"],
    ast.Pow: ["*"],
    ast.BitAnd: ["|"],
    ast.BitOr: ["&"],
    ast.MatMult: ["*"],
}
COMPARISONS = {
    ast.Gt: [">=", "<"],
    ast.GtE: [">", "<="],
    ast.Lt: ["<=", ">"],
    ast.LtE: ["<", ">="],
    ast.Eq: ["!=", ">=", "<="],
    ast.NotEq: ["==", ">", "<"],
}
FUNCTIONS = {
    **{"mean": ["sum", "median", "max", "min"], "sum": ["mean", "max"], "min": ["max"], "max": ["min"]},
    **{"argmax": ["argmin"], "argmin": ["argmax"], "log2": ["log", "log10"], "log": ["log2"], "ceil": ["floor"]},
    **{"floor": ["ceil"], "any": ["all"], "all": ["any"], "nansum": ["sum"], "nanmean": ["mean"], "sqrt": ["square"]},
    **{"sorted": ["list"], "sort": ["asarray"], "average": ["mean"], "dot": ["outer"], "cumsum": ["cumprod"]},
}
PARTS = [
    *("np.clip({0}, 0, 1)", "np.minimum({0}, 1)", "np.maximum({0}, 0)", "np.abs({0})", "np.floor({0})"),
    "np.round({0})",
]
OUTPUTS = [
    *PARTS,
    *("1 - ({0})", "-({0})", "1 / ({0})", "({0}) + 1", "({0}) - 1", "({0}) * 2", "({0}) / 2", "({0}) * 100"),
    *("np.round({0}, 2)", "np.nan_to_num({0})", "np.asarray({0})[::-1]", "np.sort({0})", "-np.sort(-({0}))"),
]
INPUTS = [
    *("np.sort({0})", "np.sort({0})[::-1]", "np.asarray({0})[::-1]", "np.unique({0})", "np.asarray({0})[:-1]"),
    *("np.asarray({0})[1:]", "np.full(len({0}), np.mean({0}))", "np.ones(len({0}))", "np.round({0})"),
]


def broken(function, arguments):
    """Sources of the function with one thing wrong, each once."""
    own = ast.unparse(function)
    made = {}
    for node, put in parts(function):
        for wrong in variants(node, arguments):
            with contextlib.suppress(SyntaxError):
                new = ast.parse(wrong).body[0]
                put(new.value if isinstance(new, ast.Expr) and isinstance(node, ast.expr) else new)
                made[ast.unparse(function)] = None
        put(node)
    starts = [f"{a}, {b} = {b}, {a}" for a, b in itertools.combinations(arguments, 2)]
    starts += [f"{a} = FIRST_TRY['{a}']" for a in arguments]
    starts += [f"{a} = {wrong.format(a)}" for a in arguments for wrong in INPUTS]
    starts += [f"{a} = {a} {wrong}" for a in arguments for wrong in ("+ 1", "- 1", "* 2")]
    body = function.body
    for start in starts:
        function.body = [*ast.parse(start).body, *body]
        made[ast.unparse(function)] = None
    function.body = body
    assert ast.unparse(function) == own
    made.pop(own, None)
    return list(made)


def parts(tree):
    """Every node below this one, and a function that puts another one in its place: a copy of all takes longer."""
    for parent in [*ast.walk(tree)]:
        for name, held in [*ast.iter_fields(parent)]:
            if isinstance(held, ast.AST):
                yield held, functools.partial(setattr, parent, name)
            for i, each in enumerate(held if isinstance(held, list) else ()):
                if isinstance(each, ast.AST):
                    yield each, functools.partial(held.__setitem__, i)


def variants(node, arguments):
    """Sources that could stand in the place of this part by mistake."""
    text = ast.unparse
    if isinstance(node, ast.Return) and node.value:
        yield from (f"return {wrong.format(text(node.value))}" for wrong in OUTPUTS)
    elif isinstance(node, ast.BinOp):
        left, right = text(node.left), text(node.right)
        yield from (f"({left}) {other} ({right})" for other in OPERATORS.get(type(node.op), []))
        yield from (left, right)
        if isinstance(node.op, ast.Sub | ast.Div | ast.Pow | ast.FloorDiv | ast.Mod):
            yield text(ast.BinOp(node.right, node.op, node.left))
        yield from (wrong.format(text(node)) for wrong in PARTS)
    elif isinstance(node, ast.UnaryOp):
        yield text(node.operand)
    elif isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = text(node.left), text(node.comparators[0])
        yield from (f"({left}) {other} ({right})" for other in COMPARISONS.get(type(node.ops[0]), []))
    elif isinstance(node, ast.BoolOp):
        other = " or " if isinstance(node.op, ast.And) else " and "
        yield other.join(f"({text(value)})" for value in node.values)
        yield from map(text, node.values)
    elif isinstance(node, ast.Constant):
        yield from constants(node.value)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        if node.id in arguments:
            yield from (other for other in [*arguments, "1"] if other != node.id)
        elif node.id in FUNCTIONS:
            yield from (other if hasattr(builtins, other) else f"np.{other}" for other in FUNCTIONS[node.id])
    elif isinstance(node, ast.Attribute):
        yield from (f"{text(node.value)}.{other}" for other in FUNCTIONS.get(node.attr, []))
    elif isinstance(node, ast.Call):
        yield from calls(node)
    elif isinstance(node, ast.IfExp):
        yield from (text(node.body), text(node.orelse))
    elif isinstance(node, ast.ListComp | ast.GeneratorExp) and any(part.ifs for part in node.generators):
        without = copy.deepcopy(node)
        for part in without.generators:
            part.ifs = []
        yield text(without)
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield text(node.value)
        if not isinstance(node.slice, ast.Slice | ast.Tuple):
            yield from (f"{text(node.value)}[{text(node.slice)} {step}]" for step in ("+ 1", "- 1"))


def constants(value):
    if isinstance(value, bool):
        yield str(not value)
    elif isinstance(value, int | float):
        yield from (repr(other) for other in (value + 1, value - 1, value * 2, value / 2))
    elif value in ("left", "right"):
        yield repr({"left": "right", "right": "left"}[value])


def calls(node):
    text = ast.unparse
    yield from map(text, node.args)
    if isinstance(node.func, ast.Attribute):
        yield text(node.func.value)
    for i in range(len(node.args) - 1):
        swapped = copy.deepcopy(node)
        swapped.args[i : i + 2] = swapped.args[i : i + 2][::-1]
        yield text(swapped)
    for i in range(len(node.keywords)):
        without = copy.deepcopy(node)
        del without.keywords[i]
        yield text(without)
    yield from (wrong.format(text(node)) for wrong in PARTS)
