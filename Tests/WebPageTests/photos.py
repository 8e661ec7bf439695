"""Pictures for the checks."""

import colorsys
import math
import os
import struct
import zlib


def landscape(width, height, hue=0.6):
    """A PNG with a sky, a sun and hills, so that a person who looks at the pictures of the checks sees a photo."""
    rows = []
    for y in range(height):
        row = bytearray(b"\0")
        for x in range(width):
            row += bytes(_color(x / width, y / height, width / height, hue))
        rows.append(bytes(row))
    return _png(width, height, rows)


def noise(width, height):
    """A PNG of three bytes for each pixel, which does not become smaller."""
    return _png(width, height, [b"\0" + os.urandom(3 * width) for _ in range(height)])


def _png(width, height, rows):
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(b"".join(rows), 6)) + _chunk(b"IEND", b"")


def _color(x, y, ratio, hue):
    for depth, (base, height, waves) in enumerate(((0.58, 0.10, 5), (0.72, 0.08, 9), (0.86, 0.05, 14))):
        if y > base - height * math.sin(waves * x * ratio / 2 + depth * 2 + hue * 9):
            return _rgb(hue + 0.03 * depth, 0.35 + 0.1 * depth, 0.62 - 0.17 * depth)
    if (x - 0.72) ** 2 * ratio ** 2 + (y - 0.28) ** 2 < 0.008:
        return [255, 246, 220]
    return _rgb(hue - 0.06 * y, 0.5 - 0.4 * y, 0.85 + 0.15 * y)


def _rgb(hue, saturation, value):
    return [int(255 * part) for part in colorsys.hsv_to_rgb(hue % 1, saturation, min(value, 1))]


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
