"""A book of a CardDAV server: the address of a group's contacts."""

from card import Card


class Book:
    """A book at a path. `privileges` are the names that the server gives to what the user may do."""

    def __init__(self, server, path, privileges):
        self.server, self.path, self.privileges = server, path, privileges

    @property
    def address(self):
        return self.server.address.rstrip("/") + self.path

    @property
    def identifier(self):
        """The last part of the path, which is the group's id."""
        return self.path.rstrip("/").split("/")[-1]

    def tags(self):
        """The ETags of the cards by path."""
        reply = self.server.find(self.path, "1", "d:getetag", "d:resourcetype")
        responses = [(one.findtext("{DAV:}href"), one.findtext(".//{DAV:}getetag")) for one in reply.all("d:response")]
        return {path: tag for path, tag in responses if not path.endswith("/")}

    def cards(self):
        return [self.card(path) for path in self.tags()]

    def card(self, path):
        reply = self.server.request("GET", path)
        assert reply.status == 200, f"GET {path}: {reply.status} {reply.text}"
        return Card(reply.text)

    def names(self):
        return sorted(card.name for card in self.cards())

    def named(self, name):
        """The path of the card with a name."""
        found = [path for path in self.tags() if self.card(path).name == name]
        assert len(found) == 1, f"{len(found)} cards have the name {name}: {self.names()}"
        return found[0]

    def put(self, card, **headers):
        """Adds or replaces a card, at the path that clients choose."""
        return self.server.request("PUT", f"{self.path}{card.identifier}.vcf", card.text,
                                   {"Content-Type": "text/vcard; charset=utf-8", **headers})
