"""The explorer of linked records: every position against counting pairs, and tables that are refused."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from screens import numbers_in

from evalteach import plots
from evalteach.explorers import MatchingExplorer
from explorers.helpers import CASES, move

pytestmark = pytest.mark.usefixtures("undrawn")

NAMES = ["Li", "Anne", "Anna", "Lee"]
SIMILARITY = np.array([[1, 0.1, 0, 0.6], [0.1, 1, 0.9, 0.5], [0, 0.9, 1, 0.3], [0.6, 0.5, 0.3, 1]])


def clusters_by_hand(n, links):
    cluster = list(range(n))
    for _ in range(n):
        for i, j in links:
            cluster[i] = cluster[j] = min(cluster[i], cluster[j])
    return cluster


def squares(explorer):
    """Row and column of the pairs drawn in each way."""
    drawn = {name: np.transpose(marks.get_data()) for name, marks in explorer.artists.marks.items()}
    return {name: list(map(tuple, at[~np.isnan(at[:, 0])].tolist())) for name, at in drawn.items()}


@settings(deadline=None, max_examples=25)
@given(st.floats(0, 1), st.integers(1, 25))
def test_every_position_gives_what_counting_pairs_gives(threshold, neighbours):
    explorer = move(CASES["MatchingExplorer"].make(), threshold=threshold, neighbours=neighbours)
    now, n = explorer.numbers(), explorer.names.size
    pairs = list(itertools.combinations(range(n), 2))
    alike = dict(zip(pairs, explorer.similarity.tolist(), strict=True))
    person = explorer.entity.tolist()
    compared = [(i, j) for i, j in pairs if j - i <= neighbours]
    links = [pair for pair in compared if alike[pair] >= threshold]
    cluster = clusters_by_hand(n, links)
    same = {(i, j) for i, j in pairs if person[i] == person[j]}
    together = {(i, j) for i, j in pairs if cluster[i] == cluster[j]}
    assert (now["compared"], now["links"]) == (len(compared), len(links))
    assert now["wrong_links"] == len(set(links) - same)
    assert now["clusters"] == len(set(cluster))
    assert now["largest"] == max(map(cluster.count, cluster))
    assert now["pair_completeness"] == pytest.approx(len(same & set(compared)) / len(same))
    assert now["recall_of_compared"] == pytest.approx(len(same & set(links)) / len(same & set(compared)))
    assert now["pairwise_recall"] == pytest.approx(len(same & together) / len(same))
    assert {name: set(each) for name, each in squares(explorer).items()} == {
        "right link": same & set(links),
        "right, through others": same & together - set(links),
        "missed pair": same - together,
        "wrong link": set(links) - same,
        "wrong, through others": together - same - set(links),
    }
    right = len(same & together) / len(together) if together else math.nan
    assert now["pairwise_precision"] == pytest.approx(right, nan_ok=True)
    both = [
        sum((c, p) == each for each in zip(cluster, person, strict=True)) for c, p in zip(cluster, person, strict=True)
    ]
    assert now["b_cubed_precision"] == pytest.approx(
        np.mean([b / cluster.count(c) for b, c in zip(both, cluster, strict=True)])
    )
    assert now["b_cubed_recall"] == pytest.approx(
        np.mean([b / person.count(p) for b, p in zip(both, person, strict=True)])
    )


def small(**more):
    given = {"names": NAMES, "entity": ["l", "a", "a", "l"], "similarity": SIMILARITY, **more}
    return MatchingExplorer(**given)


def test_records_are_sorted_by_name_with_all_that_belongs_to_them():
    explorer = small(threshold=0.5, neighbours=1)
    assert explorer.names.tolist() == ["Anna", "Anne", "Lee", "Li"]
    assert explorer.entity.tolist() == [1, 1, 0, 0]  # in order of appearance
    assert explorer.similarity.tolist() == [0.9, 0.3, 0, 0.5, 0.1, 0.6]  # of pairs 01 02 03 12 13 23
    assert (explorer.numbers()["links"], explorer.numbers()["clusters"]) == (3, 1)
    assert numbers_in(repr(explorer))[:7] == [1, 3, 6, 1, 0.5, 3, 1]


def test_every_pair_is_drawn_in_its_square_and_every_record_in_the_colour_of_its_cluster():
    explorer = small(threshold=0.65, neighbours=3)  # Anna, Anne, Lee, Li
    artists = explorer.artists
    drawn = {name: each for name, each in squares(explorer).items() if each}
    assert drawn == {"right link": [(0, 1)], "missed pair": [(2, 3)]}
    assert [text.get_text() for text in artists.clusters] == ["1", "1", "2", "3"]
    faces = [plots.COLOURS[name] for name in ("positive", "positive", "second", "second")]
    assert np.allclose(artists.states.get_facecolor(), [(*plots.to_rgb(face), 1) for face in faces])
    move(explorer, threshold=0.5)
    assert {name: each for name, each in squares(explorer).items() if each} == {
        "right link": [(0, 1), (2, 3)],
        "wrong link": [(1, 2)],
        "wrong, through others": [(0, 2), (0, 3), (1, 3)],
    }
    assert [text.get_text() for text in artists.clusters] == ["1"] * 4
    assert np.allclose(artists.states.get_facecolor(), (*plots.to_rgb(plots.COLOURS["negative"]), 1))


def test_without_a_link_pairwise_precision_is_nan_and_b_cubed_is_not():
    explorer = small(threshold=1)
    assert math.isnan(explorer.numbers()["pairwise_precision"])
    assert explorer.numbers()["b_cubed_precision"] == 1
    assert np.isnan(numbers_in(repr(explorer))).sum() == 1


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"names": ["a", "b"]}, "unequal lengths"),
        ({"names": [], "entity": []}, "names is empty"),
        ({"names": ["Li", np.nan, "Anna", "Lee"]}, "names is missing at position 1"),
        ({"entity": [1, 2, 3, 4]}, "entity has no two records alike"),
        ({"entity": ["l", "a", "a", None]}, "entity is missing at position 3"),
        ({"entity": ["l", "a", "a", np.nan]}, "entity is missing at position 3"),
        ({"similarity": SIMILARITY[:3]}, "similarity must have shape"),
        ({"similarity": 2 * SIMILARITY}, "similarity must be numbers from 0 to 1"),
        ({"similarity": SIMILARITY * np.nan}, "similarity must be numbers from 0 to 1"),
        ({"similarity": np.triu(SIMILARITY)}, "similarity is not the same both ways"),
        ({"threshold": 1.5}, "threshold must be"),
        ({"neighbours": 4}, "neighbours must be a whole number from 1 to 3, got 4"),
    ],
)
def test_what_cannot_be_drawn_is_refused(given, why):
    with pytest.raises(ValueError, match=f"^{why}"):
        small(**given)


@pytest.mark.parametrize("n", [3, 40])
def test_the_smallest_and_the_largest_table_are_drawn(n):
    assert MatchingExplorer([f"{i:02d}" for i in range(n)], [1] * n, np.ones((n, n))).names.size == n


@pytest.mark.parametrize("n", [2, 41])
def test_a_table_too_small_or_too_large_to_draw_is_refused(n):
    with pytest.raises(ValueError, match=f"^names has {n} records; an explorer draws 3 to 40"):
        MatchingExplorer(["x"] * n, [1] * n, np.ones((n, n)))
