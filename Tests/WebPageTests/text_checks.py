"""Checks of texts of any script and direction, of hostile ones, and of unusual settings of the browser (W2, W5)."""

import os

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks
from photos import landscape
from view_checks import CARD, PLACE, VIEWS

MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script><b>{{1}}${2}'
BIDI = "\u202eevil\u2066<i>x"
CONTROL = "bell\u0007 null-like\u001b[31m tab\t end"
NAMES = [
    ("Arabic", "ليلى", "الخطيب"), ("Hebrew", "נועה", "בן־דוד"), ("Chinese", "小龍", "王"), ("Devanagari", "क्षितिज", "श्रीवास्तव"),
    ("Emoji", "👩‍👩‍👧‍👦", "🇸🇪 Familj"), ("Thai", "สมชาย", "ใจดี"), ("Combining", "Z̴͚̖͚͐a̸l̷g̸o̷", "Ňâmé"),
]


class TextChecks(PageChecks):
    def check_hostile_values_in_every_view(self):
        page = self.page
        contact = self.add(
            firstName=MARKUP, lastName=BIDI, company=MARKUP, nickname=BIDI, note="1 MB " + "x" * 999_000,
            phones=[{"label": MARKUP, "value": "+1 555 0123"}], emails=[{"label": BIDI, "value": "a@example.org"}],
            urls=[{"label": "", "value": "javascript:alert(1)"}, {"label": "", "value": "data:text/html,<script>1</script>"}])
        lost = self.add(firstName=MARKUP, lastName="Lost")
        self.other.call("DELETE", f"/v1/contacts/{lost['id']}?acknowledged=true")
        group = self.agent.call("POST", "/v1/groups", {"title": MARKUP + BIDI})
        self.rename(self.friend, MARKUP[:200])
        self.name_device(self.other, BIDI)
        page.wait(lambda: not self.agent.exists(lost["id"]), "the deletion does not arrive")
        try:
            post = self.post(MARKUP + "\n" + BIDI, self.friend)
            texts = [text for text in (MARKUP, BIDI, CONTROL, "y" * 16_000) if self.comment(post, text)]
            page.wait(lambda: self.agent.call("GET", f"/v1/posts/{post['id']}")["commentCount"] == 1 + len(texts), "no comments")
            views = [
                ("list", f"/group/{group['id']}", ".pane-title"), ("card", f"/contact/{contact['id']}", ".card-view"),
                ("form", f"/contact/{contact['id']}/edit", ".form"), ("trash", "/trash", ".card-row"),
                ("timeline", "/timeline", ".feed .post"), ("post", f"/timeline/{post['id']}", ".comment"),
            ]
            for width in (1280, 320):
                page.resize(width, 800)
                for name, route, ready in views:
                    page.go(route)
                    page.wait(lambda: page.all(ready), f"{route} shows nothing")
                    self.look_for_harm(f"hostile-{name}-{width}")
            page.resize(1280, 900)
            page.go("/")
            page.press("/", MARKUP + " nothing")
            page.wait(lambda: page.all(".list-state .state"), "the search finds something")
            self.look_for_harm("hostile-search")
            page.press(Keys.ESCAPE)
            page.go(f"/contact/{contact['id']}")
            page.click(".card-actions .danger")
            page.wait(lambda: page.all(".toast"), "nothing says that the contact is deleted")
            self.look_for_harm("hostile-toast")
            assert not page.run("return /[\\u202a-\\u202e]/.test(document.querySelector('.toast p').textContent)"), \
                "a name turns the sentence around"
        finally:
            page.resize(1280, 900)
            self.agent.call("DELETE", f"/v1/groups/{group['id']}?contacts=delete")
            self.rename(self.friend, "grace")
            self.name_device(self.other, "")

    def check_every_script(self):
        page = self.page
        for script, first, last in NAMES:
            contact = self.add(firstName=first, lastName=last, note=f"{first} {last}")
            page.go("/")
            page.press("/")
            page.press_together(Keys.CONTROL, "a")
            page.press(first if script != "Emoji" else "Familj")
            page.wait(lambda: page.all("#list .row[id]") and page.text("#list .row-name") == contact["name"],
                      f"the search does not find {script}")
            self.show(contact)
            self.picture(f"script-{script.lower()}")
        page.press("/", Keys.ESCAPE)
        post = self.post(" ".join(f"{first} {last}" for _, first, last in NAMES), photo=landscape(90, 60, 0.4))
        page.go(f"/timeline/{post['id']}")
        page.wait(lambda: page.all(".post-view .photo.shown"), "the post is not shown")
        self.picture("script-post")

    def check_right_to_left(self):
        views = self.views()
        page = self.page
        page.run("document.documentElement.dir = 'rtl'")
        try:
            found = []
            for width, height in ((1280, 900), (768, 1024), (320, 640)):
                page.resize(width, height)
                for name, route, ready in views:
                    found += self.look(f"rtl-{name}-{width}", route, ready)
                    found += self.outside(f"rtl-{name}-{width}")
                if width == 1280:
                    page.go("/")
                    assert page.run(
                        "const left = (id) => document.getElementById(id).getBoundingClientRect().left;"
                        "return left('groups') > left('list') && left('list') > left('card')"), "the panes are not mirrored"
                page.click(".status-button")
                found += self.outside(f"rtl-status-{width}")
                self.picture(f"rtl-status-{width}")
                page.press(Keys.ESCAPE)
            assert not found, "\n".join(map(str, found))
        finally:
            page.run("document.documentElement.dir = 'ltr'")
            page.resize(1280, 900)

    def check_second_language(self):
        views = self.views()
        page = self.page
        self.agent.call("PUT", "/v1/settings/page-language", {"value": "sv"})
        page.run("location.reload()")
        try:
            page.wait(lambda: page.text("#title") == "Kontakter", "the page is not in Swedish")
            found = []
            for width, scheme in ((320, "light"), (1280, "dark")):
                page.resize(width, 800, scheme)
                for name, route, ready in views:
                    found += self.look(f"sv-{name}-{width}", route, ready)
                    found += self.outside(f"sv-{name}-{width}")
            assert not found, "\n".join(map(str, found))
        finally:
            page.resize(1280, 900)
            self.agent.call("DELETE", "/v1/settings/page-language")
            page.run("location.hash = '/'; location.reload()")
            page.wait(lambda: page.text("#title") == "Contacts", "the page is not in English again")

    def check_zoom_and_forced_colours(self):
        views = self.views()
        page = self.page
        found = []
        try:
            # Twice the size leaves half the pixels.
            page.resize(640, 450, scale=2)
            for name, route, ready in views:
                found += self.look(f"zoom-{name}", route, ready)
                found += self.outside(f"zoom-{name}")
            for scheme in ("light", "dark"):
                page.resize(1280, 900, scheme, forced=True)
                for name, route, ready in views:
                    found += self.look(f"forced-{name}-{scheme}", route, ready)
            moving = page.run(
                "return document.getAnimations().filter((a) => a.playState === 'running').map((a) => a.animationName ?? a.transitionProperty)")
            assert not moving, f"reduced motion still moves {moving}"
        finally:
            page.resize(1280, 900)
        assert not found, "\n".join(map(str, found))

    # Views

    def views(self):
        contact = self.add(
            firstName="Ada", lastName="Accessible-Overlong-Surname-Without-A-Break", company="Works", emergency=True, note="ملاحظة",
            phones=[{"label": "home", "value": "+1 555 0100"}], emails=[{"label": "", "value": "ada@example.org"}],
            addresses=[{"label": "work", "street1": "Main Street 1", "city": "Austin"}])
        post = self.post("A caption", self.friend, landscape(90, 60))
        self.friend.call("POST", f"/v1/posts/{post['id']}/comments", {"text": "A comment"})
        card = f"/contact/{contact['id']}"
        return [
            ("card", card, CARD), ("form", card + "/edit", ".form"), *VIEWS, ("timeline", "/timeline", ".feed .photo.shown"),
            ("post", f"/timeline/{post['id']}", ".post-view .photo.shown"),
        ]

    def outside(self, name):
        """The visible controls that lie outside of the window, where no scrolling leads."""
        found = self.page.run(
            "return [...document.querySelectorAll('button, a, input, select, textarea')].filter((e) => {"
            " const r = e.getBoundingClientRect();"
            " return e.checkVisibility() && r.width > 2 && !e.closest('.visually-hidden') && !e.matches('.visually-hidden')"
            "  && (r.left < -1 || r.right > innerWidth + 1); }).map((e) => e.outerHTML.slice(0, 120))")
        return [(name, "outside", control) for control in found]

    def picture(self, name):
        if self.pictures:
            self.page.driver.save_screenshot(os.path.join(self.pictures, f"{name}.png"))

    def look_for_harm(self, name):
        page = self.page
        self.picture(name)
        assert page.driver.title == "Contacts", f"{name}: a value has run as a program"
        made = page.run(
            "return [...document.querySelectorAll('main script, main b, main i, main img:not(.photo > img), a[href^=javascript],"
            " a[href^=data]')].map((e) => e.outerHTML.slice(0, 80))")
        assert not made, f"{name}: {made}"
        assert not page.scrolls_sideways(), f"{name} scrolls sideways"
        assert not self.outside(name), self.outside(name)
        loose = page.run(
            "const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT), found = [];"
            "while (walker.nextNode()) { const { parentElement: e, data } = walker.currentNode;"
            " if (data.includes('\\u202e') && !/isolate|plaintext/.test(getComputedStyle(e).unicodeBidi)"
            "  && !e.closest('[dir=auto]')) found.push(e.outerHTML.slice(0, 120)); } return found")
        assert not loose, f"{name}: a value can turn its neighbours around: {loose}"

    def comment(self, post, text):
        """Comments as the friend, unless the agent rejects the text."""
        try:
            return self.friend.call("POST", f"/v1/posts/{post['id']}/comments", {"text": text})
        except AssertionError as error:
            assert "422" in str(error) or "400" in str(error), error
            return None

    def rename(self, agent, name):
        agent.call("PATCH", "/v1/whoami", {"account": {"displayName": name}})

    def name_device(self, agent, name):
        agent.call("PATCH", "/v1/whoami", {"device": {"name": name}})
