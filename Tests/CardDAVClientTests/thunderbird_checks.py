"""Checks with Thunderbird (D1)."""

from card import Card
from client_checks import ClientChecks
from sample_cards import person, sample

CARDS = 60


class ThunderbirdChecks(ClientChecks):
    def check_thunderbird_reads_and_writes(self):
        group, book = self.new_book("Thunderbird")
        for number in range(CARDS):
            assert book.put(sample(number)).status == 201
        thunderbird = self.thunderbird()
        self.subscribe(thunderbird, book.server, "Thunderbird")
        assert thunderbird.count() == CARDS
        cards = {identifier: Card(text) for identifier, text in thunderbird.cards().items()}
        for number in range(CARDS):
            assert cards[sample(number).identifier].values("X-CUSTOM") == sample(number).values("X-CUSTOM")
        assert not thunderbird.is_read_only()
        # A contact is added, edited and deleted in Thunderbird.
        tom = thunderbird.add(person("Tom Tide", "TEL;TYPE=CELL:+49 151 3"))
        self.wait_for_value(group, "Tom Tide", "FN", "Tom Tide", device="phone")
        thunderbird.change(tom, "note", "From Thunderbird")
        self.wait_for_value(group, "Tom Tide", "NOTE", "From Thunderbird", device="phone")
        [card] = [card for card in self.exported(group) if card.name == "Tom Tide"]
        assert len(card.values("TEL")) == 1, str(card)
        thunderbird.delete(tom)
        self.wait(lambda: "Tom Tide" not in self.exported_names(group, "phone"), "the contact is not deleted")
        thunderbird.synchronize()
        assert thunderbird.count() == CARDS == len(self.exported(group))
        return f"{CARDS} cards"

    def check_thunderbird_gets_what_a_device_does(self):
        group, book = self.new_book("News")
        self.add(group, "--first", "Eve", "--last", "Evans")
        self.add(group, "--first", "Olga", "--last", "Oak")
        proxy, server = self.through_proxy(book.server)
        thunderbird = self.thunderbird()
        self.subscribe(thunderbird, server, "News")
        self.edit("Eve Evans", "--note", "From contactsctl")
        self.household.control("laptop", "rm", "Olga Oak")
        self.add(group, "--first", "Nora", "--last", "North")
        proxy.exchanges.clear()
        thunderbird.synchronize()
        cards = "\n".join(thunderbird.cards().values())
        assert "From contactsctl" in cards and "Nora North" in cards and "Olga Oak" not in cards, cards
        assert thunderbird.count() == 2
        # Only the changes were read.
        assert [exchange.status for exchange in proxy.asked("REPORT")] == [207], proxy.exchanges
        assert not proxy.asked("PROPFIND"), proxy.exchanges

    def check_thunderbird_reads_everything_after_its_token_has_expired(self):
        group, book = self.new_book("Expired")
        self.add(group, "--first", "Eve", "--last", "Evans")
        self.add(group, "--first", "Olga", "--last", "Oak")
        proxy, server = self.through_proxy(book.server)
        thunderbird = self.thunderbird()
        self.subscribe(thunderbird, server, "Expired")
        assert thunderbird.count() == 2
        self.household.control("laptop", "rm", "Olga Oak")
        self.add(group, "--first", "Nora", "--last", "North")
        proxy.exchanges.clear()
        proxy.spoils_tokens = True
        thunderbird.synchronize()
        refused = proxy.asked("REPORT")[0]
        assert refused.status == 400 and b"valid-sync-token" in refused.response, refused
        names = sorted(Card(text).name for text in thunderbird.cards().values())
        assert names == ["Eve Evans", "Nora North"], names
        # It goes on with the token that it has got.
        proxy.spoils_tokens = False
        self.add(group, "--first", "Paula", "--last", "Pine")
        proxy.exchanges.clear()
        thunderbird.synchronize()
        assert thunderbird.count() == 3
        assert [exchange.status for exchange in proxy.asked("REPORT")] == [207], proxy.exchanges
