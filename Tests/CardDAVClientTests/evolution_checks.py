"""Checks with Evolution Data Server (D1)."""

from client_checks import ClientChecks
from sample_cards import person


class EvolutionChecks(ClientChecks):
    def check_evolution_reads_and_writes(self):
        group, book = self.new_book("Evolution")
        self.add(group, "--first", "Eve", "--last", "Evans", "--email", "work=eve@example.org")
        evolution = self.evolution()
        found = evolution.discover(book.server)
        assert found.get("Evolution") == book.address, found
        evolution.open(book.server, found["Evolution"])
        cards = self.wait(evolution.cards, "Evolution reads no card")
        [eve] = cards
        assert "FN:Eve Evans" in cards[eve] and "eve@example.org" in cards[eve], cards
        assert not evolution.is_read_only()
        # A contact is added, edited and deleted in Evolution.
        walter = evolution.add(person("Walter Wood", "TEL;TYPE=CELL:+49 151 2"))
        self.wait_for_value(group, "Walter Wood", "FN", "Walter Wood", device="phone")
        evolution.change(walter, "note", "From Evolution")
        self.wait_for_value(group, "Walter Wood", "NOTE", "From Evolution", device="phone")
        [card] = [card for card in self.exported(group) if card.name == "Walter Wood"]
        assert len(card.values("TEL")) == 1, str(card)
        evolution.remove(walter)
        self.wait(lambda: self.exported_names(group, "phone") == ["Eve Evans"], "the contact is not deleted")
        assert book.names() == ["Eve Evans"]

    def check_evolution_gets_what_a_device_does(self):
        group, book = self.new_book("Devices")
        self.add(group, "--first", "Eve", "--last", "Evans")
        self.add(group, "--first", "Olga", "--last", "Oak")
        evolution = self.evolution()
        evolution.open(book.server, book.address)
        self.wait(lambda: len(evolution.cards()) == 2, "Evolution does not read two cards")
        self.wait(lambda: len(self.exported_names(group, "phone")) == 2, "the phone does not get the contacts")
        self.edit("Eve Evans", "--note", "From contactsctl", device="phone")
        self.household.control("phone", "rm", "Olga Oak")
        self.add(group, "--first", "Nora", "--last", "North", device="phone")
        self.wait_for_value(group, "Eve Evans", "NOTE", "From contactsctl")
        self.wait(lambda: self.exported_names(group) == ["Eve Evans", "Nora North"], "the laptop does not get the changes")
        evolution.refresh()

        def has_all():
            cards = "\n".join(evolution.cards().values())
            return "From contactsctl" in cards and "Nora North" in cards and "Olga Oak" not in cards
        self.wait(has_all, "Evolution does not get the changes")
        assert len(evolution.cards()) == 2
