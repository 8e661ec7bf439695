"""Checks that what a client has stored is there after the agent was killed, and that clients need no broker (B4, B6)."""

import threading

from card import Card
from client_checks import ClientChecks
from sample_cards import fold, person, picture

WRITERS = 2
CARDS = 20
VERSIONS = 5
# The agent is killed after these numbers of answers, of 200: early, in the middle and late.
KILLS = (15, 100, 185)


class Writer:
    """A client that adds cards and replaces each some times, on the condition that it is the version it knows. `sent` are
    all versions of a path, `stored` the ETag and the number of the last one that the server has confirmed."""

    def __init__(self, number, book, answered):
        self.number, self.book, self.answered = number, book, answered
        self.sent, self.stored = {}, {}
        self.thread = threading.Thread(target=self.write)

    def card(self, number, version):
        # The name decides the UID.
        card = person(f"Wanda W{self.number}x{number}", fold(f"PHOTO;ENCODING=b;TYPE=PNG:{picture(number)}"))
        return card.with_line("NOTE", f"NOTE:Version {version}")

    def write(self):
        try:
            for version in range(VERSIONS):
                for number in range(CARDS):
                    self.put(self.card(number, version), version)
        except OSError:
            """The agent is gone."""

    def put(self, card, version):
        path = f"{self.book.path}{card.identifier}.vcf"
        self.sent.setdefault(path, []).append(card.text)
        condition = {"If-Match": self.stored[path][0]} if path in self.stored else {"If-None-Match": "*"}
        reply = self.book.put(card, **condition)
        assert reply.status == (204 if version else 201), f"{reply.status} {reply.text}"
        self.stored[path] = (reply.headers["ETag"], version)
        self.answered()

    def verify(self, tags):
        """What was confirmed is there, or what was sent after it; nothing else is."""
        for path, (tag, version) in self.stored.items():
            assert path in tags, f"version {version} of {path} is lost"
            served = self.book.card(path).text
            assert served in self.sent[path][version:], f"after version {version}, this is stored: {Card(served)}"
            assert tags[path] == tag or served != self.sent[path][version], "the ETag of an unchanged card is another one"


class FailureChecks(ClientChecks):
    def check_confirmed_cards_survive_a_kill(self):
        self.start_device("tablet")
        return ", ".join(self.survivors(kill) for kill in KILLS)

    def survivors(self, kill):
        """Kills the agent after some answers, and compares what is there with what was confirmed."""
        group = self.group(f"Killed after {kill}", device="tablet")
        book = self.book(self.server("tablet"), group)
        answers = threading.Semaphore(0)
        writers = [Writer(number, book, answers.release) for number in range(WRITERS)]
        for writer in writers:
            writer.thread.start()
        for _ in range(kill):
            assert answers.acquire(timeout=30), "the writers are stuck"
        self.household.kill("tablet")
        for writer in writers:
            writer.thread.join()
        confirmed = sum(version + 1 for writer in writers for _, version in writer.stored.values())
        assert kill <= confirmed < WRITERS * CARDS * VERSIONS, f"{confirmed} cards were confirmed"
        self.household.start(*("tablet", *self.household.started["tablet"]))
        tags = book.tags()
        for writer in writers:
            writer.verify(tags)
        paths = {path for writer in writers for path in writer.sent}
        assert tags.keys() <= paths, tags.keys() - paths
        for path in tags:
            # Each is a whole card, also one that was not confirmed.
            assert any(book.card(path).text in writer.sent.get(path, []) for writer in writers), str(book.card(path))
        names = book.names()
        self.wait(lambda: self.exported_names(self.group_titled(group["title"], "phone"), "phone") == names,
                  "the phone does not get the cards")
        return f"{confirmed} confirmed"

    def check_clients_need_no_broker(self):
        group, book = self.new_book("Alone")
        first, second = person("Nell Near", "NOTE:First"), person("Fred Far")
        assert book.put(first).status == 201
        self.wait_for_value(group, "Nell Near", "NOTE", "First", device="phone")
        self.household.stop("broker")
        try:
            self.wait(lambda: self.household.state("laptop") != "live", "the laptop does not notice")
            evolution = self.evolution()
            found = evolution.discover(book.server)
            evolution.open(book.server, found["Alone"])
            self.wait(evolution.cards, "Evolution reads no card")
            evolution.change(first.identifier, "note", "Without a broker")
            fred = evolution.add(second)
            assert book.names() == ["Fred Far", "Nell Near"]
            evolution.remove(fred)
            assert book.names() == ["Nell Near"] == self.exported_names(group)
            assert book.put(person("Walt Wait")).status == 201
            assert self.exported_names(group, "phone") == ["Nell Near"]
        finally:
            self.household.start_broker()
        self.wait_for_value(group, "Nell Near", "NOTE", "Without a broker", device="phone")
        self.wait(lambda: self.exported_names(group, "phone") == ["Nell Near", "Walt Wait"], "the phone misses something")
