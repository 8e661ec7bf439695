"""Checks with SyncEvolution (D1)."""

from client_checks import ClientChecks
from sample_cards import person
from syncevolution import SyncEvolution


class SyncEvolutionChecks(ClientChecks):
    def check_syncevolution_prints_and_imports(self):
        group, book = self.new_book("SyncEvolution")
        self.add(group, "--first", "Sara", "--last", "Sand")
        self.add(group, "--first", "Otto", "--last", "Orr")
        client = SyncEvolution(self.new_folder("syncevolution"), book)
        assert len(client.names()) == 2, client.names()
        assert sorted(card.name for card in client.cards()) == ["Otto Orr", "Sara Sand"]
        sydney = person("Sydney Stone", "EMAIL:sydney@example.org")
        client.add(sydney)
        self.wait_for_value(group, "Sydney Stone", "EMAIL", "sydney@example.org", device="phone")
        assert len(client.names()) == 3
        # It imports a card with the same UID over the one that is there, or leaves that; it makes no second one.
        [name] = [name for name in client.names() if client.card(name).name == "Sydney Stone"]
        client.replace(name, sydney.with_line("NOTE", "NOTE:From SyncEvolution"))
        self.wait_for_value(group, "Sydney Stone", "NOTE", "From SyncEvolution", device="phone")
        assert self.exported_names(group) == ["Otto Orr", "Sara Sand", "Sydney Stone"]
