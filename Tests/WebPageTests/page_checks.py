"""The common part of the checks of the page."""


class PageChecks:
    """What all checks need. A check is a method whose name begins with `check_`; what it returns is printed."""

    def __init__(self, page, agent, other, pictures):
        self.page, self.agent, self.other, self.pictures = page, agent, other, pictures
        self.added = []

    def add(self, **fields):
        contact = self.agent.add(**fields)
        self.added.append(contact["id"])
        self.page.wait(lambda: self.other.exists(contact["id"]), "the other device does not get the contact")
        return contact

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
