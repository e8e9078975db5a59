"""Data for the notebooks: examples, seeded simulators, scikit-learn's digits, stored letters, clicks, and verdicts.

Whatever is drawn at random is drawn from a seed, so the same call gives the same numbers.
"""

from evalteach.data._scored import PartlyLabeled, Scored
from evalteach.data.clicks import Impressions, logged_clicks
from evalteach.data.digits import digit_detector, digits_three_of_ten, unlabeled_pictures
from evalteach.data.examples import eight_screenings, ten_messages
from evalteach.data.groups import Grouped, three_heaps, two_arcs
from evalteach.data.letters import letters_provenance, letters_scores
from evalteach.data.payments import write_payments
from evalteach.data.people import people
from evalteach.data.recommender import Catalogue, catalogue, weekly_views
from evalteach.data.simulated import patients, two_normals, unseen_negatives
from evalteach.data.verdicts import llmbar

__all__ = [
    "Catalogue",
    "Grouped",
    "Impressions",
    "PartlyLabeled",
    "Scored",
    "catalogue",
    "digit_detector",
    "digits_three_of_ten",
    "eight_screenings",
    "letters_provenance",
    "letters_scores",
    "llmbar",
    "logged_clicks",
    "patients",
    "people",
    "ten_messages",
    "three_heaps",
    "two_arcs",
    "two_normals",
    "unlabeled_pictures",
    "unseen_negatives",
    "weekly_views",
    "write_payments",
]
