"""``python -m evalteach``: the same as the ``evalteach`` command."""

import os
import sys

from evalteach.command.main import main

if not sys.flags.safe_path and sys.path[0] == os.getcwd():
    del sys.path[0]  # a numpy.py or a random.py in the current folder must not be imported instead of the real one
sys.exit(main())
