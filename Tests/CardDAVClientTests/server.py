"""A CardDAV server, read and written by plain requests: they prepare what real programs meet, and look at what these did."""

import base64
import http.client
import ssl
import urllib.parse
from xml.etree import ElementTree

from account import Account
from book import Book

PREFIXES = {"d": "DAV:", "card": "urn:ietf:params:xml:ns:carddav"}
PROPFIND = '<d:propfind xmlns:d="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"><d:prop>{}</d:prop></d:propfind>'
PATIENCE_SECONDS = 60


class Reply:
    """A response, and the XML in it."""

    def __init__(self, status, headers, content):
        self.status, self.headers, self.content = status, headers, content

    @property
    def text(self):
        return self.content.decode()

    def all(self, path):
        """The elements at a path of ElementTree, with the prefixes `d` and `card`."""
        return ElementTree.fromstring(self.content).findall(path, PREFIXES)

    def texts(self, path):
        return [element.text for element in self.all(path)]


class Server(Account):
    """The server at an address, as a user with a password sees it."""

    @property
    def place(self):
        return urllib.parse.urlsplit(self.address)

    @property
    def authorization(self):
        return "Basic " + base64.b64encode(f"{self.user}:{self.password}".encode()).decode()

    def with_password(self, password):
        return self._replace(password=password)

    def connect(self):
        place = (self.place.hostname, self.place.port)
        if self.place.scheme == "http":
            return http.client.HTTPConnection(*place, timeout=PATIENCE_SECONDS)
        context = ssl.create_default_context(cafile=self.authority)
        return http.client.HTTPSConnection(*place, timeout=PATIENCE_SECONDS, context=context)

    def request(self, method, path, content=None, headers=None):
        connection = self.connect()
        sent = {"Authorization": self.authorization, **(headers or {})}
        try:
            connection.request(method, path, content and content.encode(), sent)
            response = connection.getresponse()
            return Reply(response.status, response.headers, response.read())
        finally:
            connection.close()

    def find(self, path, depth, *names):
        """Reads properties, which are named with their prefix, of a resource or also of what is in it."""
        content = PROPFIND.format("".join(f"<{name}/>" for name in names))
        reply = self.request("PROPFIND", path, content, {"Depth": depth, "Content-Type": "application/xml"})
        assert reply.status == 207, f"PROPFIND {path}: {reply.status} {reply.text}"
        return reply

    def home(self):
        """The path of the collection of books, found as RFC 6764 describes."""
        start = self.request("PROPFIND", "/.well-known/carddav", PROPFIND.format("<d:current-user-principal/>"), {"Depth": "0"})
        assert start.status in (301, 302, 307, 308), start.status
        root = urllib.parse.urljoin(self.address, start.headers["Location"])
        [principal] = self.find(urllib.parse.urlsplit(root).path, "0", "d:current-user-principal").texts(
            ".//d:current-user-principal/d:href")
        [home] = self.find(principal, "0", "card:addressbook-home-set").texts(".//card:addressbook-home-set/d:href")
        return home

    def books(self):
        """The books of the user by name."""
        reply = self.find(self.home(), "1", "d:resourcetype", "d:displayname", "d:current-user-privilege-set")
        responses = [one for one in reply.all("d:response") if one.find(".//d:resourcetype/card:addressbook", PREFIXES) is not None]
        return {one.findtext(".//d:displayname", None, PREFIXES): self.book(one) for one in responses}

    def book(self, response):
        privileges = response.findall(".//d:current-user-privilege-set/d:privilege/*", PREFIXES)
        return Book(self, response.findtext("d:href", None, PREFIXES), {one.tag.split("}")[1] for one in privileges})
