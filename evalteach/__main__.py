"""``python -m evalteach``: the same as the ``evalteach`` command."""

import sys

from evalteach.cli import main

sys.exit(main())
