"""Design cases of fifteen minutes: a prompt, and a twist that comes only when it is asked for."""

from evalteach._inputs import check_choice
from evalteach.interview.bank import pages


class Words(str):
    """Markdown that a notebook shows as such."""

    def _repr_markdown_(self):
        return str(self)


class DesignCase:
    """One case to design aloud; look at ``prompt``, and after seven minutes at ``twist()``.

    Parameters
    ----------
    name : str
        One of ``cases()``.

    Attributes
    ----------
    prompt, if_asked : str
        What the interviewer says first, and what a candidate learns by asking. Text in Markdown, as all of these.
    checklist, after_twist, numbers, points, red_flags, levels : str
        What a good answer holds; read it afterwards.
    values : dict of str to float
        The numbers by name.
    answer : float
        The one that the design stands on.

    Raises
    ------
    ValueError
        For a name that there is not.
    """

    def __init__(self, name):
        check_choice("name", name, cases())
        self.name = name
        (page,) = (page for page in pages("cases.md") if page.name == name)
        dealt = page.deal()
        self.values, self.answer, self._fields = dealt.values, dealt.answer, {**page.fields, **dealt.texts}
        self.prompt, self.if_asked = self._words("Prompt"), self._words("If asked")
        self.checklist, self.after_twist = self._words("Checklist"), self._words("After the twist")
        self.numbers = self._words("Numbers")
        self.points, self.red_flags = self._words("Points"), self._words("Red flags")
        self.levels = Words("\n\n".join(f"**{level}:** {dealt.texts[level]}" for level in ("Junior", "Mid", "Senior")))

    def twist(self):
        """What the interviewer says after seven minutes."""
        return self._words("Twist")

    def _words(self, field):
        words = self._fields[field]
        return Words(words if isinstance(words, str) else "\n".join(f"- {line}" for line in words))

    def __repr__(self):
        return f"Design case {self.name}, 15 minutes: {self.prompt}"

    def _repr_markdown_(self):
        return f"**Design case {self.name}, 15 minutes.** {self.prompt}"


def cases():
    """Names of the design cases, in their order."""
    return [page.name for page in pages("cases.md")]
