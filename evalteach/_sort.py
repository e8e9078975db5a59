"""What a sweep counts, two to three times as fast as its textbook form (``counts.counted``)."""

import numpy as np


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
    below = np.flatnonzero(first)  # positions are also numbers of rows below
    if below.size <= n:
        fn, keys = fn[below], keys[below]
        tn, tp, fp = tn[: below.size], tp[: below.size], fp[: below.size]
    np.subtract(below, fn, out=tn)
    return decode(keys), np.subtract(fn[-1], fn, out=tp), np.subtract(tn[-1], tn, out=fp), fn, tn


def _sorted_keys(actual, score, keys):
    """Fills ``keys`` with score and label of each row in one integer, ascending by score; returns the way back.

    ``np.sort`` of plain numbers uses the processor's vector instructions and ``np.argsort`` hardly does, so
    the label travels inside the number: the bits of a double order like its absolute value, and below 2 they
    leave a place free beside the sign. Multiplying by a power of two brings other scores there without
    rounding. A last, empty place is left for the threshold above all scores, which ``decode`` (working in
    place) fills in.
    """
    n, low, high = score.size, score.min(), score.max()
    if np.isinf(low) or np.isinf(high):
        return _ranked_keys(actual, score, keys)
    scale = 2.0 ** max(0, int(np.frexp(max(-low, high))[1]) - 1)
    for part in _blocks(n):
        bits = score[part].view(np.int64)
        if scale > 1:
            scaled = score[part] / scale
            if not np.array_equal(scaled * scale, score[part]):
                return _ranked_keys(actual, score, keys)
            bits = scaled.view(np.int64)
        key = np.left_shift(bits, 1, out=keys[part])  # drops the sign, that of -0.0 too, which equals 0.0
        if low < 0:
            sign = bits >> 63  # -1 or 0
            key ^= sign
            key -= sign
        key |= actual[part]
    keys[:n].sort()

    def decode(keys):
        for part in _blocks(keys.size - 1):
            bits = np.right_shift(keys[part], 1, out=keys[part])
            if low < 0:
                sign = bits >> 63
                bits ^= sign
                bits -= sign
                bits |= sign << 63
            if scale > 1:
                np.multiply(bits.view(np.float64), scale, out=bits.view(np.float64))
        scores = keys.view(np.float64)
        scores[-1] = np.inf
        return scores

    return decode


def _ranked_keys(actual, score, keys):
    """The same for scores that are infinite or too wide for one power of two: their ranks order like them."""
    distinct, ranks = np.unique(score, return_inverse=True)
    keys[:-1] = (ranks << 1) | actual
    keys[:-1].sort()
    return lambda keys: np.append(distinct[keys[:-1] >> 1], np.inf)


def _blocks(n, rows=1 << 15):
    """Slices of ``n`` rows, each so short that what is made of it on the way stays in the cache."""
    return (slice(start, min(start + rows, n)) for start in range(0, n, rows))
