"""What CardDAV clients ask of an address book. Every method checks the reply, so that no error is measured."""

import xml.etree.ElementTree as ElementTree
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from connection import Connection

DAV = "{DAV:}"
CARDDAV = "{urn:ietf:params:xml:ns:carddav}"
NAMESPACES = (
    'xmlns="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav" xmlns:server="http://calendarserver.org/ns/"')


class Book:
    """The address book at `address`, as a user with a password sees it."""

    def __init__(self, address, user, password):
        parts = urlsplit(address)
        self.path = parts.path
        self.connection = Connection(parts.hostname, parts.port, user, password)

    def names(self):
        """The paths of all cards."""
        reply = self.ask("PROPFIND", 1, "<propfind {}><prop><getetag/></prop></propfind>")
        return [path for path in map(path_of, responses(reply)) if path.rstrip("/") != self.path.rstrip("/")]

    def poll(self):
        """Asks what changes with every change of the book: most clients do so every few minutes."""
        reply = self.ask(
            "PROPFIND", 0, "<propfind {}><prop><server:getctag/><sync-token/></prop></propfind>")
        require(token_of(reply), "the server has no sync token", reply)
        return reply

    def token(self):
        return token_of(self.poll())

    def synchronize(self, token):
        """Asks for the changes after `token`, of which there are none."""
        reply = self.ask(
            "REPORT", 1, "<sync-collection {}>"
            f"<sync-token>{escape(token)}</sync-token><sync-level>1</sync-level><prop><getetag/></prop>"
            "</sync-collection>")
        require(not responses(reply), "something has changed", reply)
        return reply

    def fetch(self, names):
        """Asks for the cards with these paths in one request."""
        paths = "".join(f"<href>{escape(name)}</href>" for name in names)
        reply = self.ask(
            "REPORT", 1, "<card:addressbook-multiget {}>"
            f"<prop><getetag/><card:address-data/></prop>{paths}</card:addressbook-multiget>")
        require(cards_in(reply) == len(names), "cards are missing", reply)
        return reply

    def search(self, text, expected):
        """Asks for the cards with `text` in the name or an e-mail address, in lower or upper case."""
        match = (
            '<card:text-match collation="i;unicode-casemap" match-type="contains">'
            f"{escape(text)}</card:text-match>")
        reply = self.ask(
            "REPORT", 1, "<card:addressbook-query {}><prop><getetag/><card:address-data/></prop>"
            '<card:filter test="anyof">'
            f'<card:prop-filter name="FN">{match}</card:prop-filter>'
            f'<card:prop-filter name="EMAIL">{match}</card:prop-filter>'
            "</card:filter></card:addressbook-query>")
        require(cards_in(reply) == expected, f"{expected} cards are expected", reply)
        return reply

    def get(self, name):
        reply = self.connection.exchange("GET", name)
        require(reply.status == 200 and b"END:VCARD" in reply.body, "there is no card", reply)
        return reply

    def put(self, name, card, tag=None):
        """Replaces a card; with a tag only if that is the version on the server."""
        condition = {"If_Match": tag} if tag else {}
        reply = self.connection.exchange("PUT", name, card, Content_Type="text/vcard; charset=utf-8", **condition)
        require(reply.status in (200, 201, 204), "the card is not stored", reply)
        return reply

    def ask(self, method, depth, body):
        reply = self.connection.exchange(
            method, self.path, '<?xml version="1.0" encoding="utf-8"?>' + body.replace("{}", NAMESPACES, 1),
            Depth=depth, Content_Type="application/xml; charset=utf-8")
        require(reply.status == 207, "the request fails", reply)
        return reply


def responses(reply):
    return ElementTree.fromstring(reply.body).findall(DAV + "response")


def path_of(response):
    return urlsplit(response.findtext(DAV + "href")).path


def cards_in(reply):
    return sum("END:VCARD" in (element.findtext(f".//{CARDDAV}address-data") or "") for element in responses(reply))


def token_of(reply):
    return ElementTree.fromstring(reply.body).findtext(f".//{DAV}sync-token")


def require(condition, complaint, reply):
    if not condition:
        raise SystemExit(f"{complaint.capitalize()}: status {reply.status}, {reply.body[:300]!r}")
