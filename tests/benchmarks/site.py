"""How long a move of a slider takes on each page that ``.ci/site`` made. Exits with 1 when a median misses its goal.

python tests/benchmarks/site.py DIR
"""

import functools
import http.server
import shutil
import statistics
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))

from playwright.sync_api import sync_playwright
from site_scripts import FLAGS, HELD, MOVE, OPEN_ALL, Silent

GOAL = 33  # ms from a move to the decoded picture, as the median of a slider's moves


def main(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    slowest = 0
    with sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS).new_page()
        for file in sorted(Path(folder).glob("*.html")):
            page.goto(f"http://127.0.0.1:{server.server_port}/{file.name}")
            page.evaluate(OPEN_ALL)
            medians = []
            for figure in page.locator("figure.evalteach").all():
                figure.evaluate(HELD)
                medians.append(statistics.median(wait for wait, *_ in figure.evaluate(MOVE)))
            if medians:
                slowest = max(slowest, *medians)
                print(f"{file.stem:28} {len(medians):2} sliders, medians {min(medians):5.1f} to {max(medians):5.1f} ms")
    print(f"the slowest slider: {slowest:.1f} ms (of {GOAL})")
    return slowest > GOAL


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
