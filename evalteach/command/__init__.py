"""The ``evalteach`` command, and what it reads: files of labels and scores."""
