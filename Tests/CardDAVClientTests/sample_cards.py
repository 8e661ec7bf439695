"""Cards as programs write them, the same in each run."""

import base64
import random
import struct
import uuid
import zlib

from card import Card

FIRST_NAMES = "Ada Grace Alan Édith Łukasz Zoë Jürgen Mária 明 Анна".split()
LAST_NAMES = "Lovelace Hopper Turing Müller Ångström O'Neil Nguyễn 王 Иванова Smith".split()
LINE_BYTES = 74
# A picture with this number of pixels in a row and a column has 3.6 MB, and 4.8 MB in a card.
LARGE_SIDE = 1100


def fold(line):
    """Cuts a long line of ASCII as RFC 6350 describes."""
    return "\r\n ".join(line[start:start + LINE_BYTES] for start in range(0, len(line), LINE_BYTES))


def write(lines):
    return Card("\r\n".join(["BEGIN:VCARD", "VERSION:3.0", *lines, "END:VCARD", ""]))


def picture(seed, side=16):
    """A small PNG, in base64."""
    pixels = random.Random(seed)
    rows = b"".join(b"\0" + pixels.randbytes(3 * side) for _ in range(side))
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return base64.b64encode(png).decode()


def large(name):
    """A card of a person with a picture of some megabytes."""
    return person(name, fold(f"PHOTO;ENCODING=b;TYPE=PNG:{picture(0, LARGE_SIDE)}"))


def sample(number):
    """A card with what address books usually have; every tenth has a photo."""
    numbers = random.Random(number)
    first, last = numbers.choice(FIRST_NAMES), numbers.choice(LAST_NAMES)
    identifier = uuid.UUID(int=numbers.getrandbits(128), version=4)
    lines = [
        f"UID:{identifier}", f"FN:{first} {last} {number}", f"N:{last} {number};{first};;;",
        f"EMAIL;TYPE=INTERNET,HOME:person{number}@example.org", f"EMAIL;TYPE=INTERNET;TYPE=WORK:work{number}@example.com",
        f"TEL;TYPE=CELL:+49 151 {numbers.randrange(10**8):08d}", f"TEL;TYPE=HOME,VOICE:+49 30 {numbers.randrange(10**7):07d}",
        f"ADR;TYPE=HOME:;;Street {number}\\, back;Town;;{numbers.randrange(10**5):05d};Germany",
        "ORG:Example GmbH;Research", f"TITLE:Engineer no. {number}", f"BDAY:19{numbers.randrange(40, 99)}-04-1{number % 10}",
        f"NOTE:Two lines\\nand a comma\\, {number}", f"URL:https://example.org/{number}", "CATEGORIES:Rowing,Choir",
        f"X-CUSTOM;X-KIND=a:keep {number}", f"item1.TEL:+49 40 {numbers.randrange(10**7):07d}", "item1.X-ABLabel:Boat",
        "REV:2026-01-01T00:00:00Z",
    ]
    return write([fold_characters(line) for line in lines] + (
        [fold(f"PHOTO;ENCODING=b;TYPE=PNG:{picture(number)}")] if number % 10 == 0 else []))


def fold_characters(line):
    """A line, folded only if it is ASCII: a fold must not cut a character."""
    return fold(line) if line.isascii() else line


def person(name, *lines):
    """A card of a person with a first and a last name."""
    first, last = name.split(" ")
    identifier = uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([name, *lines]))
    return write([f"UID:{identifier}", f"FN:{name}", f"N:{last};{first};;;", *lines])
