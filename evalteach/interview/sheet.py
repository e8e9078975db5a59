"""An interview for two on paper: a page for the interviewer, with all that may be said, and one for the candidate."""

import random

from evalteach._inputs import read_whole
from evalteach._page import PAGE
from evalteach._record import write_whole
from evalteach.interview.bank import LEVELS, questions
from evalteach.interview.round import candidates
from evalteach.interview.screen import render

# the kind of each question, and which other kinds of the topic may take its place
SAY, COMPUTE = ("say", "derive", "decide"), ("compute", "derive", "decide")
PLAN = (SAY, COMPUTE, SAY, COMPUTE, SAY, ("debug", "code"), ("design",))


def interviewer_sheet(seed, path=None, level=None, topic=None, *, candidate=False):
    """Write a page to print: an interview of about 45 minutes, with seven questions of four kinds.

    Three are to be said, two computed, one debugged, one designed. Where the level has too few of a kind, questions of
    the nearest level take their place. Where the topic has too few, its questions to derive, to decide or to write as
    code come next, and then questions of other topics. The page states the level of each, counts and marks those of
    another topic, and says what a candidate of the level that you asked for should add. The same seed, level and topic
    give the same interview everywhere.

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
        If the seed is not a whole number, or if there is no such level or topic.
    FileExistsError
        If the file exists: nothing is overwritten.
    """
    seed = read_whole("seed", seed, 0, 10**9)
    variants = [question.variant(seed) for question in sheet_questions(seed, level, topic)]
    title, footer = (render("sheet.html", part, seed, level, topic) for part in ("title", "footer"))
    body = render("sheet.html", "candidate" if candidate else "interviewer", title, variants, level, candidates(topic))
    path = str(path or f"interview-{seed}{'-candidate' if candidate else ''}.html")
    write_whole(path, PAGE.format(title=title, body=body, footer=footer).encode())
    return path


def sheet_questions(seed, level=None, topic=None):
    """The seven questions of a seed, of seven notebooks where there are as many."""
    candidates(level=level)  # refuses a level that does not exist
    on_topic = candidates(topic)
    shuffled = random.Random(f"sheet {seed} {level} {topic}").sample(questions(), len(questions()))
    distance = {other: abs(LEVELS.index(other) - LEVELS.index(level)) if level else 0 for other in LEVELS}
    sheet, used = [], set()
    for kind, *others in PLAN:
        # the topic first, since it was asked for; then the kind; the level; a notebook that is not on the sheet yet
        free = [question for question in shuffled if question.kind in (kind, *others) and question not in sheet]
        ranks = [(q.name not in on_topic, q.kind != kind, distance[q.level], q.notebook in used) for q in free]
        sheet.append(free[ranks.index(min(ranks))])
        used.add(sheet[-1].notebook)
    return sheet
