"""Checks of drafts: what is typed and not saved, in several tabs and accounts (N4)."""

import itertools
import os
import pty
import subprocess

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks
from tab_checks import Tabs

# A device whose account signs out is of no more use, also for a second time.
DEVICES = (f"lobby-{number}" for number in itertools.count(1))


class KeptDraftChecks(PageChecks):
    def check_draft_survives_a_closed_tab(self):
        contact = self.add(firstName="Carla", lastName="Closed")
        page = self.page
        with Tabs(page) as tabs:
            tabs.open(f"/contact/{contact['id']}/edit")
            page.wait(lambda: page.all(".form"), "the form does not open")
            page.fill("note", "Half a sentence")
            # The last keystrokes are sent while the tab is closed.
            tabs.close()
        page.wait(lambda: [draft["texts"]["note"] for draft in self.drafts()] == ["Half a sentence"], "the text is lost")
        page.press("g", "w")
        page.wait(lambda: "Note: Half a sentence" in page.text(".draft-row"), "the list does not show the draft")
        assert "Carla Closed" in page.text(".draft-row .row-name")
        page.wait(lambda: "1" in page.text(".place-list [aria-current]"), "the entry of the place has no number")
        page.click("[data-key^='continue/']")
        page.wait(lambda: page.value("note") == "Half a sentence", "the form does not continue the draft")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.all(".card-view"), "the text is not saved")
        assert self.agent.contact(contact["id"])["note"] == "Half a sentence"
        page.wait(lambda: not self.drafts(), "the draft is still there")

    def check_draft_of_a_new_contact_in_another_tab(self):
        page = self.page
        with Tabs(page) as tabs:
            tabs.open("/new")
            page.wait(lambda: page.all(".form"), "the form does not open")
            page.fill("firstName", "Nora")
            tabs.close()
        page.wait(lambda: len(self.drafts()) == 1, "the text is lost")
        self.begin()
        page.wait(lambda: page.run("return import('./drafts.js').then(({ drafts }) => drafts.free('contact', null) !== null)"),
                  "the tab does not know that no form shows the draft")
        page.press("n")
        page.wait(lambda: page.value("firstName") == "Nora", "the form does not continue the draft")
        page.press(Keys.ESCAPE)
        page.click(".toast .button")
        page.wait(lambda: not self.drafts(), "the draft is not discarded")

    def check_two_tabs_edit_the_same_contact(self):
        contact = self.add(firstName="Tom", lastName="Twice", note="")
        page = self.page
        self.show(contact)
        page.press("e")
        page.fill("note", "First tab")
        page.wait(lambda: len(self.drafts()) == 1, "the text is not sent")
        with Tabs(page) as tabs:
            tabs.open(f"/contact/{contact['id']}")
            page.wait(lambda: "another form" in page.text(".card-view .notice"), "the card does not say that it is edited")
            page.press("e")
            page.wait(lambda: page.all(".form"), "the form does not open")
            assert page.value("note") == "", "the second form takes the text of the first"
            page.fill("company", "Second tab")
            page.wait(lambda: len(self.drafts()) == 2, "one text replaces the other")
            page.press(Keys.ESCAPE)
            page.wait(lambda: "2 drafts" in page.text(".card-view .notice"), "the card does not say that there are two")
            page.click(".card-view .notice .button")
            page.wait(lambda: len(page.all(".draft-row")) == 2, "the list does not show both")
            # The list may be drawn again while it is read.
            page.wait(lambda: any("First tab" in row.text and "open in a form" in row.text for row in page.all(".draft-row")),
                      "the list does not say that the first text is open in a form")
            # Both forms continue the same draft: neither text is lost.
            first = next(draft for draft in self.drafts() if draft["texts"]["note"] == "First tab")
            page.click(f"[data-key='continue/{first['id']}']")
            page.wait(lambda: page.value("note") == "First tab", "the form does not continue the draft")
            page.fill("note", "Second tab's note")
            page.wait(lambda: self.notes() >= {"Second tab's note"}, "the text is not sent")
            page.driver.switch_to.window(tabs.first)
            page.fill("note", "First tab, again")
            page.wait(lambda: self.notes() >= {"Second tab's note", "First tab, again"}, "a text is lost")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.all(".card-view"), "the text is not saved")
        assert self.agent.contact(contact["id"])["note"] == "First tab, again"
        page.wait(lambda: "First tab, again" not in self.notes(), "the saved draft is still there")
        assert "Second tab's note" in self.notes(), "saving one draft removes another"

    def notes(self):
        return {draft["texts"].get("note") for draft in self.drafts()}

    def check_draft_of_a_deleted_contact(self):
        contact = self.add(firstName="Dina", lastName="Deleted")
        page = self.page
        self.show(contact)
        page.press("e")
        page.fill("note", "Still wanted")
        page.press(Keys.ESCAPE)
        page.wait(lambda: len(self.drafts()) == 1, "the text is not sent")
        self.begin()
        self.other.call("DELETE", f"/v1/contacts/{contact['id']}?acknowledged=true")
        page.wait(lambda: not self.agent.exists(contact["id"]), "the deletion does not arrive")
        page.go("/drafts")
        page.click("[data-key^='continue/']")
        page.wait(lambda: page.value("note") == "Still wanted", "the text cannot be used")
        page.click(".form-heading .primary")
        page.click(".form-summary .button")
        page.wait(lambda: page.text("#card-name") == "Dina Deleted", "the text is not saved")
        assert self.agent.contact(contact["id"])["note"] == "Still wanted"

    def check_drafts_of_the_timeline(self):
        post = self.post("Before")
        page = self.page
        page.go(f"/timeline/{post['id']}")
        page.one(".post-side > .text-form textarea").send_keys("Half a comment")
        page.wait(lambda: len(self.drafts()) == 1, "the comment is not sent")
        page.run("document.activeElement.blur()")
        page.press("e")
        page.wait(lambda: self.focus_is(".editable textarea"), "the caption cannot be edited")
        page.press(" and after")
        page.wait(lambda: len(self.drafts()) == 2, "the caption is not sent")
        page.driver.refresh()
        page.wait(lambda: page.value_of(".post-side > .text-form textarea") == "Half a comment", "the comment is lost")
        page.wait(lambda: page.value_of(".editable textarea") == "Before and after", "the caption is lost")
        page.go("/timeline")
        page.wait(lambda: page.all(".place-tools [aria-keyshortcuts=n]"), "the timeline is not shown")
        page.press("n")
        page.one("#post-caption").send_keys("A new post")
        page.press(Keys.ESCAPE)
        page.wait(lambda: len(self.drafts()) == 3, "the caption of the new post is not sent")
        page.go("/drafts")
        page.wait(lambda: len(page.all(".draft-row")) == 3, "the list does not show all")
        new = next(draft for draft in self.drafts() if draft["kind"] == "post")
        page.click(f"[data-key='continue/{new['id']}']")
        page.wait(lambda: page.value_of("#post-caption") == "A new post", "the dialog does not continue the draft")
        page.press(Keys.ESCAPE)
        page.go("/drafts")
        for count in (2, 1, 0):
            page.click("[data-key^='discard/']")
            page.wait(lambda left=count: len(self.drafts()) == left, "a draft is not discarded")
        page.wait(lambda: page.all(".place-content .state"), "the list is not empty")

    def check_no_room_for_drafts(self):
        contact = self.add(firstName="Fanny", lastName="Full")
        page = self.page
        incarnation = self.agent.call("GET", "/v1/drafts")["incarnation"]
        for number in range(100):
            self.agent.call("PUT", f"/v1/drafts/full-{number}", {
                "incarnation": incarnation, "kind": "post", "title": "", "address": "/timeline", "sequence": 1, "base": {},
                "texts": {"text": f"Draft {number}"}})
        self.show(contact)
        page.press("e")
        page.fill("note", "Only here")
        page.wait(lambda: "only in this tab" in page.text(".draft-problem"), "the form does not say that there is no room")
        page.driver.refresh()
        page.wait(lambda: page.value("note") == "Only here", "a reload loses the text")
        page.press(Keys.ESCAPE)
        page.go("/drafts")
        page.wait(lambda: any("only in this tab" in row.text for row in page.all(".draft-row")), "the list does not say it")
        self.agent.call("DELETE", "/v1/drafts/full-0")
        page.driver.refresh()
        page.wait(lambda: "Only here" in self.notes(), "the text is not sent when there is room")
        self.show(contact)
        page.press("e")
        page.wait(lambda: page.value("note") == "Only here", "the text is lost")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.all(".card-view"), "the text is not saved")

    # Accounts

    def check_sign_out_asks_about_drafts(self):
        household, device = self.household, next(DEVICES)
        # Without an account in the settings, the device can sign in to any.
        household.start(device)
        agent = household.agent(device)
        page = self.page
        page.wait(lambda: household.state(device) == "live", "the device is not live")
        with self.page_of(device) as page:
            page.wait(lambda: page.all("#list .row, #list [role=option]"), "the list does not load")
            page.press("n")
            page.fill("note", "Ada's secret")
            page.wait(lambda: agent.call("GET", "/v1/drafts")["drafts"], "the text is not sent")
            refused = self.sign_out(device, "--yes")
            assert refused.returncode != 0 and "1 draft" in refused.stderr, refused
            answer, asked = self.sign_out_at_a_terminal(device, "n")
            assert answer != 0 and "1 draft of the web page will be lost" in asked, asked
            assert agent.call("GET", "/v1/drafts")["drafts"], "the draft is lost although the user said no"
            answer, asked = self.sign_out_at_a_terminal(device, "y")
            assert answer == 0, asked
            page.wait(lambda: page.text(".whole-page h2") == "Open your contacts again", "the session does not end")
            assert "secret" not in page.text(".whole-page"), "the page shows the text of the account"
            household.control(device, "signin", "bob")
            page.errors()
            # The next account opens the page in the same tab.
            page.driver.get(household.link(device))
            page.wait(lambda: page.all("#list .row, #list [role=option]"), "the next account's contacts are not shown")
            page.press("n")
            page.wait(lambda: page.all(".form"), "the form does not open")
            assert page.value("note") == "", "the next account sees the draft"
            assert not page.run("return Object.values(sessionStorage).some((text) => text.includes('secret'))")
            assert not agent.call("GET", "/v1/drafts")["drafts"]

    def sign_out(self, device, *options):
        program = os.path.join(self.household.programs, "contactsctl")
        command = [program, "--agent", self.household.path(f"{device}.sock"), "signout", *options]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def sign_out_at_a_terminal(self, device, answer):
        """Answers the question as a user does. Returns the exit code and what was shown."""
        program = os.path.join(self.household.programs, "contactsctl")
        command = [program, "--agent", self.household.path(f"{device}.sock"), "signout"]
        terminal, program_end = pty.openpty()
        process = subprocess.Popen(command, stdin=program_end, stdout=program_end, stderr=program_end)
        os.close(program_end)
        shown = b""
        try:
            while b"[y/N]" not in shown:
                shown += os.read(terminal, 4096)
            os.write(terminal, f"{answer}\n".encode())
            while part := os.read(terminal, 4096):
                shown += part
        except OSError:
            pass  # The program has ended.
        finally:
            os.close(terminal)
        return process.wait(), shown.decode()
