"""Checks of what the user types into a form while other devices change or delete the contact (W3, N4)."""

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks
from photos import landscape

HOME = {"label": "home", "street1": "1 Old Street", "city": "Oldtown", "country": "Sweden"}


class DraftChecks(PageChecks):
    def check_typed_text_survives_another_device(self):
        contact = self.add(firstName="Merle", lastName="Old", company="Old Works")
        page = self.page
        self.show(contact)
        page.press("e")
        page.fill("lastName", "Mine")
        self.other.change(contact["id"], lastName="Theirs", company="New Works")
        page.wait(lambda: page.value("company") == "New Works", "the other device's text is not taken")
        assert page.value("lastName") == "Mine"
        page.wait(lambda: "Theirs" in page.text(".theirs:not([hidden])"), "the other device's text is not shown")
        page.click(".form-heading .primary")
        page.wait(lambda: page.text("#card-name") == "Merle Mine", "the edit is not saved")
        saved = self.agent.contact(contact["id"])
        assert (saved["lastName"], saved["company"]) == ("Mine", "New Works")

    def check_typed_text_survives_deletion(self):
        """The contact comes back from the trash with what the form does not show, and one undo takes both back."""
        contact = self.add(firstName="Gina", lastName="Gone", phones=[{"label": "home", "value": "+1 555 0100"}])
        self.agent.call("PUT", f"/v1/contacts/{contact['id']}/photo", content=landscape(48, 48))
        page = self.page
        self.show(contact)
        page.press("e")
        page.fill("lastName", "Here")
        self.delete_elsewhere(contact)
        page.click(".form-heading .primary")
        page.click(".form-summary .button")
        page.wait(lambda: page.text("#card-name") == "Gina Here", "the text is not saved")
        assert "+1 555 0100" in page.text(".values")
        saved = self.agent.contact(contact["id"])
        assert saved["lastName"] == "Here" and saved["photo"], "the photo is lost"
        self.toast("Gina Here")
        page.press("u")
        page.wait(lambda: not self.agent.exists(contact["id"]), "the restoration is not undone")

    def check_typed_text_survives_erasing(self):
        contact = self.add(firstName="Erik", lastName="Erased")
        page = self.page
        self.begin()
        page.press("n")
        page.fill("firstName", "Unfinished")
        page.press(Keys.ESCAPE)
        self.show(contact)
        page.press("e")
        page.fill("lastName", "Here")
        self.delete_elsewhere(contact)
        self.agent.call("DELETE", "/v1/trash")
        page.click(".form-heading .primary")
        page.click(".form-summary .button")
        page.wait(lambda: page.text("#card-name") == "Erik Here", "the text is not saved")
        self.added.append(page.run("return location.hash").split("/")[-1])
        page.press("n")
        page.wait(lambda: page.value("firstName") == "Unfinished", "the draft of another new contact is lost")

    def delete_elsewhere(self, contact):
        self.other.call("DELETE", f"/v1/contacts/{contact['id']}?acknowledged=true")
        self.page.wait(lambda: not self.agent.exists(contact["id"]), "the deletion does not arrive")

    def check_typed_address_survives_its_removal(self):
        contact = self.add(firstName="Addie", lastName="Address", addresses=[HOME])
        page = self.page
        entry = contact["addresses"][0]["id"]
        self.show(contact)
        page.press("e")
        field = page.one(f"[name='addresses/{entry}/street1']")
        field.send_keys(Keys.HOME, Keys.ARROW_RIGHT, "2")
        self.other.change(contact["id"], addresses=[{"id": entry, "removed": True}])
        page.wait(lambda: page.all("[name='addresses/new-1/street1']"), "the removal is not shown")
        assert self.focus_is("[name='addresses/new-1/street1']"), "the removal loses the focus"
        page.press("3")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.all(".card-view"), "the address is not saved")
        [saved] = self.agent.contact(contact["id"])["addresses"]
        assert {part: saved[part] for part in HOME} == {**HOME, "street1": "123 Old Street"}, saved

    def check_change_wins_over_a_removal_in_the_form(self):
        contact = self.add(firstName="Remy", lastName="Removed", phones=[{"label": "home", "value": "+1 555 0100"}])
        page = self.page
        entry = contact["phones"][0]["id"]
        self.show(contact)
        page.press("e")
        page.click(".entry .icon-button")
        self.other.change(contact["id"], phones=[{"id": entry, "value": "+1 555 0200"}])
        page.wait(
            lambda: page.value_of(f"[name='phones/{entry}/value']") == "+1 555 0200", "the changed phone does not come back")
        assert page.text(".form-summary .notice"), "nothing says that the phone is back"
        page.fill("note", "Saved")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.all(".card-view"), "the form is not saved")
        assert [phone["value"] for phone in self.agent.contact(contact["id"])["phones"]] == ["+1 555 0200"]

    def check_draft_survives_reload_and_escape(self):
        contact = self.add(firstName="Dora", lastName="Draft")
        page = self.page
        self.show(contact)
        page.press("e")
        page.fill("note", "Half a sentence")
        page.driver.refresh()
        page.wait(lambda: page.value("note") == "Half a sentence", "a reload loses the text")
        page.press(Keys.ESCAPE)
        page.wait(lambda: page.all(".card-view .notice"), "the card does not offer the draft")
        page.click(".card-view .notice .primary")
        page.wait(lambda: page.value("note") == "Half a sentence", "Escape loses the text")
        page.press(Keys.ESCAPE)
        page.click(".card-view .notice .button:not(.primary)")
        page.wait(lambda: not page.all(".card-view .notice"), "the draft is not discarded")

    def check_saving_with_full_storage(self):
        contact = self.add(firstName="Fulton", lastName="Full")
        page = self.page
        self.show(contact)
        page.press("e")
        page.run(
            "for (let length = 2 ** 23; length >= 1; length /= 2) {"
            " try { for (;;) sessionStorage.setItem(`full-${crypto.randomUUID()}`, 'x'.repeat(length)); } catch {} }")
        try:
            page.fill("note", "Longer than what is left")
            page.press_together(Keys.CONTROL, Keys.ENTER)
            page.wait(lambda: page.all(".card-view"), "the text is not saved")
            assert self.agent.contact(contact["id"])["note"] == "Longer than what is left"
        finally:
            page.run("for (const key of Object.keys(sessionStorage)) if (key.startsWith('full-')) sessionStorage.removeItem(key)")
