"""Typed-in examples."""

import pandas as pd


def ten_messages():
    """Ten scored messages, four of them spam, as a DataFrame: the running example of counts and rates."""
    return pd.DataFrame(
        {
            "message": [
                "You won a cruise, claim it now",
                "Cheap watches, today only",
                "Your invoice is attached",
                "Unlock your prize in one click",
                "Lunch on Friday?",
                "Your parcel is waiting: pay 1.99",
                "Minutes of Monday's meeting",
                "New comment on your photo",
                "Happy birthday!",
                "Draft of chapter two",
            ],
            "is_spam": [True, True, False, True, False, True, False, False, False, False],
            "score": [0.95, 0.88, 0.81, 0.74, 0.52, 0.47, 0.33, 0.21, 0.12, 0.05],
        }
    )


def eight_screenings():
    """Eight screened patients, scores with ties, as a DataFrame: what a threshold does to equal scores."""
    return pd.DataFrame(
        {
            "is_ill": [True, True, False, True, False, False, True, False],
            "score": [0.9, 0.7, 0.7, 0.7, 0.4, 0.4, 0.4, 0.1],
        }
    )
