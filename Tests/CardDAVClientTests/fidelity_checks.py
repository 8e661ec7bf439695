"""Checks that a card goes through a client, and keeps what the client has not changed, also what no one knows (D2)."""

from card import Card
from client_checks import ClientChecks
from khard import Khard
from sample_cards import fold, person, picture
from syncevolution import SyncEvolution
from vdirsyncer import Vdirsyncer

# What programs write again with each change.
REGENERATED = ("rev", "prodid", "version")
PICTURES = 2


class FidelityChecks(ClientChecks):
    def rich_card(self):
        return person(
            "Rita Rich", "TEL;TYPE=CELL:+49 151 5", "NOTE:Before", "CATEGORIES:Rowing,Choir", "X-SHIP:Beagle",
            "X-CABIN;X-DECK=lower:12\\, port", "item1.EMAIL;TYPE=INTERNET:rita@example.org", "item1.X-ABLabel:Harbour",
            "item2.X-ANCHOR;X-WEIGHT=heavy:chain",
            *(fold(f"PHOTO;ENCODING=b;TYPE=PNG:{picture(number)}") for number in range(PICTURES)))

    def rich_book(self, title):
        group, book = self.new_book(title)
        card = self.rich_card()
        assert book.put(card).status == 201
        return group, book, card

    def assert_kept(self, group, book, card, note, values_of=()):
        """The card has the new note, and everything else as before: where clients read it, and in an export."""
        self.wait_for_value(group, card.name, "NOTE", note, device="phone")
        [served] = book.cards()
        assert served.value("NOTE") == note
        lacking = served.lacks(card, "note", *REGENERATED, values_of=values_of)
        assert not lacking, f"the served card lacks {lacking}: {served}"
        [exported] = self.exported(group, "phone")
        assert len(exported.values("PHOTO")) == PICTURES, f"{len(exported.values('PHOTO'))} photos are exported"
        for name in ("X-SHIP", "X-CABIN", "X-ANCHOR", "X-ABLABEL", "EMAIL", "TEL"):
            assert exported.values(name) == card.values(name), f"{name} is exported as {exported.values(name)}"
        # Another line of this name has the group that the contact is in.
        assert {"Choir", "Rowing"} in [set(value.split(",")) for value in exported.values("CATEGORIES")], str(exported)

    def check_card_is_served_as_it_was_written(self):
        group, book, card = self.rich_book("As written")
        [served] = book.cards()
        assert served.text == card.text, f"this is served instead: {served}"
        [exported] = self.exported(group)
        assert len(exported.values("PHOTO")) == PICTURES

    def check_edit_of_a_device_keeps_everything_else(self):
        group, book, card = self.rich_book("Device")
        self.wait_for_value(group, card.name, "NOTE", "Before", device="phone")
        self.edit(card.name, "--note", "From the phone", device="phone")
        self.wait_for_value(group, card.name, "NOTE", "From the phone")
        self.assert_kept(group, book, card, "From the phone")

    def check_thunderbird_keeps_everything_else(self):
        group, book, card = self.rich_book("Through Thunderbird")
        thunderbird = self.thunderbird()
        self.subscribe(thunderbird, self.server(), "Through Thunderbird")
        thunderbird.change(card.identifier, "note", "From Thunderbird")
        self.assert_kept(group, book, card, "From Thunderbird")

    def check_evolution_keeps_everything_else(self):
        group, book, card = self.rich_book("Through Evolution")
        evolution = self.evolution()
        evolution.open(self.server(), book.address)
        self.wait(evolution.cards, "Evolution reads no card")
        evolution.change(card.identifier, "note", "From Evolution")
        self.assert_kept(group, book, card, "From Evolution")

    def side(self, group):
        """A folder with the cards of a group."""
        side = Vdirsyncer(self.new_folder("vdirsyncer"), self.server(), group["id"])
        side.discover()
        side.synchronize()
        return side

    def check_photos_that_a_client_removes_are_gone(self):
        group, book, card = self.rich_book("Without photos")
        side = self.side(group)
        [copied] = side.cards().values()
        side.write(copied.without("PHOTO"))
        assert len(side.synchronize()) == 1
        [served] = book.cards()
        assert not served.values("PHOTO"), str(served)
        self.wait(lambda: not self.exported(group, "phone")[0].values("PHOTO"), "the phone keeps a photo")
        lacking = served.lacks(card, "photo", *REGENERATED)
        assert not lacking, lacking

    def check_khard_keeps_everything_else(self):
        group, book, card = self.rich_book("Through khard")
        side = self.side(group)
        Khard(side.cards_folder).edit_note(card.identifier, "From khard")
        side.synchronize()
        # khard writes the label of an address as its type too, and gives the lines of labels new names.
        self.assert_kept(group, book, card, "From khard", values_of=("email", "x-ablabel"))

    def check_syncevolution_keeps_everything_else(self):
        group, book, card = self.rich_book("Through SyncEvolution")
        client = SyncEvolution(self.new_folder("syncevolution"), book)
        [name] = client.names()
        client.replace(name, client.card(name).with_line("NOTE", "NOTE:From SyncEvolution"))
        self.assert_kept(group, book, card, "From SyncEvolution")
