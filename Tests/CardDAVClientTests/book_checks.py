"""Checks with several books, and of books that clients make and rename (D5)."""

from client_checks import ClientChecks
from sample_cards import person, sample
from vdirsyncer import Vdirsyncer


class BookChecks(ClientChecks):
    def check_two_books_keep_their_cards_apart(self):
        first, second = self.group("Rowers"), self.group("Singers")
        server = self.server()
        rowers, singers = self.book(server, first), self.book(server, second)
        # A UID is unique in a book, not in an account.
        assert rowers.put(sample(1)).status == 201
        assert singers.put(sample(1).with_line("NOTE", "NOTE:Sings")).status == 201
        assert singers.put(sample(2)).status == 201
        assert rowers.names() == [sample(1).name]
        assert singers.names() == sorted([sample(1).name, sample(2).name])
        thunderbird = self.thunderbird()
        found = thunderbird.find_books(server)
        assert found["Rowers"] == rowers.address and found["Singers"] == singers.address, found
        # Some programs show only the first book.
        assert next(iter(server.books())) == self.groups()[0]["title"], f"the standard book is not the first: {server.books()}"
        thunderbird.subscribe(singers.address)
        self.wait(lambda: thunderbird.count() == 2, "Thunderbird does not read two cards")
        # A deletion in one book does not touch the other one.
        thunderbird.delete(sample(1).identifier)
        self.wait(lambda: singers.names() == [sample(2).name], "the card is not deleted")
        assert rowers.names() == [sample(1).name]
        assert self.exported_names(first) == [sample(1).name]

    def check_standard_book_cannot_be_deleted(self):
        server = self.server()
        standard = next(iter(server.books().values()))
        own = self.book(server, self.group("Mine"))
        for book in (standard, own):
            assert server.request("DELETE", book.path).status == 403
            assert book.path in [one.path for one in server.books().values()]

    def check_cards_are_copied_and_moved(self):
        """What litmus does not test, because it moves cards into collections in a book."""
        server = self.server()
        old, new = self.book(server, self.group("Old")), self.book(server, self.group("New"))
        assert old.put(sample(1)).status == 201
        [source] = old.tags()

        def request(expected, method, path, target=None, **headers):
            if target:
                headers["Destination"] = server.address.rstrip("/") + target
            reply = server.request(method, path, headers=headers)
            assert reply.status == expected, f"{method} {path} {headers}: {reply.status} {reply.text}"
        request(201, "COPY", source, new.path + "copy.vcf")
        request(412, "COPY", source, new.path + "copy.vcf", Overwrite="F")
        assert old.names() == new.names() == [sample(1).name]
        request(204, "DELETE", new.path + "copy.vcf")
        request(201, "MOVE", source, new.path + "moved.vcf")
        assert old.names() == [] and list(new.tags()) == [new.path + "moved.vcf"]
        lacking = new.card(new.path + "moved.vcf").lacks(sample(1), "rev")
        assert not lacking, lacking
        request(201, "MOVE", new.path + "moved.vcf", new.path + "renamed.vcf")
        assert list(new.tags()) == [new.path + "renamed.vcf"]
        request(409, "MOVE", new.path + "renamed.vcf", server.home() + "nowhere/card.vcf")
        request(405, "MKCOL", new.path + "renamed.vcf")
        request(404, "DELETE", new.path + "nothing.vcf")

    def check_vdirsyncer_makes_and_renames_a_book(self):
        server, name = self.server(), "fishers"
        one = Vdirsyncer(self.new_folder("vdirsyncer"), server, name)
        one.discover()
        made = [group for group in self.groups() if group["title"] == name]
        assert len(made) == 1, f"vdirsyncer makes no group: {self.groups()}"
        [group] = made
        self.ending.callback(self.delete_group, "laptop", group["id"])
        one.write(person("Fiona Fisher"))
        assert len(one.synchronize()) == 1
        self.wait_for_value(group, "Fiona Fisher", "FN", "Fiona Fisher", device="phone")
        one.synchronize_title()
        assert one.title() == name
        one.set_title("Fishing")
        one.synchronize_title()
        assert self.group_titled("Fishing", "laptop")["id"] == group["id"]
        self.wait(lambda: self.group_titled("Fishing", "phone"), "the phone does not get the title")
        assert one.synchronize() == [], "a new title copies cards"
        # Another device changes the title.
        self.household.control("phone", "group", "rename", group["id"], "Angling")
        self.wait(lambda: self.group_titled("Angling"), "the laptop does not get the title")
        one.synchronize_title()
        assert one.title() == "Angling"

    def check_evolution_makes_and_renames_a_book(self):
        server, evolution = self.server(), self.evolution()
        address = server.address.rstrip("/") + server.home() + "climbers/"
        evolution.make_book(server, address, "Climbers")
        self.wait(lambda: self.group_titled("Climbers", "phone"), "Evolution makes no group")
        group = self.group_titled("Climbers")
        self.ending.callback(self.delete_group, "laptop", group["id"])
        book = self.book(server, group)
        assert book.put(person("Clara Cliff")).status == 201
        evolution.rename_book(server, book.address, "Climbing")
        self.wait(lambda: self.group_titled("Climbing", "phone")["id"] == group["id"], "the group has the old title")
        assert self.exported_names(group) == ["Clara Cliff"]
        assert evolution.discover(server).get("Climbing") == book.address
