"""Checks of the short messages."""

from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks

# Counts the timers that close messages and are running.
COUNT = (
    "const { setTimeout: start, clearTimeout: stop } = window; window.closing = new Set();"
    "window.setTimeout = (run, delay, ...rest) => { const timer = start(run, delay, ...rest);"
    " if (delay === 10_000) closing.add(timer); return timer; };"
    "window.clearTimeout = (timer) => { closing.delete(timer); stop(timer); }")


class ToastChecks(PageChecks):
    def closing(self):
        return self.page.run("return closing.size")

    def check_undo_key_discards_no_draft(self):
        page = self.page
        self.begin()
        page.press("n")
        page.fill("firstName", "Unfinished")
        page.press(Keys.ESCAPE)
        self.toast("not saved")
        page.press("u", "n")
        page.wait(lambda: page.all(".form"), "the form does not open")
        assert page.value("firstName") == "Unfinished", "the key for undo discards the draft"
        page.press(Keys.ESCAPE)
        page.click(".toast .button")
        page.press("n")
        page.wait(lambda: page.value("firstName") == "", "the draft is not discarded")

    def check_message_stays_while_it_is_used(self):
        contact = self.add(firstName="Mia", lastName="Message")
        page = self.page
        page.run(COUNT)
        self.show(contact)
        page.click(".card-actions .danger")
        self.toast("Mia Message")
        assert self.closing() == 1
        ActionChains(page.driver).move_to_element(page.one(".toast")).perform()
        page.wait(lambda: self.closing() == 0, "the message closes under the pointer")
        page.tab_to(".toast .button")
        page.press(Keys.TAB)
        assert self.closing() == 0, "the focus moves inside the message, and it closes"
        ActionChains(page.driver).move_to_element(page.one("#list")).perform()
        assert self.closing() == 0, "the message closes while it has the focus"
        ActionChains(page.driver).move_to_element(page.one(".toast")).perform()
        page.run("document.activeElement.blur()")
        assert self.closing() == 0, "the message closes under the pointer"
        ActionChains(page.driver).move_to_element(page.one("#list")).perform()
        page.wait(lambda: self.closing() == 1, "the message stays for ever")
