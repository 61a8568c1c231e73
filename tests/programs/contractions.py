"""Sums of products of arrays whose axes have labels: products of matrices, where they are that."""

# Without annotations the types come from the call.
# pyright: basic

import numpy as np

from tests.programs import Case

RNG = np.random.default_rng(29)
# Small whole numbers: their products add up exactly, in any order.
CUBE = RNG.integers(-9, 9, (3, 4, 5)).astype(np.float64)
OTHER = RNG.integers(-9, 9, (5, 6, 2)).astype(np.float64)
BYTES = RNG.integers(-128, 127, (3, 4, 5)).astype(np.int8)
TABLE = RNG.integers(-9, 9, (3, 4)).astype(np.float64)
FOUR = RNG.integers(-9, 9, (2, 3, 4, 5)).astype(np.float64)


def grouped(a, b):
    return (
        np.einsum("ijk,klm->ijlm", a, b),
        np.einsum("klm,ijk->ijlm", b, a),
        np.einsum("ijk,klm->lmij", a, b),
        np.einsum("ijk,klm->ilmj", a, b),
        np.einsum("ijk,klm", a, b),
        np.einsum("ijk,klm->il", a, b),
        np.einsum("ijk,klm->m", a, b),
    )


def columns(a, b):
    return (
        np.einsum("ij,ik->jk", a, b),
        np.einsum("ij,ik->kj", a, b),
        np.einsum("ij,ij->j", a, a),
        np.einsum("ij,i->j", a, b[:, 0]),
        np.einsum("i,ij", b[:, 0], a),
        np.einsum("ij,kj->ik", a, a),
        np.einsum("ij,ji->", a, a.T),
        np.einsum("ij,ij->ji", a, a),
        np.einsum("ij->j", a),
        np.einsum("ij,kj->i", a, a),
    )


def stacked(a, b):
    return (
        np.einsum("bij,bjk->bik", a, b),
        np.einsum("bij,bjk->kib", a, b),
        np.einsum("bij,bkj->bik", a, a),
        np.einsum("bij,bj->bi", a, a[:, 0]),
        np.einsum("bij,bik->bjk", a, a),
        np.einsum("...ij,...jk->...ik", a, b),
    )


def several(a, b):
    return (
        np.einsum("ijkl,kl->ij", a, b),
        np.einsum("ijkl,ij->kl", a, a[:, :, 0, 0]),
        np.einsum("ijkl,lk->ji", a, b.T),
        np.einsum("ijkl,jkm->iml", a, a[0]),
        np.einsum("ijkl,ijkm->lm", a, a),
        np.einsum("ijkl,ijkl->k", a, a),
        np.einsum("ijkl,ijml->km", a, a),
    )


def of_three(a, b, c):
    return (
        np.einsum("ij,jk,kl->il", a, b, c),
        np.einsum("ij,jk,kl->li", a, b, c),
        np.einsum("ij,jk,kl", a, b, c),
        np.einsum("ij,jk,k->i", a, b, c[:, 0]),
        np.einsum("i,ij,jk->k", a[:, 0], a, b),
        np.einsum("i,j,ij->", a[:, 0], a[0], a),
        np.einsum("ij,ik,il->jkl", a, a, a),
        np.einsum("ii,ij,jk->k", a[:2, :2], a[:2], b),
    )


def misfits(a, b):
    return np.einsum("ijk,jkl->il", a, b)


CASES: list[Case] = [
    (grouped, [(CUBE, OTHER), (CUBE[::-1, :, ::-1], OTHER[::-1]), (CUBE[:0], OTHER)]),
    (grouped, [(np.asfortranarray(CUBE), np.asfortranarray(OTHER)), (CUBE[..., :0], OTHER[:0])]),
    (grouped, [(CUBE.astype(np.float32), OTHER), (CUBE * 1j, OTHER), (CUBE * 1j, OTHER + 1j)]),
    (grouped, [(CUBE.astype(np.int64), OTHER.astype(np.int64)), (CUBE > 2, OTHER > 0)]),
    (
        grouped,
        [(CUBE.astype(np.float16), OTHER.astype(np.float16)), (BYTES, OTHER.astype(np.int8))],
    ),
    (columns, [(TABLE, CUBE[:, 0]), (TABLE.T[:3], TABLE[:, ::-2]), (TABLE[:0], TABLE[:0])]),
    (columns, [(TABLE[:, :0], TABLE), (TABLE[:1], TABLE[:1]), (TABLE, TABLE[:, :1])]),
    (columns, [(TABLE.astype(np.float32), TABLE.astype(np.int8)), (TABLE * 1j, TABLE)]),
    (stacked, [(CUBE, CUBE.transpose(0, 2, 1)), (CUBE[:1], CUBE.transpose(0, 2, 1))]),
    (stacked, [(CUBE[:0], CUBE[:0].transpose(0, 2, 1)), (CUBE[:, :0], CUBE.transpose(0, 2, 1))]),
    (
        several,
        [(FOUR, FOUR[0, 0]), (FOUR.transpose(1, 0, 2, 3), FOUR[0, 0]), (FOUR[:0], FOUR[1, 1])],
    ),
    (several, [(FOUR.astype(np.float32), FOUR[0, 0].astype(np.float32)), (FOUR * 1j, FOUR[0, 0])]),
    (of_three, [(TABLE, CUBE[0], OTHER[:, :, 0]), (TABLE + 1j, CUBE[0], OTHER[:, :, 1])]),
    (
        of_three,
        [(TABLE.astype(np.int64), CUBE[0].astype(np.int64), OTHER[:, :, 0].astype(np.int64))],
    ),
    (misfits, [(CUBE, OTHER), (CUBE, CUBE[0][..., None]), (CUBE, CUBE[:2].transpose(1, 2, 0))]),
]
