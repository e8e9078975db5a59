"""Makes evalteach/data/logged_clicks.npz from the sample of the Open Bandit Dataset that the package obp carries.

    pip download --no-deps obp==0.4.1
    python tests/tools/make_logged_clicks.py obp-0.4.1-py3-none-any.whl

Kept are item, position, click and propensity of 10,000 impressions for each policy and campaign, in their order in
time. The hashed features of users and items are left out.
"""

import sys
from zipfile import ZipFile

import numpy as np
import pandas as pd

from evalteach.data.clicks import CAMPAIGNS, LOGGED_CLICKS, POLICIES

COLUMNS = {"item_id": np.uint8, "position": np.uint8, "click": bool, "propensity_score": np.float32}


def main(wheel):
    stored = {}
    with ZipFile(wheel) as archive:
        for campaign in CAMPAIGNS:
            for policy, folder in POLICIES.items():
                with archive.open(f"obp/dataset/obd/{folder}/{campaign}/{campaign}.csv") as file:
                    rows = pd.read_csv(file).sort_values("timestamp", kind="stable")
                for column, kind in COLUMNS.items():
                    stored[f"{campaign}, {policy}, {column}"] = rows[column].to_numpy(kind)
    np.savez_compressed(LOGGED_CLICKS, **stored)


if __name__ == "__main__":
    main(sys.argv[1])
