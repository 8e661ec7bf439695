"""Address books for the measurements: the same cards in every run."""

import base64
import random
import uuid

FIRST_NAMES = ["Ada", "Björn", "Chidi", "Dorothy", "Eilís", "Fatima", "Grace", "Hedy", "Иван", "Jun", "Kōji", "美玲"]
LAST_NAMES = ["Åkesson", "Babbage", "Curie", "Dvořák", "Erdős", "Franklin", "García", "Hamilton", "Ito", "Петрова", "王"]
STREETS = ["Harbour Road", "Lindenallee", "Rue du Port", "Storgatan", "Via Roma"]
WORKPLACES = ["Analytical Works", "Böttcher & Söhne", "Harbour Clinic", "Northern Lights", "Quill Press"]
# One card in fifty has a photo of this size, so 10,000 cards are about 10 MB, half of it in photos.
PHOTO_EVERY = 50
PHOTO_BYTES = 20_000


def cards(count):
    """Returns the UIDs and the texts of `count` cards, vCard 3.0 as clients write it."""
    return dict(card(number) for number in range(count))


def card(number):
    source = random.Random(number)
    identifier = str(uuid.UUID(int=source.getrandbits(128), version=4))
    first, last = source.choice(FIRST_NAMES), f"{source.choice(LAST_NAMES)} {number}"
    lines = [
        "BEGIN:VCARD",
        "VERSION:3.0",
        f"UID:{identifier}",
        f"FN:{first} {last}",
        f"N:{last};{first};;;",
        f"ORG:{source.choice(WORKPLACES)}",
        f"EMAIL;TYPE=INTERNET,HOME:home.{number}@example.org",
        f"TEL;TYPE=CELL:+46 70 {source.randrange(10**7):07d}",
        f"ADR;TYPE=HOME:;;{source.choice(STREETS)} {source.randrange(1, 200)};Lund;;{source.randrange(10**5):05d};SE",
        f"BDAY:{source.randrange(1940, 2005)}-{source.randrange(1, 13):02d}-{source.randrange(1, 29):02d}",
        f"NOTE:Met at the fair\\, {source.randrange(1990, 2026)}",
        "REV:2026-01-01T00:00:00Z",
    ]
    if source.random() < 0.5:
        lines.append(f"EMAIL;TYPE=INTERNET,WORK:work.{number}@example.com")
    if number % PHOTO_EVERY == 0:
        lines.append(folded("PHOTO;ENCODING=b;TYPE=JPEG:" + base64.b64encode(photo(source)).decode()))
    return identifier, "\r\n".join([*lines, "END:VCARD", ""])


def folded(line):
    """Breaks an ASCII line after 75 characters, and each part of it."""
    parts = [line[:75], *(line[start:start + 74] for start in range(75, len(line), 74))]
    return "\r\n ".join(parts)


def photo(source):
    """A gray JPEG of one pixel. A comment of random bytes gives it the size of a photo."""
    def segment(marker, content):
        return bytes([0xFF, marker]) + (len(content) + 2).to_bytes(2, "big") + content

    one_code = bytes([1]) + bytes(15) + bytes(1)  # a Huffman table with the code 0 for the value 0
    return b"".join([
        b"\xFF\xD8",
        segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0"),
        segment(0xFE, source.randbytes(PHOTO_BYTES)),
        segment(0xDB, bytes(1) + bytes([1]) * 64),
        segment(0xC0, bytes([8, 0, 1, 0, 1, 1, 1, 0x11, 0])),
        segment(0xC4, bytes([0x00]) + one_code),
        segment(0xC4, bytes([0x10]) + one_code),
        segment(0xDA, bytes([1, 1, 0, 0, 63, 0])),
        b"\x3F\xFF\xD9",
    ])
