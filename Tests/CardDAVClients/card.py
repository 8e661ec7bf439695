"""A vCard, as its properties."""

import re
import textwrap
from typing import NamedTuple


# Evolution notes here how to dial a number.
OWN_PARAMETERS = "x-evolution-"
SHOWN_CHARACTERS = 100


class Property(NamedTuple):
    """A line of a card. What may be written in small or capital letters is compared in small ones, types in any order and
    number of parameters, and a parameter that a program adds for itself not at all."""

    group: str
    name: str
    parameters: frozenset
    value: str

    @classmethod
    def parse(cls, line):
        # A quoted value of a parameter may contain the characters that end one.
        head = re.match(r'(?:"[^"]*"|[^":])*', line).group()
        parts = re.findall(r'(?:"[^"]*"|[^";])+', head)
        group, _, name = parts[0].rpartition(".")
        parameters = set()
        for part in parts[1:]:
            key, _, values = part.lower().rpartition("=")
            if not key.startswith(OWN_PARAMETERS):
                parameters |= {(key or "type", value) for value in values.replace('"', "").split(",")}
        return cls(group.lower(), name.lower(), frozenset(parameters), line[len(head) + 1:])


class Card:
    """A card as it is written. Two cards with the same properties in any order mean the same."""

    def __init__(self, text):
        self.text = text
        unfolded = re.sub(r"\r?\n[ \t]", "", text)
        self.properties = sorted((Property.parse(line) for line in unfolded.splitlines() if line), key=repr)

    def __str__(self):
        """The properties, as a failed check shows them: without most of a photo."""
        lines = [f"{one.group}.{one.name} {sorted(one.parameters)} {one.value}" for one in self.properties]
        return "\n".join(textwrap.shorten(line, SHOWN_CHARACTERS) for line in lines)

    def values(self, name):
        return [one.value for one in self.properties if one.name == name.lower()]

    def value(self, name):
        values = self.values(name)
        assert len(values) == 1, f"{name}: {values} in {self}"
        return values[0]

    @property
    def identifier(self):
        return self.value("UID")

    @property
    def name(self):
        return self.value("FN")

    def lacks(self, other, *changed, values_of=()):
        """The properties of another card that are not in this one, except those that were changed. Of some properties,
        only the values count."""
        return [one for one in other.properties if one.name not in changed and not (
            one.value in self.values(one.name) if one.name in values_of else one in self.properties)]

    def without(self, name):
        """The card without the lines of a property."""
        return Card(re.sub(rf"(?im)^{name}[;:].*\n(?:[ \t].*\n)*", "", self.text))

    def with_line(self, name, line):
        """The card with a line in place of those of a property, or at the end."""
        return Card(self.without(name).text.replace("END:VCARD", f"{line}\r\nEND:VCARD"))


def parse(text):
    """The cards of a file."""
    return [Card(one) for one in re.findall(r"BEGIN:VCARD.*?END:VCARD\r?\n?", text, re.DOTALL)]
