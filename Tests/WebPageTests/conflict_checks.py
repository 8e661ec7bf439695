"""Checks of conflicts, which two real devices make (W4)."""

from selenium.webdriver.common.keys import Keys

from broker import paused
from page_checks import PageChecks

PLACE = ".place-content"


class ConflictChecks(PageChecks):
    def conflict(self, first_name, change_here, change_there):
        """A contact that two devices change before they hear of each other. A change without fields is a deletion."""
        contact = self.add(
            firstName=first_name, lastName="Winter", company="Clocks", phones=[{"label": "mobile", "value": "+46 70 174 06 10"}])
        self.page.wait(lambda: self.other.contact(contact["id"])["synced"], "the other device is not up to date")
        self.page.wait(lambda: self.agent.contact(contact["id"])["synced"], "the contact is not sent")
        phone = contact["phones"][0]["id"]
        with paused(self.agent):
            for agent, change in ((self.agent, change_here), (self.other, change_there)):
                if change is None:
                    agent.call("DELETE", f"/v1/contacts/{contact['id']}?acknowledged=true")
                else:
                    agent.change(contact["id"], **change(phone))
        self.page.wait(lambda: self.conflicts(contact), "the devices have no conflict")
        return contact

    def conflicts(self, contact):
        return [found for found in self.agent.call("GET", "/v1/conflicts")["conflicts"] if found["contact"] == contact["id"]]

    def company(self, first_name):
        return self.conflict(
            first_name, lambda _: {"company": "Winter Clocks"}, lambda _: {"company": "Winter Watches"})

    def show_conflicts(self, contact):
        self.page.go("/conflicts")
        self.page.wait(lambda: self.page.all(f"#conflicts-{contact['id']}"), "the conflict is not listed")

    def check_conflict_from_card_by_pointer(self):
        contact = self.company("Cora")
        page = self.page
        self.show(contact)
        page.wait(lambda: "laptop: Winter Clocks · phone: Winter Watches" in page.text(".card-notices"), "the card has no notice")
        page.wait(lambda: page.text("[data-key='place/conflicts'] .badge").startswith("1"), "the first pane has no number")
        found = self.judge("card-conflict")
        page.click(".card-notices .button")
        page.wait(lambda: page.all(f"#conflicts-{contact['id']}"), "the conflict is not shown")
        found += self.look_at("conflicts")
        page.click(".side:nth-child(1) .button")
        page.wait(lambda: not self.conflicts(contact), "the conflict is not decided")
        assert self.agent.contact(contact["id"])["company"] == "Winter Clocks"
        page.click(".toast .button")
        page.wait(lambda: self.conflicts(contact), "the decision is not undone")
        page.wait(lambda: page.all(f"#conflicts-{contact['id']}"), "the conflict is not shown again")
        page.click(".side:nth-child(2) .button")
        page.wait(lambda: not self.conflicts(contact), "the conflict is not decided")
        assert self.agent.contact(contact["id"])["company"] == "Winter Watches"
        assert not found, found

    def check_conflict_by_keyboard(self):
        contact = self.company("Klara")
        [conflict] = self.conflicts(contact)
        page = self.page
        page.go("/")
        page.tab_to(".group[data-key='place/conflicts']")
        page.press(Keys.ENTER)
        page.wait(lambda: page.all(f"#conflicts-{contact['id']}"), "the conflict is not listed")
        page.tab_to(f"[data-key='conflict/{conflict['id']}/edit']")
        page.press(Keys.ENTER)
        page.wait(lambda: page.run("return document.activeElement.name") == "conflict-value", "the field has no focus")
        page.tab_to(".conflict-form [type=button]")
        page.press(Keys.ENTER)
        page.wait(
            lambda: page.run("return document.activeElement.dataset.key") == f"conflict/{conflict['id']}/edit", "Cancel loses the focus")
        page.press(Keys.ENTER)
        page.wait(lambda: page.run("return document.activeElement.name") == "conflict-value", "the field has no focus")
        page.press_together(Keys.CONTROL, "a")
        page.press("Winter Time")
        # What is typed survives a change elsewhere.
        self.other.change(contact["id"], note="Meanwhile.")
        page.wait(lambda: self.agent.contact(contact["id"])["note"] == "Meanwhile.", "the change does not arrive")
        assert page.value("conflict-value") == "Winter Time"
        page.press(Keys.ENTER)
        page.wait(lambda: not self.conflicts(contact), "the conflict is not decided")
        assert self.agent.contact(contact["id"])["company"] == "Winter Time"
        page.wait(lambda: page.focus() == "place", f"the decision leaves the focus in “{page.focus()}”")

    def check_typed_decision_survives_a_failed_read(self):
        contact = self.company("Kirsten")
        [conflict] = self.conflicts(contact)
        page = self.page
        self.show_conflicts(contact)
        page.click(f"[data-key='conflict/{conflict['id']}/edit']")
        page.fill("conflict-value", "Winter Bells")
        page.disturb("GET", "/v1/conflicts$", "refuse")
        self.other.change(contact["id"], note="Meanwhile.")
        page.wait(lambda: page.disturbed() > 0, "the conflicts are not read again")
        page.settle()
        self.other.change(contact["id"], note="And again.")
        page.wait(lambda: self.agent.contact(contact["id"])["note"] == "And again.", "the change does not arrive")
        assert page.value("conflict-value") == "Winter Bells", "the typed value is lost"
        page.driver.refresh()
        page.wait(lambda: page.value("conflict-value") == "Winter Bells", "the typed value does not survive a reload")
        page.click(".conflict-form .primary")
        page.wait(lambda: not self.conflicts(contact), "the conflict is not decided")
        assert self.agent.contact(contact["id"])["company"] == "Winter Bells"

    def check_undo_of_a_typed_decision_undoes_the_value_too(self):
        contact = self.company("Kerstin")
        [conflict] = self.conflicts(contact)
        before = self.agent.contact(contact["id"])["company"]
        page = self.page
        self.show_conflicts(contact)
        page.click(f"[data-key='conflict/{conflict['id']}/edit']")
        page.fill("conflict-value", "Winter Bells")
        page.click(".conflict-form .primary")
        page.wait(lambda: not self.conflicts(contact), "the conflict is not decided")
        page.click(".toast .button")
        page.wait(lambda: self.conflicts(contact), "the decision is not undone")
        page.wait(lambda: self.agent.contact(contact["id"])["company"] == before, "the typed value stays")
        page.wait(lambda: page.all(f"#conflicts-{contact['id']}"), "the conflict is not shown again")

    def check_conflict_keeps_both(self):
        contact = self.conflict(
            "Bodil", lambda phone: {"phones": [{"id": phone, "value": "+46 1"}]},
            lambda phone: {"phones": [{"id": phone, "value": "+46 2"}]})
        [conflict] = self.conflicts(contact)
        self.show_conflicts(contact)
        self.page.click(f"[data-key='conflict/{conflict['id']}/both']")
        self.page.wait(lambda: not self.conflicts(contact), "the conflict is not decided")
        assert {entry["value"] for entry in self.agent.contact(contact["id"])["phones"]} == {"+46 1", "+46 2"}

    def check_conflict_with_deletion(self):
        contact = self.conflict("Dagny", lambda _: {"company": "Kept"}, None)
        [conflict] = self.conflicts(contact)
        page = self.page
        self.show_conflicts(contact)
        assert "phone deleted this contact, and laptop changed it." in page.text(PLACE), page.text(PLACE)
        assert not (found := self.judge("conflicts-deletion")), found
        page.click(f"[data-key='conflict/{conflict['id']}/delete']")
        page.wait(lambda: not self.conflicts(contact), "the conflict is not decided")
        page.wait(lambda: not self.agent.exists(contact["id"]), "the contact is not deleted")
        page.wait(lambda: page.all(f"{PLACE} .state"), "no conflict has no words")

    def check_offline_is_said_beside_conflicts(self):
        status = {
            "state": "offline", "conflicts": 2, "waitingEdits": 0, "warnings": [], "heldDeletions": 0, "accountStatus": "available",
            "lastSync": None, "brokerAnswer": {"state": "missing"},
        }
        label = self.page.driver.execute_async_script(
            "const [status, done] = arguments; import('/status.js').then(({ summary }) => done(summary(status, true).label))", status)
        assert label == "Offline · 2 conflicts", label
