"""The common part of the checks of the page."""

import contextlib
import os
import tempfile
import urllib.parse

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from photos import landscape
from service_manager import ServiceManager

ANYTHING = "#list .state, #list [role=option]"


class PageChecks:
    """What all checks of the page need."""

    def __init__(self, page, agents, household, pictures):
        self.page, self.household, self.pictures = page, household, pictures
        self.agent, self.other, self.friend = agents
        self.added, self.posted, self.files = [], [], []

    def prepare(self):
        self.forget_drafts()
        self.page.start_again()

    def forget_drafts(self):
        """Removes what an earlier check has typed and not saved."""
        page = self.page
        page.go("/")
        page.wait(lambda: not page.run("return Object.keys(sessionStorage).some((key) => key.startsWith('draft:'))"),
                  "a draft is not sent")
        for draft in self.drafts():
            self.agent.call("DELETE", f"/v1/drafts/{draft['id']}")

    def drafts(self):
        return self.agent.call("GET", "/v1/drafts")["drafts"]

    def verify(self):
        errors = self.page.errors()
        assert not errors, errors

    def keep_failure(self, name):
        if self.pictures:
            self.page.driver.save_screenshot(os.path.join(self.pictures, f"failed-{name}.png"))
        self.page.errors()
        self.household.close()

    def add(self, **fields):
        contact = self.agent.add(**fields)
        self.added.append(contact["id"])
        self.page.wait(lambda: self.other.exists(contact["id"]), "the other device does not get the contact")
        return contact

    @contextlib.contextmanager
    def page_of(self, device):
        """The page of another device, in a browser of its own."""
        page = self.page.another(self.household.link(device), ANYTHING)
        try:
            yield page
            errors = page.errors()
            assert not errors, errors
        except Exception:
            if self.pictures:
                page.driver.save_screenshot(os.path.join(self.pictures, f"failed-{device}.png"))
            raise
        finally:
            page.close()

    @contextlib.contextmanager
    def managed(self, device):
        """An agent that is started as systemd does, with an account of its own."""
        household = self.household
        program = os.path.join(household.programs, "contactsd")
        manager = ServiceManager(
            [program, "--state", household.path(device), "--device", device, "--socket", household.path(f"{device}.sock"),
             "--broker", household.path("broker.sock"), "--account", "ada"], household.path(f"{device}.log"))
        manager.start()
        try:
            yield manager
        finally:
            manager.close()

    def post(self, caption, agent=None, photo=None):
        """Posts a photo, and waits until the page's agent has it."""
        agent = agent or self.agent
        made = agent.call("POST", f"/v1/posts?caption={urllib.parse.quote(caption)}", content=photo or landscape(48, 32))
        self.posted.append((agent, made["id"]))
        self.page.wait(lambda: self.agent.has(f"/v1/posts/{made['id']}"), "the post does not arrive")
        return made

    def begin(self):
        """Goes to the list, without the focus anywhere."""
        self.page.run("document.activeElement.blur()")
        self.page.go("/")
        self.page.wait(lambda: self.page.one("#list").is_displayed(), "the list is not shown")

    def show(self, contact):
        self.page.run("document.activeElement.blur()")
        self.page.go(f"/contact/{contact['id']}")
        self.page.wait(lambda: self.page.text("#card-name") == contact["name"], "the card is not shown")

    def clean_up(self):
        """Removes what the check has added: the next one does not depend on it."""
        for identifier in self.added:
            if self.agent.exists(identifier):
                self.agent.call("DELETE", f"/v1/contacts/{identifier}?acknowledged=true")
        for agent, identifier in self.posted:
            if agent.has(f"/v1/posts/{identifier}"):
                agent.call("DELETE", f"/v1/posts/{identifier}")
        self.added, self.posted = [], []

    def toast(self, text):
        self.page.wait(lambda: text in self.page.text(".toast"), f"no toast says “{text}”")

    def has_focus(self):
        """Whether the focus is on something that the user sees."""
        return self.page.run(
            "const e = document.activeElement; return e !== document.body && e.checkVisibility()")

    def focus_is(self, selector):
        return self.page.run("return document.activeElement.matches(arguments[0])", selector)

    def tab_back_to(self, selector, most=40):
        for _ in range(most):
            if self.focus_is(selector):
                return
            self.page.press_together(Keys.SHIFT, Keys.TAB)
        raise AssertionError(f"{selector} is not reached by Shift+Tab")

    def choose(self, content):
        """Presses Enter on the button with the focus, and chooses a file in the browser's dialog."""
        page = self.page
        page.driver.execute_cdp_cmd("Page.setInterceptFileChooserDialog", {"enabled": True})
        # The browser reads the file later.
        file = tempfile.NamedTemporaryFile(suffix=".png")
        self.files.append(file)
        file.write(content)
        file.flush()
        page.run("window.opened = new Promise((resolve) => document.addEventListener('click', (event) => {"
                 " if (event.target.matches('input[type=file]')) resolve(true); }, { capture: true }))")
        page.press(Keys.ENTER)
        assert page.driver.execute_async_script("opened.then(arguments[0])"), "no file can be chosen"
        page.driver.find_element(By.CSS_SELECTOR, "dialog input[type=file], .photo-editor input").send_keys(file.name)
        page.driver.execute_cdp_cmd("Page.setInterceptFileChooserDialog", {"enabled": False})
