"""Reads and writes cards with vobject, a second implementation of the format.

vobject_cards.py read CARDS     prints each card of the file as a line of JSON
vobject_cards.py write PEOPLE   prints cards of the people in the file, a line of JSON each
"""

import base64
import json
import sys

import vobject

NAME = ("family", "given", "additional", "prefix", "suffix")
ADDRESS = ("box", "extended", "street", "city", "region", "code", "country")
TEXTS = ("uid", "fn", "title", "role", "note", "bday")


def fields(value, names):
    return [getattr(value, name) for name in names]


def labels(card):
    return {line.group: line.value for line in card.contents.get("x-ablabel", [])}


def entries(card, name, value):
    names = labels(card)
    return [
        {
            "value": value(line),
            "types": line.params.get("TYPE", []),
            "label": names.get(line.group, "") if line.group else "",
        }
        for line in card.contents.get(name, [])
    ]


def described(card):
    contents = card.contents
    person = {name: contents[name][0].value for name in TEXTS if name in contents}
    person["version"] = contents["version"][0].value
    person["n"] = fields(contents["n"][0].value, NAME)
    person["org"] = contents["org"][0].value if "org" in contents else []
    person["tel"] = entries(card, "tel", lambda line: line.value)
    person["email"] = entries(card, "email", lambda line: line.value)
    person["adr"] = entries(card, "adr", lambda line: fields(line.value, ADDRESS))
    person["photo"] = [
        line.value if isinstance(line.value, str) else base64.b64encode(line.value).decode()
        for line in contents.get("photo", [])
    ]
    return person


def read(path):
    # The parser takes Unicode's other line ends for line ends if the text is not read as bytes were written.
    with open(path, encoding="utf-8", newline="") as file:
        for card in vobject.readComponents(file, allowQP=False):
            print(json.dumps(described(card)))


def add(card, name, entry, value):
    line = card.add(name)
    line.value = value
    if entry["types"]:
        line.params["TYPE"] = entry["types"]
    if entry["label"]:
        line.group = f"item{sum(1 for _ in card.getChildren())}"
        label = card.add("x-ablabel")
        label.group = line.group
        label.value = entry["label"]


def card(person):
    card = vobject.vCard()
    for name in TEXTS:
        if name in person:
            card.add(name).value = person[name]
    card.add("n").value = vobject.vcard.Name(**dict(zip(NAME, person["n"])))
    if person["org"]:
        card.add("org").value = person["org"]
    for name in ("tel", "email"):
        for entry in person[name]:
            add(card, name, entry, entry["value"])
    for entry in person["adr"]:
        add(card, "adr", entry, vobject.vcard.Address(**dict(zip(ADDRESS, entry["value"]))))
    for photo in person["photo"]:
        line = card.add("photo")
        line.encoding_param = "b"
        line.value = base64.b64decode(photo)
    return card


def write(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        for line in file:
            sys.stdout.buffer.write(card(json.loads(line)).serialize().encode())


if __name__ == "__main__":
    {"read": read, "write": write}[sys.argv[1]](sys.argv[2])
