"""The eight images of a square board whose points are bits of a word."""

from libc.stdint cimport uint64_t

from boyi.core.bits cimport lowest
from boyi.core.types cimport move_t

ctypedef uint64_t (*turning)(uint64_t word) noexcept nogil     # a board, mirrored or transposed


cdef inline int fill_images(move_t[8][64] images, move_t[8][64] originals, int points, turning mirror,
                            turning transpose) noexcept:
    """Where each image puts each point, and where it has it from: mirrored and transposed by turns, seven times."""
    cdef int point, image
    cdef uint64_t stone
    for point in range(points):
        stone = <uint64_t> 1 << point
        for image in range(8):
            if image:
                stone = mirror(stone) if image & 1 else transpose(stone)
            images[image][point] = lowest(stone)
            originals[image][lowest(stone)] = point
    return 0
