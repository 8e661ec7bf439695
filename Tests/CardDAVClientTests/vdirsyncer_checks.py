"""Checks with vdirsyncer, and with khard on its folder (D1)."""

import os

from client_checks import ClientChecks
from khard import Khard
from sample_cards import person, sample
from vdirsyncer import Vdirsyncer

CARDS = 300


class VdirsyncerChecks(ClientChecks):
    def side(self, group):
        """A folder that vdirsyncer synchronizes with the book of a group, as one device of a user."""
        side = Vdirsyncer(self.new_folder("vdirsyncer"), self.server(), group["id"])
        side.discover()
        return side

    def check_vdirsyncer_loses_no_property(self):
        group = self.group("Pushed")
        one, other = self.side(group), self.side(group)
        for number in range(CARDS):
            one.write(sample(number))
        assert len(one.synchronize()) == CARDS
        again = one.synchronize()
        assert not again, f"{len(again)} cards are copied though nothing has changed: {again[0]}"
        assert len(other.synchronize()) == CARDS
        again = other.synchronize()
        assert not again, f"{len(again)} cards are copied though nothing has changed: {again[0]}"
        self.assert_equal(one, other)
        assert len(self.exported(group)) == CARDS
        return f"{CARDS} cards"

    def check_vdirsyncer_copies_one_change_and_one_deletion(self):
        group = self.group("Changed")
        one, other = self.side(group), self.side(group)
        for number in range(10):
            one.write(sample(number))
        one.synchronize()
        other.synchronize()
        changed = sample(3).with_line("NOTE", "NOTE:Changed by the first side")
        one.write(changed)
        self.assert_one_is_copied(one, other)
        assert other.cards()[changed.identifier].value("NOTE") == "Changed by the first side"
        self.assert_equal(one, other)
        [gone] = [path for path in one.files() if one.read(path).identifier == sample(4).identifier]
        os.remove(gone)
        self.assert_one_is_copied(one, other)
        assert sample(4).identifier not in other.cards()
        self.assert_equal(one, other)
        assert len(self.exported(group)) == 9

    def check_vdirsyncer_copies_an_edit_of_another_device(self):
        group = self.group("Edited")
        side = self.side(group)
        card = person("Vera Vale", "TEL;TYPE=CELL:+49 151 1", "X-SHIP:Beagle")
        side.write(card)
        side.synchronize()
        self.wait(lambda: self.exported_names(group, "phone"), "the phone does not get the card")
        self.edit("Vera Vale", "--note", "From the phone", device="phone")
        self.wait_for_value(group, "Vera Vale", "NOTE", "From the phone")
        assert len(side.synchronize()) == 1
        copied = side.cards()[card.identifier]
        assert copied.value("NOTE") == "From the phone"
        lacking = copied.lacks(card, "rev")
        assert not lacking, lacking

    def check_khard_lists_and_edits(self):
        group = self.group("Khard")
        side = self.side(group)
        self.add(group, "--first", "Kim", "--last", "Hardy", "--phone", "home=+49 30 1234")
        self.add(group, "--first", "Édith", "--last", "Ångström")
        side.synchronize()
        khard = Khard(side.cards_folder)
        names = khard.names()
        assert sorted(names.values()) == ["Kim Hardy", "Édith Ångström"], names
        [identifier] = [identifier for identifier, name in names.items() if name == "Kim Hardy"]
        khard.edit_note(identifier, "Written with khard")
        assert len(side.synchronize()) == 1
        self.wait_for_value(group, "Kim Hardy", "NOTE", "Written with khard", device="phone")
        [card] = [card for card in self.exported(group) if card.name == "Kim Hardy"]
        assert len(card.values("TEL")) == 1, str(card)

    @staticmethod
    def assert_one_is_copied(one, other):
        for side in (one, other):
            copied = side.synchronize()
            assert len(copied) == 1, copied

    @staticmethod
    def assert_equal(one, other):
        """Both sides have the same cards, property by property."""
        first, second = one.cards(), other.cards()
        assert first.keys() == second.keys(), f"{first.keys() ^ second.keys()} are on one side only"
        different = [identifier for identifier in first if first[identifier].properties != second[identifier].properties]
        assert not different, (
            f"{len(different)} cards are different, the first by "
            f"{set(first[different[0]].properties) ^ set(second[different[0]].properties)}")
