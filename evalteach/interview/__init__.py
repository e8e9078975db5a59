"""Questions as interviewers ask them, each with numbers of its own at every seed and an answer that is computed."""

from evalteach.interview.bank import Question, questions

__all__ = ["Question", "questions"]
