"""Looks at every view, light and dark, in several widths (W2)."""

import os
import time

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks

CARD = "#card .card-view, #card .form, #card .state"
PLACE = ".place-content > :not(.loading)"

SIZES = ((1280, 900), (768, 1024), (320, 640))

# The name of each view, its route, and what it shows when it is complete.
VIEWS = [
    ("list", "/", CARD), ("groups", "/groups", "#groups .group"), ("new", "/new", CARD),
    ("gone", "/contact/aaaaaaaaaaaaaaaa", CARD), ("trash", "/trash", PLACE),
    ("conflicts", "/conflicts", PLACE), ("duplicates", "/duplicates", PLACE), ("actions", "/actions", PLACE),
    ("transfer", "/transfer", PLACE), ("drafts", "/drafts", PLACE),
]


class ViewChecks(PageChecks):
    def check_every_view_is_accessible(self):
        contact = self.add(
            firstName="Ada", lastName="Accessible", company="Works", emergency=True, note="A note.",
            birthday="1984-06-05", phones=[{"label": "home", "value": "+1 555 0100"}],
            emails=[{"label": "", "value": "ada@example.org"}],
            addresses=[{"label": "work", "street1": "Main Street 1", "city": "Austin"}])
        card = f"/contact/{contact['id']}"
        incarnation = self.agent.call("GET", "/v1/drafts")["incarnation"]
        self.agent.call("PUT", "/v1/drafts/looked-at", {
            "incarnation": incarnation, "kind": "contact", "title": "Ada Accessible", "address": "/new", "sequence": 1,
            "base": {}, "texts": {"firstName": "Ada", "note": "Half a sentence, and a LongWordWithoutAnyBreak" * 9}})
        views = [("card", card, CARD), ("form", card + "/edit", CARD), *VIEWS]
        found = []
        for width, height in SIZES:
            for scheme in ("light", "dark"):
                self.page.resize(width, height, scheme)
                for view, route, ready in views:
                    found += self.look(f"{view}-{width}-{scheme}", route, ready)
                found += self.look_at_search(width, scheme)
        self.page.resize(1280, 900, forced=True)
        found += self.look("card-forced", card, CARD)
        self.page.resize(1280, 900)
        assert not found, "\n".join(map(str, found))

    def check_languages_have_the_same_texts(self):
        keys = self.page.driver.execute_async_script(
            "const done = arguments[0]; Promise.all(['en', 'sv'].map((code) => import(`./texts-${code}.js`)))"
            ".then((files) => done(files.map((file) => Object.keys(file.default))))")
        english, swedish = map(set, keys)
        # Labels of English are translated; they are their own English texts.
        missing = english - swedish
        extra = {key for key in swedish - english if not key.startswith("label.")}
        assert not missing and not extra, (missing, extra)

    def check_many_groups(self):
        titles = [f"Group {number} of a very long list of groups, with a title of many words" for number in range(30)]
        titles += ["ALongTitleWithoutAnyBreak" * 8, "مجموعة العائلة والأصدقاء"]
        groups = [self.agent.call("POST", "/v1/groups", {"title": title}) for title in titles]
        try:
            found = []
            for width, scheme in ((1280, "light"), (768, "dark"), (320, "light")):
                self.page.resize(width, 700, scheme)
                found += self.look(f"many-groups-{width}", "/groups" if width < 1000 else "/", "#groups .group")
                assert self.page.run(
                    "return document.querySelector('[data-key=\"place/trash\"]').getBoundingClientRect().bottom <= innerHeight"
                ), "the places are not in view"
            group = groups[-2]["id"]
            self.page.resize(1280, 700)
            found += self.look("long-title", f"/group/{group}", ".list-state .state")
            assert not found, "\n".join(map(str, found))
        finally:
            self.page.resize(1280, 900)
            for group in groups:
                self.agent.call("DELETE", f"/v1/groups/{group['id']}?contacts=delete")

    def look(self, name, route, ready):
        page = self.page
        page.go(route)
        page.wait(lambda: page.all(ready), f"{route} shows nothing")
        return self.judge(name)

    def look_at_search(self, width, scheme):
        page = self.page
        page.go("/")
        page.press("/")
        page.press("no such person")
        page.wait(lambda: page.all(".list-state .state"), "an empty search shows nothing")
        found = self.judge(f"nothing-{width}-{scheme}")
        page.click(".list-state .button")
        page.click(".status-button")
        found += self.judge(f"status-{width}-{scheme}")
        page.press(Keys.ESCAPE)
        return found

    def look_at(self, name):
        """Judges the present view in every width, light and dark."""
        found = []
        for width, height in SIZES:
            for scheme in ("light", "dark"):
                self.page.resize(width, height, scheme)
                found += self.judge(f"{name}-{width}-{scheme}")
        self.page.resize(1280, 900)
        return found

    def judge(self, name, page=None):
        page = page or self.page
        time.sleep(0.15 if self.pictures else 0)
        if self.pictures:
            page.driver.save_screenshot(os.path.join(self.pictures, f"{name}.png"))
        problems = [(name, *violation) for violation in page.violations()]
        if page.scrolls_sideways():
            problems.append((name, "scrolls sideways"))
        return problems
