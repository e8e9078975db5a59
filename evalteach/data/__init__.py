"""Data for the notebooks: typed-in examples, seeded simulators, scikit-learn's digits, stored letters.

Whatever is drawn at random is drawn from a seed, so the same call gives the same numbers.
"""

from evalteach.data._scored import PartlyLabeled, Scored
from evalteach.data.digits import digit_detector, digits_three_of_ten, unlabeled_pictures
from evalteach.data.examples import eight_screenings, ten_messages
from evalteach.data.letters import letters_provenance, letters_scores
from evalteach.data.payments import write_payments
from evalteach.data.simulated import two_normals, unseen_negatives

__all__ = [
    "PartlyLabeled",
    "Scored",
    "digit_detector",
    "digits_three_of_ten",
    "eight_screenings",
    "letters_provenance",
    "letters_scores",
    "ten_messages",
    "two_normals",
    "unlabeled_pictures",
    "unseen_negatives",
    "write_payments",
]
