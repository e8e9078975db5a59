"""Verdicts of language models that judged pairs of answers, beside the labels of people."""

from pathlib import Path

import pandas as pd

LLMBAR = Path(__file__).with_name("llmbar.csv")


def llmbar() -> pd.DataFrame:
    """419 pairs of answers to an instruction: which answer people call better, and what six judges said.

    100 pairs are natural, and 319 are adversarial: they were built so that the worse answer looks better, and
    most of them also had to pass a filter, which dropped a pair if judges that used ChatGPT were mostly right about it.
    The judges are language models of 2023, so their verdicts teach arithmetic, not which model to use today.

    Returns
    -------
    DataFrame, shape (419, 29)
        kind : str
            "Natural", or one of the four kinds of adversarial pairs.
        item : int
            Number of the pair within its kind, from 0.
        better : int
            1 or 2, the answer that the authors of the data agreed on.
        chars_1, chars_2 : int
            Lengths of the two answers, in characters. The texts are left out.
        JUDGE/PROMPT/ORDER : float
            1 or 2, the answer that this judge chose, for GPT-4, ChatGPT, ChatGPT-0301, PaLM2, LLaMA2, and Falcon. The
            prompt is V (plain) or M (with metrics and a reference answer written by the judge). The order is 12 where
            answer 1 was shown first and 21 where answer 2 was; the verdict names the answer, not its place. It is
            ``nan`` where the judge gave none (PaLM2 for up to five pairs, LLaMA2 for one).

    References
    ----------
    Zeng, Yu, Gao, Meng, Goyal & Chen (2024), Evaluating Large Language Models at Evaluating Instruction Following,
    ICLR, https://arxiv.org/abs/2310.07641. MIT License, see llmbar_LICENSE.txt.
    """
    return pd.read_csv(LLMBAR)
