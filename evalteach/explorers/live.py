"""A result that may or may not be computed where the notebook runs, with the same stored text either way."""

import html

import ipywidgets as ipw


class LiveResult:
    """What a function returns, shown on screen only; a saved notebook and tests see one constant sentence.

    Parameters
    ----------
    work : callable
        Without arguments; returns a DataFrame. If it raises ``OSError`` or ``ImportError`` (data or a library
        are not there), the message is shown instead.
    saved : str
        The sentence that stands for it where no kernel runs.

    Attributes
    ----------
    view : ipywidgets.HTML
        The result, or the message.
    """

    def __init__(self, work, saved):
        self.saved = saved
        try:
            shown = work().to_html()
        except (OSError, ImportError) as error:
            shown = f"Not computed here. {html.escape(str(error))}"
        self.view = ipw.HTML(shown, layout={"max_width": "900px"})

    def _repr_mimebundle_(self, include=None, exclude=None, **kwargs):
        bundle = self.view._repr_mimebundle_(include=include, exclude=exclude, **kwargs)
        bundle = dict(bundle[0] if isinstance(bundle, tuple) else bundle)
        bundle["text/plain"] = repr(self)
        return bundle

    def __repr__(self):
        return self.saved
