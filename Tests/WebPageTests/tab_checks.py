"""Checks of several tabs, and of an agent that ends and comes back (W3, N4)."""

from page_checks import PageChecks
from program import Program


class TabChecks(PageChecks):
    def check_twelve_tabs(self):
        contact = self.add(firstName="Tab", lastName="0")
        page = self.page
        with self.tabs() as tabs:
            for _ in range(11):
                tabs.open(f"/contact/{contact['id']}")
                page.wait(lambda: page.text("#card-name") == "Tab 0", "a tab does not load")
            self.other.change(contact["id"], lastName="1")
            for handle in tabs.opened:
                page.driver.switch_to.window(handle)
                page.wait(lambda: page.text("#card-name") == "Tab 1", "a tab does not hear of a change")

    def check_agent_killed_and_back(self):
        edited = self.add(firstName="Edna", lastName="Before", company="Old Works")
        deleted = self.add(firstName="Goner", lastName="Soon")
        post = self.post("Before the end")
        page = self.page
        self.show(edited)
        page.press("e")
        page.fill("lastName", "Half-typed")
        program = Program(self.household.folder, "laptop")
        with self.tabs() as tabs:
            tabs.open("/")
            page.wait(lambda: self.count_of("Goner Soon") == 1, "the list does not load")
            tabs.open(f"/timeline/{post['id']}")
            page.wait(lambda: page.all(".post-view .photo.shown"), "the post does not load")
            page.one(".post-side > .text-form textarea").send_keys("Half a comment")
            milliseconds = page.timed(program.kill, self.says_that_the_agent_is_gone, "the page does not say it")
            for handle in tabs.all:
                page.driver.switch_to.window(handle)
                page.wait(self.says_that_the_agent_is_gone, "a tab does not say it")
            added = self.change_meanwhile(edited, deleted, post)
            program.start()
            self.look_for_changes(tabs, added)
        page.wait(lambda: page.text(".status-label") == "Up to date", "the first tab does not go on")
        page.wait(lambda: page.value("company") == "New Works", "the form misses the other device's text")
        assert page.value("lastName") == "Half-typed", "the half-typed text is lost"
        page.click(".form-heading .primary")
        page.wait(lambda: page.text("#card-name") == "Edna Half-typed", "the form cannot be saved")
        return f"{milliseconds:.0f} ms until the page says it"

    def check_place_without_the_agent(self):
        page = self.page
        program = Program(self.household.folder, "laptop")
        with self.tabs() as tabs:
            tabs.open("/")
            page.wait(lambda: page.all("#list .row"), "the list does not load")
            program.kill()
            try:
                page.wait(self.says_that_the_agent_is_gone, "the page does not say it")
                page.press("g", "t")
                page.wait(lambda: "does not answer" in page.text(".place-content .state"), "the place does not say it")
            finally:
                program.start()
            page.wait(lambda: page.all(".feed .post, .timeline-empty"), "the place does not open by itself")
            page.errors()

    def change_meanwhile(self, edited, deleted, post):
        self.other.change(edited["id"], company="New Works")
        self.other.call("DELETE", f"/v1/contacts/{deleted['id']}?acknowledged=true")
        added = self.other.add(firstName="Meanwhile", lastName="Added")
        self.added.append(added["id"])
        self.page.wait(lambda: self.friend.has(f"/v1/posts/{post['id']}"), "the post does not arrive")
        self.friend.call("POST", f"/v1/posts/{post['id']}/comments", {"text": "Said meanwhile"})
        return added

    def look_for_changes(self, tabs, added):
        page = self.page
        listing, timeline = tabs.opened
        page.driver.switch_to.window(listing)
        page.wait(lambda: page.text(".status-label") == "Up to date", "the page does not go on")
        page.wait(lambda: self.count_of("Meanwhile Added") == 1, "the added contact is not there once")
        page.wait(lambda: self.count_of("Goner Soon") == 0, "the deleted contact is still there")
        page.go(f"/contact/{added['id']}")
        page.wait(lambda: page.text("#card-name") == "Meanwhile Added", "the added contact cannot be opened")
        page.driver.switch_to.window(timeline)
        page.wait(lambda: [text.text for text in page.all(".comment-text")] == ["Said meanwhile"], "the comment is not there once")
        assert page.value_of(".post-side > .text-form textarea") == "Half a comment"

    def says_that_the_agent_is_gone(self):
        return self.page.text(".status-label") == "No answer from the agent"

    def count_of(self, name):
        return [row.text for row in self.page.all("#list .row-name")].count(name)

    def tabs(self):
        return Tabs(self.page)


class Tabs:
    """Further tabs of the browser, until the end of a `with`."""

    def __init__(self, page):
        self.page = page
        self.address = page.driver.current_url.split("#")[0]
        self.session = page.run("return sessionStorage.getItem('session')")
        self.first = page.driver.current_window_handle
        self.opened = []

    @property
    def all(self):
        return [self.first, *self.opened]

    def open(self, route):
        """Opens the page in a tab of its own, with the session of the first."""
        driver = self.page.driver
        driver.switch_to.new_window("tab")
        self.opened.append(driver.current_window_handle)
        driver.get(self.address + "style.css")
        self.page.run("sessionStorage.setItem('session', arguments[0])", self.session)
        driver.get(f"{self.address}#{route}")

    def close(self):
        """Closes the last tab as a user does, and goes to the first."""
        self.page.driver.close()
        self.opened.pop()
        self.page.driver.switch_to.window(self.first)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for handle in self.opened:
            self.page.driver.switch_to.window(handle)
            self.page.driver.close()
        self.page.driver.switch_to.window(self.first)
