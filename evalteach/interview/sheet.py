"""An interview for two on paper: one sheet for who asks, with all that may be said, and one for who answers."""

import html
import random

from evalteach._inputs import read_whole
from evalteach._page import PAGE
from evalteach._record import write_whole
from evalteach.interview.round import chosen_questions
from evalteach.interview.words import as_html, inline

PLAN = ("say", "compute", "say", "compute", "say", "debug", "design")
MINUTES = 45
SCORE = {
    "Framing": (
        "answers another question",
        "asks nothing back",
        "asks what matters",
        "names goal, costs and data first",
    ),
    "Correctness": ("wrong, and stays so", "right after the last hint", "right after one", "right, and checks it"),
    "Uncertainty": ("every number is exact", "says that it varies", "says by how much", "and what would narrow it"),
    "Communication": ("hard to follow", "answer comes last", "answer, then why", "and assumption, and next step"),
}
STYLE = """<style>
.two { columns: 2; column-gap: 1.2rem; font-size: .8rem; line-height: 1.3; max-width: none; }
.two h2 { font-size: .95rem; margin: .7rem 0 .2rem; border-top: 1px solid #555; padding-top: .3rem; }
.two p, .two ul { margin: .15rem 0; } .two ul { padding-left: 1.1rem; } .two ul.tick { list-style: "☐ "; }
.two table { margin: .2rem 0; } .two th, .two td { padding: .05rem .3rem; }
.two pre { font-size: .7rem; margin: .2rem 0; }
.asked { font-weight: 600; } .score { break-inside: avoid; } .line { border-bottom: 1px solid #555; height: 1.5rem; }
.alone h2 { margin: 1.2rem 0 .2rem; font-size: 1rem; }
@page { size: A4; margin: 9mm; }
@media print { h1 { font-size: 12pt; margin: 0; } .two { font-size: 8.5pt; line-height: 1.25; }
  footer { margin: 0; font-size: 7pt; } }
</style>"""


def interviewer_sheet(seed, path=None, level=None, *, candidate=False):
    """Write a page to print: an interview of 45 minutes, with seven questions of four kinds.

    Three are to be said, two computed, one debugged, one designed. The same seed and level give the same
    interview everywhere.

    Parameters
    ----------
    seed : int
    path : path, optional
        A new file; ``interview-SEED.html`` by default, for the candidate ``interview-SEED-candidate.html``.
    level : str, optional
        ``junior``, ``mid`` or ``senior``; by default questions of all.
    candidate : bool
        The other sheet: questions, data, and room to write.

    Returns
    -------
    str
        Where it was written.

    Raises
    ------
    ValueError
        For a seed that is no whole number, and a level that there is not.
    FileExistsError
        If there is such a file: nothing is overwritten.
    """
    seed = read_whole("seed", seed, 0, 10**9)
    dealt = [question.deal(seed) for question in sheet_questions(seed, level)]
    name = f"interview-{seed}{'-candidate' if candidate else ''}.html"
    title = f"Interview {seed}" + (f", {level}" if level else "")
    body = _for_candidate(dealt, title) if candidate else _for_interviewer(dealt, title)
    call = f"interviewer_sheet({seed}{f', level={level!r}' if level else ''})"
    footer = f"Made by evalteach: {call} gives the same sheet again, with candidate=True the candidate's."
    path = str(path or name)
    content = PAGE.format(title=html.escape(title), body=STYLE + body, footer=html.escape(footer))
    write_whole(path, content.encode())
    return path


def sheet_questions(seed, level=None):
    """The seven questions of a seed, of seven notebooks where there are as many."""
    found = chosen_questions(level=level)
    shuffled = random.Random(f"sheet {seed} {level}").sample(found, len(found))
    taken = []
    for kind in PLAN:
        left = [question for question in shuffled if question not in taken and question.kind == kind]
        used = {question.notebook for question in taken}
        taken += sorted(left, key=lambda question: question.notebook in used)[:1]
    return taken


def _for_candidate(dealt, title):
    parts = [f"<h1>{html.escape(title)}: for the candidate</h1><p>Think aloud; ask back; say how sure you are.</p>"]
    for place, each in enumerate(dealt, 1):
        options = [option.partition(" — ")[0] for option in each.texts.get("Options", ())]
        parts.append(f"<h2>{place}. {_kind(each)}</h2>{as_html(each.texts['Asked'])}{_list(options)}")
    return f'<div class="alone">{"".join(parts)}</div>'


def _for_interviewer(dealt, title):
    parts = [
        f"<h1>{html.escape(title)}: for the interviewer</h1>",
        f"<p>{MINUTES} minutes; then change places, with another seed. Read each question aloud, wait, tick what is "
        "said. Good answers have one form: answer, number, uncertainty, assumption, next step, in 60 seconds.</p>",
    ]
    for place, each in enumerate(dealt, 1):
        parts.append(f"<h2>{place}. {_kind(each)}</h2>{_asked(each)}")
    scale = "".join(
        f"<p><b>{name}:</b> "
        + " ".join(f"☐ <b>{points}</b> {anchor};" for points, anchor in enumerate(anchors)).rstrip(";")
        + "</p>"
        for name, anchors in SCORE.items()
    )
    feedback = "".join(f'<p>{what}</p><div class="line"></div>' for what in ("Keep doing:", "Try next time:"))
    return f'<div class="two">{"".join(parts)}<div class="score"><h2>Score, 0 to 3</h2>{scale}{feedback}</div></div>'


def _asked(each):
    texts, minutes = each.texts, each.question.minutes
    when = [60 * minutes * (i + 1) / (len(texts["Hints"]) + 1) for i in range(len(texts["Hints"]))]
    hints = [
        f"{seconds // 60:.0f}:{seconds % 60:02.0f} {hint}" for seconds, hint in zip(when, texts["Hints"], strict=True)
    ]
    return "".join(
        [
            f'<div class="asked">{as_html(texts["Asked"])}</div>',
            _list([option.partition(" — ")[0] for option in texts.get("Options", ())]),
            _named("If asked", texts["If asked back"]),
            _named("Hints, from", hints),
            f"<p><b>Answer {each.shown}.</b> {as_html(texts['Said']).removeprefix('<p>')}",
            _list(texts["Points"], "tick"),
            _named("Follow-ups", texts["Follow-ups"]),
            _named("Red flags", texts["Red flags"]),
        ]
    )


def _named(name, lines):
    return f"<p><b>{name}:</b> {' · '.join(inline(line) for line in lines)}</p>"


def _list(lines, kind=""):
    return f'<ul class="{kind}">{"".join(f"<li>{inline(line)}</li>" for line in lines)}</ul>' if lines else ""


def _kind(each):
    question = each.question
    return f"{question.kind.capitalize()}, {question.level}, {question.minutes} min"
