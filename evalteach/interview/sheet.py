"""An interview for two on paper: one sheet for who asks, with all that may be said, and one for who answers."""

import html
import random

from evalteach._inputs import read_whole
from evalteach._record import write_whole
from evalteach.command.page import PAGE
from evalteach.interview.bank import LEVELS
from evalteach.interview.round import chosen_questions
from evalteach.interview.screen import filled

PLAN = ("say", "compute", "say", "compute", "say", "debug", "design")
ANCHORS = (
    "no answer, or a wrong one that stays;",
    "right after a hint, without a reason;",
    "right, with a reason and one assumption;",
    "right, with its uncertainty and a next step.",
)


def interviewer_sheet(seed, path=None, level=None, topic=None, *, candidate=False):
    """Write a page to print: an interview of 45 minutes, with seven questions of four kinds.

    Three are to be said, two computed, one debugged, one designed. Where the level or the topic has too few of a kind,
    questions of the nearest level, and then of other topics, take their place; the page states the level of each. The
    same seed, level and topic give the same interview everywhere.

    Parameters
    ----------
    seed : int
    path : path, optional
        A new file; ``interview-SEED.html`` by default, for the candidate ``interview-SEED-candidate.html``.
    level : str, optional
        ``junior``, ``mid`` or ``senior``; by default questions of all.
    topic : str, int or list of them, optional
        As for ``InterviewRound``.
    candidate : bool
        The other sheet: the questions, and room to write.

    Returns
    -------
    str
        Where it was written.

    Raises
    ------
    ValueError
        For a seed that is no whole number, and a level or a topic that there is not.
    FileExistsError
        If there is such a file: nothing is overwritten.
    """
    seed = read_whole("seed", seed, 0, 10**9)
    dealt = [question.deal(seed) for question in sheet_questions(seed, level, topic)]
    more = [f"{name}={value!r}" for name, value in (("level", level), ("topic", topic)) if value is not None]
    title = ", ".join([f"Interview {seed}", *more])
    minutes = sum(each.question.minutes for each in dealt)
    body = filled("candidate", title, dealt) if candidate else filled("interviewer", title, minutes, dealt, ANCHORS)
    call = f"interviewer_sheet({', '.join([str(seed), *more])})"
    footer = f"Made by evalteach: {call} gives the same sheet again, with candidate=True the candidate's."
    path = str(path or f"interview-{seed}{'-candidate' if candidate else ''}.html")
    write_whole(path, PAGE.format(title=html.escape(title), body=body, footer=html.escape(footer)).encode())
    return path


def sheet_questions(seed, level=None, topic=None):
    """The seven questions of a seed, of seven notebooks where there are as many."""
    named = {question.name for question in chosen_questions(topic)}
    chosen_questions(level=level)  # refuses a level that there is not
    everyone = chosen_questions()
    shuffled = random.Random(f"sheet {seed} {level} {topic}").sample(everyone, len(everyone))
    taken = []
    for kind in PLAN:
        left = [question for question in shuffled if question not in taken and question.kind == kind]
        used = {question.notebook for question in taken}
        # the level first, since it is compared; then the topic; then a notebook that is not on the sheet yet
        apart = {each: abs(LEVELS.index(each) - LEVELS.index(level)) if level else 0 for each in LEVELS}
        taken += sorted(left, key=lambda q: (apart[q.level], q.name not in named, q.notebook in used))[:1]
    return taken
