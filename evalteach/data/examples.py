"""Typed-in examples."""

import pandas as pd


def ten_messages():
    """Ten scored messages, four of them spam, as a DataFrame: the running example of counts and rates."""
    messages = [
        ("You won a cruise, claim it now", True, 0.95),
        ("Cheap watches, today only", True, 0.88),
        ("Your invoice is attached", False, 0.81),
        ("Unlock your prize in one click", True, 0.74),
        ("Lunch on Friday?", False, 0.52),
        ("Your parcel is waiting: pay 1.99", True, 0.47),
        ("Minutes of Monday's meeting", False, 0.33),
        ("New comment on your photo", False, 0.21),
        ("Happy birthday!", False, 0.12),
        ("Draft of chapter two", False, 0.05),
    ]
    return pd.DataFrame(messages, columns=["message", "is_spam", "score"])


def eight_screenings():
    """Eight screened patients, scores with ties, as a DataFrame: what a threshold does to equal scores."""
    is_ill = [True, True, False, True, False, False, True, False]
    return pd.DataFrame({"is_ill": is_ill, "score": [0.9, 0.7, 0.7, 0.7, 0.4, 0.4, 0.4, 0.1]})
