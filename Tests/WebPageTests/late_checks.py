"""Checks of replies that arrive after the user has gone on."""

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks
from photo_checks import CHOOSE, PICTURE
from photos import landscape

# Holds the reply to a request back until `release()` is called. The agent has done what was asked by then.
HOLD = (
    "const [method, part] = arguments, send = window.fetch; window.isHeld = false;"
    "window.fetch = async (address, options) => { const reply = await send(address, options);"
    " if ((options?.method ?? 'GET') !== method || !String(address).includes(part)) return reply;"
    " await new Promise((resolve) => { window.isHeld = true; window.release = resolve; }); return reply; }")


class LateChecks(PageChecks):
    def hold(self, method, part):
        self.page.run(HOLD, method, part)

    def is_held(self):
        self.page.wait(lambda: self.page.run("return window.isHeld"), "the request is not sent")

    def release(self):
        """Lets the reply through, and waits until the page has handled it."""
        self.page.driver.execute_async_script(
            "const done = arguments[0]; release(); requestAnimationFrame(() => requestAnimationFrame(done))")

    def check_late_star_leaves_an_open_form(self):
        contact = self.add(firstName="Stella", lastName="Star")
        page = self.page
        self.show(contact)
        self.hold("PATCH", contact["id"])
        page.click(".card-actions [aria-pressed]")
        self.is_held()
        page.press("e")
        page.fill("note", "Typed meanwhile")
        self.release()
        assert page.value("note") == "Typed meanwhile", "the reply replaces the form"
        page.press(Keys.ESCAPE)

    def check_late_star_after_leaving_the_card(self):
        contact = self.add(firstName="Stina", lastName="Star")
        page = self.page
        self.show(contact)
        self.hold("PATCH", contact["id"])
        page.click(".card-actions [aria-pressed]")
        self.is_held()
        page.go("/")
        page.wait(lambda: not page.all(".card-view"), "the card is still shown")
        self.release()
        assert not page.all(".card-view"), "the reply shows the card again"

    def check_late_photo_leaves_another_card(self):
        contact, other = self.add(firstName="Fia", lastName="Photo"), self.add(firstName="Olga", lastName="Other")
        page = self.page
        self.show(contact)
        page.press("e")
        page.one(".photo-editor")
        page.driver.execute_async_script(PICTURE % CHOOSE)
        page.wait(lambda: self.focus_is(".crop-view"), "no part can be chosen")
        self.hold("PUT", f"{contact['id']}/photo")
        page.press(Keys.ENTER)
        self.is_held()
        self.show(other)
        self.release()
        page.click(".card-actions .danger")
        self.toast(other["name"])
        assert self.agent.exists(contact["id"]), "the contact that is not shown is deleted"
        assert not self.agent.exists(other["id"])

    def check_late_removal_of_a_photo(self):
        """The agent has forgotten the contact when the page reads it again."""
        contact = self.add(firstName="Rut", lastName="Removed")
        self.agent.call("PUT", f"/v1/contacts/{contact['id']}/photo", content=landscape(48, 48))
        page = self.page
        self.show(contact)
        page.press("e")
        page.wait(lambda: len(page.all(".photo-editor .button")) == 2, "the photo cannot be removed")
        self.hold("DELETE", "/photo")
        page.click(".photo-editor .button:nth-child(2)")
        self.is_held()
        self.agent.call("DELETE", f"/v1/contacts/{contact['id']}?acknowledged=true")
        self.release()
        page.wait(lambda: not page.all(".photo-editor .portrait img"), "the photo is still shown")
        page.wait(lambda: self.page.run("return performance.getEntriesByType('resource').some("
                                        "({ name, responseStatus }) => responseStatus === 404 && name.endsWith(arguments[0]))",
                                        contact["id"]), "the contact is not read")
        assert page.all(".form"), "the form does not stay"

    def check_going_back_closes_the_photo(self):
        contact = self.add(firstName="Bea", lastName="Back")
        page = self.page
        self.show(contact)
        page.press("e")
        page.one(".photo-editor")
        page.driver.execute_async_script(PICTURE % CHOOSE)
        page.wait(lambda: self.focus_is(".crop-view"), "no part can be chosen")
        page.driver.back()
        page.wait(lambda: not page.all("dialog[open]"), "the photo of the contact before is still shown")
        assert self.agent.contact(contact["id"])["photo"] is None

    def check_late_deletion_leaves_another_card(self):
        contact, other = self.add(firstName="Disa", lastName="Deleted"), self.add(firstName="Otto", lastName="Other")
        page = self.page
        self.show(contact)
        self.hold("DELETE", contact["id"])
        page.click(".card-actions .danger")
        self.is_held()
        self.show(other)
        self.release()
        self.toast(contact["name"])
        assert page.text("#card-name") == other["name"], "the reply leaves the card of another contact"

    def check_nothing_is_typed_while_a_contact_is_saved(self):
        contact = self.add(firstName="Sam", lastName="Saved")
        page = self.page
        self.show(contact)
        page.press("e")
        page.fill("note", "Sent")
        self.hold("PATCH", contact["id"])
        page.press_together(Keys.CONTROL, Keys.ENTER)
        self.is_held()
        page.press(" and lost")
        assert page.value("note") == "Sent", "the form takes a text that it does not save"
        page.run("document.querySelector('.form .add-entry').click()")
        assert not page.all(".form .entry"), "the form takes an entry that it does not save"
        self.release()
        page.wait(lambda: page.all(".card-view"), "the form does not close")
        assert self.agent.contact(contact["id"])["note"] == "Sent"

    def check_leaving_a_form_that_is_saved(self):
        contact, other = self.add(firstName="Lea", lastName="Before"), self.add(firstName="Ove", lastName="Other")
        page = self.page
        self.show(contact)
        page.press("e")
        page.fill("lastName", "After")
        self.hold("PATCH", contact["id"])
        page.press_together(Keys.CONTROL, Keys.ENTER)
        self.is_held()
        self.show(other)
        self.release()
        self.toast("Lea After")
        assert page.text("#card-name") == other["name"], "the reply leaves the card of another contact"
        page.press("u")
        page.wait(lambda: self.agent.contact(contact["id"])["lastName"] == "Before", "the edit is not undone")

    def check_nothing_is_typed_while_a_caption_is_saved(self):
        post = self.post("Before")
        page = self.page
        page.go(f"/timeline/{post['id']}")
        page.one(".post-view")
        page.press("e")
        page.wait(lambda: self.focus_is(".editable textarea"), "the caption cannot be edited")
        page.press(" and after")
        self.hold("PATCH", f"posts/{post['id']}")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        self.is_held()
        page.press(" and lost")
        assert page.value_of(".editable textarea") == "Before and after", "the form takes a text that it does not save"
        self.release()
        page.wait(lambda: not page.all(".editable textarea"), "the form does not close")
        assert page.text(".post-caption").startswith("Before and after")
