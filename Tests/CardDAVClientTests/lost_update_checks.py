"""Checks that two clients and a device edit one contact at the same time, and no edit is lost (D3)."""

from card import Card
from client_checks import ClientChecks
from sample_cards import person


class LostUpdateChecks(ClientChecks):
    def shared_contact(self, title):
        """A group with a contact that both clients and both devices have."""
        group, book = self.new_book(title)
        card = person("Lou Lake", "TEL;TYPE=CELL:+49 151 4", "NOTE:First", "TITLE:Sailor", "NICKNAME:Lulu")
        assert book.put(card).status == 201
        self.wait_for_value(group, "Lou Lake", "NOTE", "First", device="phone")
        return group, book, card

    def assert_has(self, card, expected):
        missing = {name: value for name, value in expected.items() if value not in card.values(name)}
        assert not missing, f"{missing} is missing in {card}"

    def check_no_edit_of_thunderbird_and_evolution_is_lost(self):
        group, book, card = self.shared_contact("Overwritten")
        thunder_proxy, thunder_server = self.through_proxy(self.server())
        thunderbird, evolution = self.thunderbird(), self.evolution()
        self.subscribe(thunderbird, thunder_server, "Overwritten")
        evolution_proxy, evolution_server = self.through_proxy(self.server())
        evolution.open(evolution_server, evolution_proxy.address.rstrip("/") + book.path)
        self.wait(evolution.cards, "Evolution reads no card")
        # No client reads the edits of the others before it sends its own.
        evolution.change(card.identifier, "note", "From Evolution")
        self.wait_for_value(group, "Lou Lake", "NOTE", "From Evolution", device="phone")
        self.edit("Lou Lake", "--email", "home=lou@example.org", "--nickname", "From contactsctl", device="phone")
        self.wait_for_value(group, "Lou Lake", "NICKNAME", "From contactsctl")
        thunderbird.change(card.identifier, "title", "From Thunderbird")
        self.wait_for_value(group, "Lou Lake", "TITLE", "From Thunderbird", device="phone")
        for proxy in (thunder_proxy, evolution_proxy):
            puts = proxy.asked("PUT")
            assert puts and not any("If-Match" in put.headers for put in puts), "this client does ask: the check is void"
        expected = {"NOTE": "From Evolution", "NICKNAME": "From contactsctl", "TITLE": "From Thunderbird",
                    "EMAIL": "lou@example.org"}
        for device in ("laptop", "phone"):
            [exported] = self.exported(group, device)
            self.assert_has(exported, expected)
            assert len(exported.values("TEL")) == 1, str(exported)
        thunderbird.synchronize()
        self.assert_has(Card(thunderbird.cards()[card.identifier]), expected)
        evolution.refresh()
        self.wait(lambda: "From Thunderbird" in evolution.cards()[card.identifier], "Evolution does not get the edits")
        self.assert_has(Card(evolution.cards()[card.identifier]), expected)

    def check_no_edit_of_two_thunderbirds_is_lost(self):
        group, book, card = self.shared_contact("Twice")
        server = self.server()
        # Both use one password, as profiles that a user has copied do.
        one, other = self.thunderbird(), self.thunderbird()
        for thunderbird in (one, other):
            self.subscribe(thunderbird, server, "Twice")
        one.change(card.identifier, "note", "From the first")
        self.wait_for_value(group, "Lou Lake", "NOTE", "From the first")
        self.edit("Lou Lake", "--nickname", "From contactsctl")
        other.change(card.identifier, "title", "From the second")
        self.wait_for_value(group, "Lou Lake", "TITLE", "From the second")
        expected = {"NOTE": "From the first", "NICKNAME": "From contactsctl", "TITLE": "From the second"}
        self.assert_has(book.cards()[0], expected)
        for thunderbird in (one, other):
            thunderbird.synchronize()
            self.assert_has(Card(thunderbird.cards()[card.identifier]), expected)

    def check_deletion_does_not_lose_an_edit(self):
        """A client that deletes a contact it has not read since another edit does not delete that edit."""
        group, book, card = self.shared_contact("Deleted")
        thunderbird = self.thunderbird()
        self.subscribe(thunderbird, self.server(), "Deleted")
        self.edit("Lou Lake", "--note", "From contactsctl")
        thunderbird.delete(card.identifier)
        thunderbird.synchronize()
        self.wait(lambda: card.identifier in thunderbird.cards(), "Thunderbird does not get the contact back")
        self.assert_has(Card(thunderbird.cards()[card.identifier]), {"NOTE": "From contactsctl"})
        assert self.exported_names(group) == ["Lou Lake"]
