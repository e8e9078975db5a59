"""What a sweep counts, two to three times as fast as its textbook form (``counts.counted``)."""

import numpy as np

NEAR_ZERO = 1 << 54  # the key of 2**-1021; what is rounded in scaling comes out below it


def counted(actual, score):
    """Distinct scores, ascending, then +inf; and tp, fp, fn and tn with each of them as threshold."""
    n = score.size
    # fresh memory costs as much as the arithmetic, and one large piece half of what five cost
    keys, fn, tn, tp, fp = np.empty((5, n + 1), dtype=np.int64)
    decode = _sorted_keys(actual, score, keys)
    first = np.ones(n + 1, dtype=bool)  # of a run of equal scores; the last place is for +inf
    # neighbours with one score differ at most in the label's bit
    np.greater(np.bitwise_xor(keys[1:n], keys[: n - 1], out=tp[1:n]).view(np.uint64), 1, out=first[1:n])
    fn[0] = 0
    np.cumsum(np.bitwise_and(keys[:n], 1, out=tp[1:]), out=fn[1:])
    if tied := not first.all():
        below = np.flatnonzero(first)
        fn, keys = fn[below], keys[below]
        tn, tp, fp = tn[: below.size], tp[: below.size], fp[: below.size]
    positives = fn[-1]
    for part in _blocks(fn.size):
        # positions are also numbers of rows below
        rows = below[part] if tied else np.arange(part.start, part.stop)
        np.subtract(rows, fn[part], out=tn[part])
        np.subtract(positives, fn[part], out=tp[part])
        np.subtract(n - positives, tn[part], out=fp[part])
    return decode(keys), tp, fp, fn, tn


def _sorted_keys(actual, score, keys):
    """Fills ``keys`` with score and label of each row in one integer, ascending by score; returns the way back.

    ``np.sort`` of plain numbers uses the processor's vector instructions and ``np.argsort`` hardly does, so
    the label travels inside the number: the bits of a double order like its absolute value (inverted, those of
    a negative one like itself), and below 2 they leave a place free beside the sign. Dividing by a power of two
    brings other scores there, without rounding unless they come near zero. A last, empty place is left for the
    threshold above all scores, which ``decode`` (working in place) fills in.
    """
    n, low, high = score.size, score.min(), score.max()
    if np.isinf(low) or np.isinf(high):
        return _ranked_keys(actual, score, keys)
    scale = 2.0 ** max(0, int(np.frexp(max(-low, high))[1]) - 1)
    for part in _blocks(n):
        key, bits = keys[part], score[part].view(np.int64)
        if scale > 1:
            bits = np.divide(score[part], scale, out=key.view(np.float64)).view(np.int64)
        if low < 0:
            bits = np.bitwise_xor(bits, bits >> 63, out=key)  # with -1 or 0
        np.left_shift(bits, 1, out=key)  # drops the sign, that of -0.0 too if there is no other
        key |= actual[part]
    keys[:n].sort()
    start, minus_zero, zero, stop = keys[:n].searchsorted([-NEAR_ZERO, -2, 0, NEAR_ZERO])
    if scale > 1 and start < stop and stop - start > n - np.count_nonzero(score):  # more than the zeros
        return _ranked_keys(actual, score, keys)
    keys[minus_zero:zero] += 2  # -0.0 equals 0.0

    def decode(keys):
        negative = keys[:-1].searchsorted(0)
        for part in _blocks(keys.size - 1):
            bits = np.right_shift(keys[part], 1, out=keys[part])
            bits[: max(0, negative - part.start)] ^= np.iinfo(np.int64).max  # all but the sign
            if scale > 1:
                np.multiply(bits.view(np.float64), scale, out=bits.view(np.float64))
        scores = keys.view(np.float64)
        scores[-1] = np.inf
        return scores

    return decode


def _ranked_keys(actual, score, keys):
    """The same for scores that are infinite or too wide for one power of two: their ranks order like them."""
    distinct, ranks = np.unique(score + 0.0, return_inverse=True)  # -0.0 becomes 0.0
    keys[:-1] = (ranks << 1) | actual
    keys[:-1].sort()
    return lambda keys: np.append(distinct[keys[:-1] >> 1], np.inf)


def _blocks(n, rows=1 << 15):
    """Slices of ``n`` rows, each so short that what is made of it on the way stays in the cache."""
    return (slice(start, min(start + rows, n)) for start in range(0, n, rows))
