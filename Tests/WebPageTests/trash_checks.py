"""Checks of the trash (W4)."""

import json

from selenium.webdriver.common.keys import Keys

from broker import paused
from page_checks import PageChecks

PLACE = ".place-content"


class TrashChecks(PageChecks):
    def delete(self, **fields):
        """Adds a contact and deletes it."""
        contact = self.add(**fields)
        self.agent.call("DELETE", f"/v1/contacts/{contact['id']}?acknowledged=true")
        return contact

    def show_trash(self, contact):
        self.page.go("/trash")
        self.page.wait(lambda: contact["name"] in self.page.text(PLACE), "the trash does not list the contact")

    def check_restore_from_trash_by_keyboard(self):
        contact = self.delete(firstName="Rosa", lastName="Restored")
        page = self.page
        page.go("/")
        page.tab_to(".group[data-key='place/trash']")
        page.press(Keys.ENTER)
        page.wait(lambda: "Rosa Restored" in page.text(PLACE), "the trash does not list the contact")
        page.tab_to(f"[data-key='restore/{contact['id']}']")
        page.press(Keys.ENTER)
        self.toast("Rosa Restored")
        page.wait(lambda: self.agent.exists(contact["id"]), "the contact is not restored")
        page.wait(lambda: page.focus() == "place", f"the focus is in “{page.focus()}”")
        page.press("u")
        page.wait(lambda: not self.agent.exists(contact["id"]), "the restoration is not undone")
        page.wait(lambda: "Rosa Restored" in page.text(PLACE), "the trash does not list the contact again")

    def check_restore_from_trash_by_pointer(self):
        contact = self.delete(firstName="Rolf", lastName="Restored")
        self.show_trash(contact)
        self.page.click(f"[data-key='restore/{contact['id']}']")
        self.page.wait(lambda: self.agent.exists(contact["id"]), "the contact is not restored")
        self.page.wait(lambda: "Rolf Restored" not in self.page.text(PLACE), "the trash still lists the contact")

    def check_trash_says_what_is_not_known(self):
        contact = self.add(firstName="Odd", lastName="Offline")
        page = self.page
        with paused(self.agent):
            self.agent.call("DELETE", f"/v1/contacts/{contact['id']}?acknowledged=true")
            self.show_trash(contact)
            page.wait(lambda: "not sent yet" in page.text(PLACE), "the trash does not say that the deletion is not sent")
            page.wait(lambda: page.all(".place-notice"), "the trash does not say that something may be missing")
            found = self.judge("trash-incomplete")
            page.click("[data-key=incomplete]")
        # The broker answers again: the notice goes without the user.
        page.wait(lambda: not page.all(".place-notice"), "the notice stays")
        assert not found, found

    def check_erase_trash_by_pointer_asks(self):
        contact = self.delete(firstName="Eva", lastName="Erased")
        page = self.page
        self.show_trash(contact)
        page.click("[data-key=erase]")
        page.wait(lambda: page.all("dialog[open]"), "nothing asks")
        found = self.judge("trash-question")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all("dialog[open]"), "Escape does not close the question")
        assert any(item["id"] == contact["id"] for item in self.agent.call("GET", "/v1/trash")["trash"])
        page.click("[data-key=erase]")
        page.click("dialog .danger")
        page.wait(lambda: not self.agent.call("GET", "/v1/trash")["trash"], "the trash is not erased")
        page.wait(lambda: page.all(f"{PLACE} .state"), "the empty trash has no words")
        assert not found, found

    def check_erase_trash_by_keyboard(self):
        contact = self.delete(firstName="Elsa", lastName="Erased")
        page = self.page
        self.show_trash(contact)
        page.tab_to("[data-key=erase]")
        page.press(Keys.ENTER)
        page.wait(lambda: page.all("dialog[open]"), "nothing asks")
        # The answer that changes nothing has the focus.
        page.press(Keys.TAB, Keys.ENTER)
        page.wait(lambda: not self.agent.call("GET", "/v1/trash")["trash"], "the trash is not erased")

    def check_trash_with_1100_entries(self):
        page = self.page
        # Groups that other checks deleted are lines of the trash too.
        self.agent.call("DELETE", "/v1/trash")
        cards = "".join(
            f"BEGIN:VCARD\r\nVERSION:3.0\r\nN:Many{number:04};;;;\r\nFN:Many{number:04}\r\nEND:VCARD\r\n" for number in range(1100))
        summary = json.loads(self.agent.send_file("/v1/import", cards).splitlines()[-1])["summary"]
        page.wait(lambda: self.agent.call("GET", "/v1/status")["waitingEdits"] == 0, "the contacts are not sent")
        self.agent.call("POST", "/v1/undo", {"action": summary["action"]})
        listed = len(self.agent.call("GET", "/v1/trash")["trash"])
        page.go("/trash")
        page.wait(lambda: page.all(f"{PLACE} .card-row"), "the trash is not shown")
        assert listed == 1000, listed
        for shown in range(200, 1001, 200):
            page.wait(lambda: len(page.all(f"{PLACE} .card-row")) == shown, f"the trash does not show {shown} contacts")
            page.click("[data-key=more]")
        page.wait(lambda: len(page.all(f"{PLACE} .card-row")) >= 1100, "the trash does not show the second page")
        self.agent.call("DELETE", "/v1/trash")
