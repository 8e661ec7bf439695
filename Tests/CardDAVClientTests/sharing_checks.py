"""Checks with a group that another account shares (D5)."""

from client_checks import ClientChecks
from sample_cards import person

RENAME = '<propertyupdate xmlns="DAV:"><set><prop><displayname>Renamed</displayname></prop></set></propertyupdate>'


class SharingChecks(ClientChecks):
    def shared_book(self, title, permission):
        """A group of grace with a contact, that ada has joined, and its book on ada's device."""
        group = self.group(title, device="cabin")
        self.add(group, "--first", "Gus", "--last", "Green", device="cabin")
        link = self.household.control("cabin", "share", group["id"], "--anyone", permission)
        self.household.control("laptop", "accept", link, "--yes")
        self.wait(lambda: self.exported_names(self.group_titled(title)) == ["Gus Green"], "the group does not arrive")
        joined = self.group_titled(title)
        return joined, self.book(self.server(), joined)

    def assert_gone(self, title, book):
        self.wait(lambda: book.path not in [one.path for one in book.server.books().values()], "the book is still listed")
        assert book.server.request("PROPFIND", book.path, headers={"Depth": "0"}).status == 404
        assert title not in [group["title"] for group in self.groups()]
        # It is still grace's, who has it alone.
        theirs = self.group_titled(title, "cabin")
        assert self.exported_names(theirs, "cabin") == ["Gus Green"]

    def check_read_only_group_is_shown_and_guarded_as_such(self):
        group, book = self.shared_book("Readable", "read")
        assert "read" in book.privileges, book.privileges
        assert not book.privileges & {"all", "write", "write-content", "bind", "unbind"}, book.privileges
        [path] = book.tags()
        card = book.card(path)
        attempts = {
            "PUT of a new card": book.put(person("Nina New")),
            "PUT of a card": book.server.request("PUT", path, card.with_line("NOTE", "NOTE:Changed").text),
            "DELETE of a card": book.server.request("DELETE", path),
            "PROPPATCH": book.server.request("PROPPATCH", book.path, RENAME),
        }
        for what, reply in attempts.items():
            assert reply.status in (403, 207), f"{what}: {reply.status}"
            refused = reply.status == 403 or "403" in "".join(reply.texts(".//d:status"))
            assert refused, f"{what}: {reply.text}"
            assert reply.all(".//d:need-privileges") or reply.all("d:need-privileges"), f"{what}: {reply.text}"
        assert book.names() == ["Gus Green"] == self.exported_names(self.group_titled("Readable", "cabin"), "cabin")

    def check_clients_know_a_read_only_group(self):
        group, book = self.shared_book("Only read", "read")
        evolution, thunderbird = self.evolution(), self.thunderbird()
        evolution.open(book.server, book.address)
        self.wait(evolution.cards, "Evolution reads no card")
        assert evolution.is_read_only(), "Evolution takes the book for one that can be written"
        found = thunderbird.find_books(book.server)
        thunderbird.subscribe(book.address)
        assert book.address in found.values(), found
        self.wait(lambda: thunderbird.count() == 1, "Thunderbird reads no card")
        assert thunderbird.is_read_only(), "Thunderbird takes the book for one that can be written"

    def check_clients_write_a_shared_group(self):
        group, book = self.shared_book("Writable", "write")
        assert "write" in book.privileges or "write-content" in book.privileges, book.privileges
        evolution = self.evolution()
        evolution.open(book.server, book.address)
        [gus] = self.wait(evolution.cards, "Evolution reads no card")
        assert not evolution.is_read_only()
        evolution.change(gus, "note", "From ada's Evolution")
        self.wait_for_value(self.group_titled("Writable", "cabin"), "Gus Green", "NOTE", "From ada's Evolution", device="cabin")

    def check_deletion_of_a_shared_book_leaves_the_group(self):
        group, book = self.shared_book("Left by a client", "read")
        assert book.server.request("DELETE", book.path).status == 204
        self.assert_gone("Left by a client", book)

    def check_book_is_gone_after_the_group_was_left(self):
        group, book = self.shared_book("Left by contactsctl", "read")
        self.household.control("laptop", "leave", group["id"], "--yes")
        self.assert_gone("Left by contactsctl", book)
