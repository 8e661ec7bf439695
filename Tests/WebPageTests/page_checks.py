"""The common part of the checks of the page."""

import contextlib
import os

ANYTHING = "#list .state, #list [role=option]"


class PageChecks:
    """What all checks need. A check is a method whose name begins with `check_`; what it returns is printed."""

    def __init__(self, page, agent, other, pictures, household):
        self.page, self.agent, self.other, self.pictures, self.household = page, agent, other, pictures, household
        self.added = []

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

    def show(self, contact):
        self.page.run("document.activeElement.blur()")
        self.page.go(f"/contact/{contact['id']}")
        self.page.wait(lambda: self.page.text("#card-name") == contact["name"], "the card is not shown")

    def clean_up(self):
        for identifier in self.added:
            if self.agent.exists(identifier):
                self.agent.call("DELETE", f"/v1/contacts/{identifier}?acknowledged=true")

    def toast(self, text):
        self.page.wait(lambda: text in self.page.text(".toast"), f"no toast says “{text}”")
