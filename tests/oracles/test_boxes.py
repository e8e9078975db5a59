"""IoU, greedy matching, and average precision of boxes as 34_boxes_and_masks derives them, against COCO's program."""

import contextlib
import io

import numpy as np
import pytest

coco = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
cocoeval = pytest.importorskip("pycocotools.cocoeval")
masks = pytest.importorskip("pycocotools.mask")

LIMITS = np.round(np.arange(0.5, 1, 0.05), 2)


@pytest.fixture(scope="module")
def lesson(derived):
    return derived("34_boxes_and_masks")


def random_boxes(rng, number, whole):
    """Boxes as left, top, right, bottom; on whole pixels many overlaps are equal."""
    corner, size = rng.uniform(0, 12, (number, 2)), rng.uniform(2, 12, (number, 2))
    if whole:
        corner, size = corner.astype(int), size.astype(int)
    return np.hstack([corner, corner + size]).astype(float)


def random_test(rng):
    """Images of ground truth and detections: some of either are empty, some scores are equal."""
    whole, crowded = rng.random() < 0.5, rng.random() < 0.5
    images = []
    for _ in range(rng.integers(1, 9)):
        truth = random_boxes(rng, rng.integers(0, 6) * (rng.random() < 0.7), whole)
        moved = np.repeat(truth, rng.integers(0, 4, len(truth)), axis=0)
        moved = moved + (rng.integers(-2, 3, moved.shape) if whole else rng.normal(0, 1, moved.shape))
        moved[:, 2:] = np.maximum(moved[:, 2:], moved[:, :2] + 1)
        boxes = np.vstack([moved, random_boxes(rng, rng.integers(0, 7), whole)])
        scores = rng.random(len(boxes)).round(1 if crowded else 6)
        images.append((truth, boxes, scores))
    return images


def by_coco(images):
    """AP at each of ten IoU limits, as pycocotools computes it."""
    data = {"images": [{"id": i} for i in range(len(images))], "categories": [{"id": 1}], "annotations": []}
    found = []
    for i, (truth, boxes, scores) in enumerate(images):
        for left, top, right, bottom in truth:
            box, area = [left, top, right - left, bottom - top], (right - left) * (bottom - top)
            entry = {"id": len(data["annotations"]) + 1, "image_id": i, "category_id": 1, "iscrowd": 0}
            data["annotations"].append({**entry, "bbox": box, "area": area})
        for (left, top, right, bottom), score in zip(boxes, scores, strict=True):
            box = [left, top, right - left, bottom - top]
            found.append({"image_id": i, "category_id": 1, "bbox": box, "score": score})
    with contextlib.redirect_stdout(io.StringIO()):
        truths = coco.COCO()
        truths.dataset = data
        truths.createIndex()
        run = cocoeval.COCOeval(truths, truths.loadRes(found), "bbox")
        run.evaluate()
        run.accumulate()
    return run.eval["precision"][:, :, 0, 0, -1].mean(axis=1)


def by_lesson(lesson, images, needed):
    scores, hits = [], []
    for truth, boxes, own in images:
        order = np.argsort(-own, kind="stable")
        scores.append(own[order])
        hits.append(lesson.match(lesson.iou(boxes[order, None], truth), needed))
    objects = sum(len(truth) for truth, _, _ in images)
    return lesson.coco_ap(np.concatenate(scores), np.concatenate(hits), objects)


def test_ap_at_ten_limits_is_that_of_coco(lesson):
    rng = np.random.default_rng(34)
    compared = 0
    while compared < 150:
        images = random_test(rng)
        if not any(len(truth) for truth, _, _ in images) or not any(len(boxes) for _, boxes, _ in images):
            continue  # COCO's program has no value, or reads no empty file
        expected = by_coco(images)
        assert np.allclose([by_lesson(lesson, images, needed) for needed in LIMITS], expected, atol=1e-9)
        compared += 1


@pytest.mark.parametrize(("hits", "objects", "hundred_and_one"), [([1, 0, 1, 0], 3, 56), ([1], 2, 51), ([0, 0], 2, 0)])
def test_ap_by_hand(lesson, hits, objects, hundred_and_one):
    ap = lesson.coco_ap(-np.arange(len(hits)), np.array(hits), objects)
    assert ap == pytest.approx(hundred_and_one / 101)


def test_iou_is_that_of_pixels_and_of_coco(lesson):
    rng = np.random.default_rng(0)
    one, other = random_boxes(rng, 30, True), random_boxes(rng, 20, True)
    got = lesson.iou(one[:, None], other)
    sizes = [np.hstack([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]]) for boxes in (one, other)]
    assert np.allclose(got, masks.iou(*sizes, [0] * len(other)))
    pixels = [
        [{(x, y) for x in range(int(b[0]), int(b[2])) for y in range(int(b[1]), int(b[3]))} for b in boxes]
        for boxes in (one, other)
    ]
    assert np.allclose(got, [[len(a & b) / len(a | b) for b in pixels[1]] for a in pixels[0]])
    dice = [[2 * len(a & b) / (len(a) + len(b)) for b in pixels[1]] for a in pixels[0]]
    assert np.allclose(dice, 2 * got / (1 + got))


def test_a_weight_counts_as_often_as_a_box(lesson):
    rng = np.random.default_rng(1)
    for _ in range(100):
        scores, hits = rng.random(30), rng.random(30) < 0.4
        weights = np.where(hits, 1, rng.integers(1, 5, 30))
        copies = np.repeat(np.arange(30), weights)
        expected = lesson.coco_ap(scores[copies], hits[copies], 20)
        assert lesson.coco_ap(scores, hits, 20, weights) == pytest.approx(expected)


def test_boxes_below_all_others_never_lower_ap(lesson):
    rng = np.random.default_rng(2)
    for _ in range(300):
        scores, hits = rng.random(rng.integers(1, 30)).round(1), rng.random(50) < rng.random()
        n, objects = scores.size, 50
        before = lesson.coco_ap(scores, hits[:n], objects)
        after = lesson.coco_ap(np.append(scores, rng.random(50 - n) - 1.1), hits, objects)
        assert after >= before
        only_false = lesson.coco_ap(np.append(scores, np.full(50 - n, -1)), hits * (np.arange(50) < n), objects)
        assert only_false == before


@pytest.mark.parametrize("limit", [0, 0.3, 0.5, 1])
def test_suppression_keeps_what_no_kept_box_of_a_higher_score_overlaps(lesson, limit):
    rng = np.random.default_rng(3)
    for _ in range(25):
        boxes, scores = random_boxes(rng, 40, True), rng.random(40)
        overlaps = lesson.iou(boxes[:, None], boxes)
        lesson.suppress.__globals__["OVERLAP"] = overlaps
        kept = set(lesson.suppress(scores, limit).tolist())
        for i in range(40):
            higher = [j for j in kept if scores[j] > scores[i]]
            assert (i in kept) == (not any(overlaps[i, j] > limit for j in higher))
