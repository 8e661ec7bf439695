"""The common part of the checks with clients."""

import contextlib
import itertools
import json
import socket
import tempfile
import urllib.parse

from card import parse
from evolution import Evolution
from proxy import Proxy
from server import Server
from thunderbird import Thunderbird


class ClientChecks:
    """What all checks with clients need. Each uses groups, passwords and folders of its own, which are gone afterwards."""

    def __init__(self, household, folder):
        self.household, self.folder = household, folder
        self.numbers = itertools.count(1)
        self.ending = contextlib.ExitStack()

    def prepare(self):
        self.ending = contextlib.ExitStack()

    def verify(self):
        ended = [name for name, process in self.household.running.items() if process.poll() is not None]
        assert not ended, f"these programs have ended: {ended}"

    def keep_failure(self, name):
        """The states of the clients stay in the folder, with their logs, until all checks have ended."""

    def clean_up(self):
        self.ending.close()

    def wait(self, condition, failure):
        return self.household.wait(condition, failure)

    def new_folder(self, name):
        return tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder)

    def start(self, client):
        """Starts a client, which is ended after the check."""
        return self.ending.enter_context(client)

    @staticmethod
    @contextlib.contextmanager
    def refused(reason):
        """What is done in this context fails, and the error names a reason."""
        try:
            yield
        except (AssertionError, OSError) as error:
            assert reason in str(error), f"“{reason}” is expected: {error}"
        else:
            raise AssertionError(f"“{reason}” is expected, but nothing fails")

    # The clients

    def evolution(self, command=()):
        return self.start(Evolution(self.new_folder("evolution"), command))

    def thunderbird(self):
        return self.start(Thunderbird(self.new_folder("thunderbird")))

    def subscribe(self, thunderbird, server, title):
        found = thunderbird.find_books(server)
        assert title in found, found
        thunderbird.subscribe(found[title])
        # It asks for the token after the last card.
        self.wait(thunderbird.token, "Thunderbird's first synchronization does not end")

    def through_proxy(self, server):
        """A proxy to a server, and the server at the proxy's address."""
        proxy = self.start(Proxy(server))
        return proxy, Server(proxy.address, server.user, server.password)

    # The server

    def server(self, device="laptop", address=None, authority=None, scope=()):
        """The server of a device, with a new password, at its first address or at another one. `scope` is ["--network"] for
        an address with TLS and for a proxy."""
        name = f"client {next(self.numbers)}"
        made = json.loads(self.household.control(device, "dav", "add", name, *scope, "--json"))
        self.ending.callback(self.household.control, device, "dav", "rm", name)
        return Server(address or made["addresses"][0], made["user"], made["password"], authority)

    def book(self, server, group):
        """The book of a group, as the server lists it."""
        books = server.books()
        # A book that a client has made keeps the name that the client chose for its address.
        found = [book for title, book in books.items() if group["id"] == book.identifier or group["title"] == title]
        assert len(found) == 1, f"{group['title']} has {len(found)} books: {list(books)}"
        return found[0]

    def new_book(self, title):
        """A group of ada, and its book."""
        group = self.group(title)
        return group, self.book(self.server(), group)

    # The devices

    def start_device(self, device, **settings):
        """Starts another device of ada with some settings, which is stopped after the check."""
        self.household.start(device, "ada", settings=settings)
        self.ending.callback(self.household.stop, device)

    @staticmethod
    def free_port():
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            return listener.getsockname()[1]

    def group(self, title, device="laptop"):
        """A new group, which is deleted after the check with its contacts."""
        identifier = self.household.control(device, "group", "add", title)
        self.ending.callback(self.delete_group, device, identifier)
        return {"id": identifier, "title": title}

    def delete_group(self, device, identifier):
        with contextlib.suppress(AssertionError):
            self.household.agent(device).call("DELETE", f"/v1/groups/{identifier}?contacts=delete&acknowledged=true")

    def groups(self, device="laptop"):
        return self.household.agent(device).call("GET", "/v1/groups")["groups"]

    def group_titled(self, title, device="laptop"):
        found = [group for group in self.groups(device) if group["title"] == title]
        assert len(found) == 1, f"{title}: {self.groups(device)}"
        return found[0]

    def exported(self, group, device="laptop", form="vcard4"):
        """The cards of a group, as a device exports them."""
        return parse(self.household.control(device, "export", "--format", form, "--group", group["id"]))

    def exported_names(self, group, device="laptop"):
        return sorted(card.name for card in self.exported(group, device))

    def add(self, group, *options, device="laptop"):
        """Adds a contact with the options of contactsctl."""
        return self.household.control(device, "add", "--group", group["id"], *options)

    def edit(self, name, *options, device="laptop"):
        self.household.control(device, "edit", *options, name)

    def wait_for_value(self, group, name, prop, value, device="laptop"):
        """Waits until a device has a value of a contact."""
        def has():
            cards = [card for card in self.exported(group, device) if card.name == name]
            return cards and value in cards[0].values(prop)
        self.wait(has, f"{device} does not get {prop} {value} of {name}")
