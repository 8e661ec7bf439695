"""Checks of a contact's history and of undoing earlier actions (W4)."""

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks

PLACE = ".place-content"


class HistoryChecks(PageChecks):
    def contact_with_history(self, first_name):
        contact = self.add(firstName=first_name, lastName="Past", company="First Works", phones=[{"label": "home", "value": "+1 555 0100"}])
        # Edits that follow each other before they are sent would be one version.
        changes = ((self.agent, "First", {"company": "Second Works"}), (self.other, "Second", {"company": "Third Works", "note": "New."}))
        for agent, known, change in changes:
            def is_ready(agent=agent, known=known):
                present = agent.contact(contact["id"])
                return present["synced"] and present["company"] == f"{known} Works"

            self.page.wait(is_ready, "an edit is not sent")
            agent.change(contact["id"], **change)
        self.page.wait(lambda: self.agent.contact(contact["id"])["company"] == "Third Works", "the edit does not arrive")
        return contact

    def company_of(self, contact):
        return self.agent.contact(contact["id"])["company"]

    def check_history_by_pointer(self):
        contact = self.contact_with_history("Hilda")
        page = self.page
        self.show(contact)
        page.click("[data-action=history]")
        page.wait(lambda: len(page.all(".step")) == 3, "the steps are not shown")
        shown = page.text(".step")
        assert "on phone" in shown and "Second Works" in shown and "Third Works" in shown, shown
        found = self.look_at("history")
        page.click(".step:nth-child(2) [data-key$='/company']")
        page.wait(lambda: self.company_of(contact) == "First Works", "the value is not restored")
        page.click(".toast .button")
        page.wait(lambda: self.company_of(contact) == "Third Works", "the restoration is not undone")
        page.click("#place .back")
        page.wait(lambda: page.text("#card-name") == contact["name"], "Back does not lead to the card")
        assert not found, found

    def check_history_by_keyboard(self):
        contact = self.contact_with_history("Hugo")
        page = self.page
        self.show(contact)
        page.tab_to("[data-action=history]")
        page.press(Keys.ENTER)
        page.wait(lambda: len(page.all(".step")) == 3, "the steps are not shown")
        page.tab_to(".step:nth-child(3) [data-key^='version/']")
        page.press(Keys.ENTER)
        page.wait(lambda: self.company_of(contact) == "First Works", "the version is not restored")
        assert self.agent.contact(contact["id"])["note"] == ""
        page.press(Keys.ESCAPE)
        page.wait(lambda: page.text("#card-name") == contact["name"], "Escape does not lead to the card")

    def check_history_of_deleted_contact(self):
        contact = self.contact_with_history("Hanna")
        self.agent.call("DELETE", f"/v1/contacts/{contact['id']}?acknowledged=true")
        page = self.page
        page.go("/trash")
        page.click(f"[data-key='history/{contact['id']}']")
        page.wait(lambda: page.all("[data-key=restore]"), "the history does not offer to restore the contact")
        page.click("[data-key=restore]")
        page.wait(lambda: self.agent.exists(contact["id"]), "the contact is not restored")
        page.wait(lambda: not page.all("[data-key=restore]"), "the history still offers to restore the contact")

    def check_history_of_what_has_no_name(self):
        page = self.page
        self.agent.send_file("/v1/import", "BEGIN:VCARD\r\nVERSION:3.0\r\nTEL:+1 555 0177\r\nEND:VCARD\r\n")
        [contact] = self.agent.call("GET", "/v1/contacts?q=5550177")["contacts"]
        self.added.append(contact["id"])
        self.agent.call("DELETE", f"/v1/contacts/{contact['id']}?acknowledged=true")
        page.go("/trash")
        page.click(f"[data-key='history/{contact['id']}']")
        page.click("[data-key=restore]")
        page.wait(lambda: page.all(".toast"), "the page says nothing")
        # An author whose account and device nobody knows.
        sentence = page.driver.execute_async_script(
            "const done = arguments[0]; import('/texts.js').then(({ text }) => done(text('history.updated', { account: '', device: null })))")
        assert sentence == "Changed by unknown on unknown", sentence
        for text in (page.text("#place"), page.text(".toast")):
            assert "{" not in text and text, text

    def check_undo_of_earlier_action(self):
        contact = self.add(firstName="Una", lastName="Before")
        self.agent.change(contact["id"], lastName="After")
        self.agent.change(self.add(firstName="Later")["id"], note="Another action.")
        page = self.page
        page.go("/actions")
        page.wait(lambda: "Changed “Una After”" in page.text(PLACE), "the action is not listed")
        found = self.look_at("actions")
        action = next(
            action for action in self.agent.call("GET", "/v1/actions")["actions"] if action["name"] == "Una After")
        page.tab_to(f"[data-key='undo/{action['id']}']")
        page.press(Keys.ENTER)
        page.wait(lambda: self.agent.contact(contact["id"])["lastName"] == "Before", "the action is not undone")
        page.wait(lambda: page.text("[data-key^='undo/']") == "Do it again", "the undo is not listed")
        page.click("[data-key^='undo/']")
        page.wait(lambda: self.agent.contact(contact["id"])["lastName"] == "After", "the undo is not undone")
        assert not found, found
