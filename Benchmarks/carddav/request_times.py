"""The time of a client's requests, on one connection one after the other, and the processor time of the server.

The servers take turns, in rounds: when the machine becomes slower, it does so for all of them."""

import statistics
import time
from collections import defaultdict

ROUNDS = 3
# In each round and for each server; fewer of slow requests, but never less than two.
REQUESTS = 200
ROUND_SECONDS = 1.5
FETCHED = 100
# In upper and lower case other than in the cards.
SEARCHED = "bABBAGE 12"


class Requests:
    """The requests of one client to one server, and how long they took."""

    def __init__(self, server, cards):
        self.server, self.book = server, server.book()
        self.names = self.book.names()
        assert len(self.names) == len(cards), f"{server.name} has {len(self.names)} cards"
        self.found = sum(matches(card, SEARCHED) for card in cards.values())
        self.seconds, self.processor_seconds = defaultdict(list), defaultdict(float)
        self.numbers = defaultdict(int)

    def round(self, what):
        """Sends requests of a kind, prepares each and checks what it did, and measures only the request itself."""
        prepare, send, check = getattr(self, what)()
        deadline = time.monotonic() + ROUND_SECONDS
        sent = 0
        while sent < REQUESTS and (sent < 2 or time.monotonic() < deadline):
            prepared = prepare()
            before = self.server.processor_seconds()
            reply = send(*prepared)
            self.processor_seconds[what] += self.server.processor_seconds() - before
            self.seconds[what].append(reply.seconds)
            check(*prepared)
            sent += 1

    def poll(self):
        return nothing, self.book.poll, nothing

    def sync(self):
        token = self.book.token()
        return nothing, lambda: self.book.synchronize(token), nothing

    def multiget(self):
        def prepare():
            start = self.next("multiget") * FETCHED % len(self.names)
            return (self.names[start:start + FETCHED],)
        return prepare, self.book.fetch, nothing

    def query(self):
        return nothing, lambda: self.book.search(SEARCHED, self.found), nothing

    def get(self):
        return lambda: (self.next_name("get"),), self.book.get, nothing

    def put(self):
        """Edits a card on the condition that it is unchanged, as vdirsyncer does."""
        def prepare():
            name, card, tag = self.edited("put")
            return name, card, tag
        return prepare, self.book.put, self.check_edit

    def blind_put(self):
        """Edits a card without a condition, as Thunderbird and Evolution do."""
        def prepare():
            name, card, _ = self.edited("blind_put")
            return name, card
        return prepare, self.book.put, self.check_edit

    def edited(self, what):
        """Reads a card and returns its path, its text with another note, and its entity tag."""
        name = self.next_name(what)
        reply = self.book.get(name)
        lines = reply.body.decode().split("\r\n")
        kept = [line for line in lines if not line.startswith("NOTE")]
        note = f"NOTE:Edited {self.numbers[what]} {what}"
        return name, "\r\n".join([*kept[:-2], note, *kept[-2:]]), reply.headers["etag"]

    def check_edit(self, name, card, *_):
        note = next(line for line in card.split("\r\n") if line.startswith("NOTE"))
        assert note.encode() in self.book.get(name).body, f"{self.server.name} does not store the edit"

    def next(self, what):
        self.numbers[what] += 1
        return self.numbers[what] - 1

    def next_name(self, what):
        # A step without a common divisor visits all cards, in an order other than that of the server.
        return self.names[self.next(what) * 7919 % len(self.names)]

    def report(self, report):
        for what, seconds in self.seconds.items():
            name = f"carddav_{self.server.name}_{what}"
            ordered = sorted(seconds)
            report(f"{name}_p50_us", statistics.median(ordered) * 1e6)
            report(f"{name}_p99_us", ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1e6)
            report(f"{name}_cpu_us", self.processor_seconds[what] / len(seconds) * 1e6)
            report(f"{name}_count", len(seconds))


KINDS = ["poll", "sync", "multiget", "query", "get", "put", "blind_put"]


def nothing(*_):
    return ()


def matches(card, text):
    return any(text.lower() in line.lower() for line in card.split("\r\n") if line.startswith(("FN:", "EMAIL;")))


def measure_requests(servers, cards, report):
    clients = [Requests(server, cards) for server in servers]
    for _ in range(ROUNDS):
        for what in KINDS:
            for client in clients:
                client.round(what)
    for client in clients:
        client.report(report)
