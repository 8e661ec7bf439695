"""Checks of the timeline (W1)."""

import os

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks
from photos import landscape, noise
from program import Program


class TimelineChecks(PageChecks):
    def comments(self, post):
        return [comment["text"] for comment in self.agent.call("GET", f"/v1/posts/{post['id']}")["comments"]]

    def show_post(self, post):
        self.page.run("document.activeElement.blur()")
        self.page.go(f"/timeline/{post['id']}")
        self.page.wait(lambda: self.page.all(".post-view .photo.shown"), "the post is not shown")

    def check_timeline_by_pointer(self):
        post = self.post("Behind the waterfall", self.friend)
        page = self.page
        page.go("/")
        page.click(".group[data-key='place/timeline']")
        page.wait(lambda: page.all(f".post[data-id='{post['id']}'] .photo.shown"), "the photo is not shown")
        assert page.text(f".post[data-id='{post['id']}'] h3") == post["authorName"]
        page.click(f".photo-open[data-key='post/{post['id']}']")
        page.wait(lambda: page.text(".post-view .post-caption") == "Behind the waterfall", "the post does not open")
        assert not page.all(".post-top .icon-button"), "another person's post can be edited"
        page.one(".post-side > .text-form textarea").send_keys("Where is that?")
        page.click(".post-side > .text-form .primary")
        page.wait(lambda: page.text(".comment-text") == "Where is that?", "the comment is not shown")
        assert self.comments(post) == ["Behind the waterfall", "Where is that?"]
        page.click("[data-key='follow/author']")
        page.wait(lambda: page.all("[data-key='follow/author'][aria-pressed=true]"), "the author is not followed")
        assert self.agent.call("GET", f"/v1/posts/{post['id']}/follow")["followingAuthor"]
        page.click("[data-key='follow/author']")
        page.wait(lambda: page.all("[data-key='follow/author'][aria-pressed=false]"), "following does not end")
        page.click("#place .back")
        page.wait(lambda: page.text(f".post[data-id='{post['id']}'] .post-comments") == "1 comment", "the feed is not back")

    def check_timeline_by_keyboard(self):
        post = self.post("My own photo")
        page = self.page
        self.begin()
        page.press("g", "t")
        page.wait(lambda: page.focus() == "place", "the timeline has not the focus")
        page.wait(lambda: page.all(f".post[data-id='{post['id']}']"), "the feed has not the post")
        page.tab_to(f".photo-open[data-key='post/{post['id']}']")
        page.press(Keys.ENTER)
        page.wait(lambda: page.focus() == "post-author", f"the post has not the focus, but “{page.focus()}”")
        page.press("e")
        page.wait(lambda: page.run("return document.activeElement.value") == "My own photo", "the caption is not edited")
        page.press(Keys.END, ", edited")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.text(".post-caption") == "My own photo, edited", "the caption is not saved")
        page.wait(lambda: self.focus_is("[aria-keyshortcuts=e]"), "saving loses the focus")
        page.tab_to(".post-side > .text-form textarea")
        page.press("First")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.text(".comment-text") == "First", "the comment is not sent")
        page.press("Second")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: len(page.all(".comment")) == 2, "the second comment is not sent")
        page.wait(lambda: self.agent.call("GET", "/v1/status")["waitingEdits"] == 0, "the comments are not sent")
        self.tab_back_to(".comment:first-child .icon-button:first-child")
        page.press(Keys.ENTER)
        page.press("!")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: "First!" in self.comments(post), "the comment is not edited")
        page.wait(lambda: self.focus_is(".comment:first-child .icon-button:first-child"), "editing loses the focus")
        page.press(Keys.TAB, Keys.ENTER)
        page.wait(lambda: page.all("dialog[open]"), "nothing asks before the deletion")
        page.press(Keys.TAB, Keys.ENTER)
        page.wait(lambda: self.comments(post) == ["My own photo, edited", "Second"], "the comment is not deleted")
        page.wait(lambda: self.focus_is(".comment .icon-button"), "deleting loses the focus")
        page.press(Keys.ESCAPE)
        page.wait(lambda: self.focus_is(f"[data-key='post/{post['id']}']"), "going back loses the focus")
        page.press(Keys.ENTER)
        page.wait(lambda: page.focus() == "post-author", "the post does not open again")
        page.tab_to(".post-top .danger")
        page.press(Keys.ENTER, Keys.TAB, Keys.ENTER)
        page.wait(lambda: not self.agent.has(f"/v1/posts/{post['id']}"), "the post is not deleted")
        page.wait(lambda: page.run("return document.activeElement !== document.body"), "the deletion loses the focus")

    def check_post_by_keyboard(self):
        page = self.page
        page.go("/timeline")
        page.wait(lambda: page.all(".place-tools [aria-keyshortcuts=n], .timeline-empty"), "the timeline is not shown")
        page.run("document.activeElement.blur()")
        page.press("n")
        page.wait(lambda: self.focus_is(".drop-area button"), "the dialog has not the focus")
        self.choose(landscape(2600, 40))
        page.wait(lambda: page.all(".drop-area img"), "the photo is not taken")
        page.wait(lambda: page.focus() == "post-caption", "the caption has not the focus")
        page.press("Wide view")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all("dialog"), "Escape does not close the dialog")
        page.press("n")
        page.wait(lambda: page.value_of("#post-caption") == "Wide view" and page.all(".drop-area img"), "the post is not kept")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.text(".feed .post:first-child .post-caption") == "Wide view", "the post is not shown")
        made = self.agent.call("GET", "/v1/posts?limit=1")["posts"][0]
        self.posted.append((self.agent, made["id"]))
        photo = made["photo"]
        assert (photo["type"], photo["width"], photo["height"]) == ("image/jpeg", 2048, 32), photo
        page.wait(lambda: self.focus_is("[aria-keyshortcuts=n]"), "posting loses the focus")

    def check_post_by_drop_and_paste(self):
        page = self.page
        page.go("/timeline")
        page.wait(lambda: page.all(".place-tools [aria-keyshortcuts=n]"), "the timeline is not shown")
        self.give("drop", ".place-content", "image/svg+xml")
        page.wait(lambda: "cannot read" in page.text(".composer .problem"), "a drawing is taken")
        self.give("drop", ".composer", "image/png")
        page.wait(lambda: page.all(".drop-area img"), "a dropped picture is not taken")
        page.click(".composer .primary")
        page.wait(lambda: "caption" in page.text(".composer .problem"), "an empty caption is taken")
        page.one("#post-caption").send_keys("Dropped")
        page.click(".composer .quiet")
        page.wait(lambda: not page.all("dialog"), "the post is not discarded")
        self.give("paste", "body", "image/png")
        page.wait(lambda: page.all(".drop-area img") and page.value_of("#post-caption") == "", "nothing is pasted")
        page.one("#post-caption").send_keys("Pasted")
        page.click(".composer .primary")
        page.wait(lambda: page.text(".feed .post:first-child .post-caption") == "Pasted", "the post is not shown")
        self.posted.append((self.agent, self.agent.call("GET", "/v1/posts?limit=1")["posts"][0]["id"]))

    def check_lost_replies_send_nothing_twice(self):
        post = self.post("Lost and found", self.friend)
        page = self.page
        self.show_post(post)
        page.disturb("POST", "/comments$", "lose")
        page.one(".post-side > .text-form textarea").send_keys("Only once")
        page.click(".post-side > .text-form .primary")
        page.wait(lambda: "text is kept" in page.text(".text-form .problem"), "the form does not say that nothing was saved")
        page.settle()
        page.click(".post-side > .text-form .primary")
        page.wait(lambda: page.value_of(".post-side > .text-form textarea") == "", "the comment is not sent again")
        page.wait(lambda: page.text(".comment-text") == "Only once", "the comment is not shown")
        assert self.comments(post) == ["Lost and found", "Only once"], "the comment is sent twice"
        # A comment that was sent is not sent again because the post cannot be read.
        page.disturb("GET", f"/v1/posts/{post['id']}$", "refuse")
        page.one(".post-side > .text-form textarea").send_keys("Unread")
        page.click(".post-side > .text-form .primary")
        page.wait(lambda: page.disturbed() > 0, "the post is not read again")
        page.settle()
        page.wait(lambda: not page.all(".post-side > .text-form [aria-disabled]"), "the form does not go on")
        assert page.value_of(".post-side > .text-form textarea") == "", "the sent comment comes back"
        # A photo, over a dialog that was closed.
        page.go("/timeline")
        page.wait(lambda: page.all(".place-tools [aria-keyshortcuts=n]"), "the timeline is not shown")
        self.give("paste", "body", "image/png")
        page.wait(lambda: page.all(".drop-area img"), "nothing is pasted")
        page.one("#post-caption").send_keys("Posted once")
        page.disturb("POST", "/v1/posts", "lose")
        page.click(".composer .primary")
        page.wait(lambda: "are kept" in page.text(".composer .problem"), "the dialog does not say that nothing was posted")
        page.settle()
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all("dialog"), "Escape does not close the dialog")
        page.press("n")
        page.wait(lambda: page.all(".composer[open]"), "the dialog does not open")
        page.click(".composer .primary")
        page.wait(lambda: not page.all("dialog"), "the photo is not posted")
        posts = [each for each in self.agent.call("GET", "/v1/posts")["posts"] if each["caption"] == "Posted once"]
        self.posted += [(self.agent, each["id"]) for each in posts]
        assert len(posts) == 1, "the photo is posted twice"

    def check_post_stays_as_it_is_while_it_is_sent(self):
        page = self.page
        page.go("/timeline")
        page.wait(lambda: page.all(".place-tools [aria-keyshortcuts=n]"), "the timeline is not shown")
        self.give("paste", "body", "image/png")
        page.wait(lambda: page.all(".drop-area img"), "nothing is pasted")
        page.one("#post-caption").send_keys("Slow")
        page.disturb("POST", "/v1/posts", "hold")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.disturbed() == 1, "the post is not sent")
        page.press("er")
        assert page.value_of("#post-caption") == "Slow", "the caption takes what is not sent"
        page.settle()
        page.wait(lambda: page.text(".feed .post:first-child .post-caption") == "Slow", "the post is not shown")
        self.posted.append((self.agent, self.agent.call("GET", "/v1/posts?limit=1")["posts"][0]["id"]))

    def check_edited_texts_say_so(self):
        post = self.post("Misspeled", self.friend)
        comment = self.friend.call("POST", f"/v1/posts/{post['id']}/comments", {"text": "Rihgt"})
        page = self.page
        self.show_post(post)
        page.wait(lambda: page.text(".comment-text") == "Rihgt", "the comment is not shown")
        assert "Edited" not in page.text(".post-view"), "a text that nobody edited is marked"
        self.friend.call("PATCH", f"/v1/comments/{comment['id']}", {"text": "Right"})
        page.wait(lambda: "Edited" in page.text(".comment-heading"), "the edited comment is not marked")
        self.friend.call("PATCH", f"/v1/posts/{post['id']}", {"caption": "Misspelled"})
        page.wait(lambda: "Edited" in page.text(".post-heading"), "the edited caption is not marked")
        assert not (found := self.judge("post-edited")), found

    def check_timeline_reads_on_after_a_failure(self):
        photo = landscape(24, 36)
        for number in range(23):
            self.post(f"Page {number}", photo=photo)
        page = self.page
        page.disturb("GET", "/v1/posts.*cursor", "refuse")
        page.go("/timeline")
        page.wait(lambda: page.all(".post"), "no post is shown")
        page.wait(lambda: page.run("const e = document.querySelector('.place-content'); e.scrollTop = e.scrollHeight;"
                                   " return document.querySelector('.feed-end .button') !== null"), "no failure is shown")
        page.settle()
        self.post("The newest", self.friend)
        page.wait(lambda: len(page.all(".post")) >= 24, "the timeline does not read on")

    def check_post_without_the_broker(self):
        page = self.page
        broker = Program(self.household.folder, "broker")
        page.go("/timeline")
        broker.kill()
        try:
            page.wait(lambda: "Offline" in page.text(".status-label"), "the page does not say that it is offline")
            post = self.post("Said offline")
            place = f".post[data-id='{post['id']}']"
            page.wait(lambda: page.text(f"{place} .sending") == "Waiting to be sent", "the post does not wait")
            self.show_post(post)
            page.one(".post-side > .text-form textarea").send_keys("And so is this")
            page.click(".post-side > .text-form .primary")
            page.wait(lambda: page.text(".comment .sending") == "Waiting to be sent", "the comment does not wait")
            if self.pictures:
                page.driver.save_screenshot(os.path.join(self.pictures, "timeline-offline.png"))
        finally:
            broker.start()
        page.wait(lambda: not page.run("return [...document.querySelectorAll('.sending')].some((e) => !e.hidden)"),
                  "the post is not sent")
        page.wait(lambda: self.friend.has(f"/v1/posts/{post['id']}"), "nobody else gets the post")

    def check_left_place_draws_nothing(self):
        """A place that is still reading when the user goes on must not draw over what is shown then."""
        post = self.post("Shown alone")
        page = self.page
        for _ in range(8):
            self.begin()
            page.run("location.hash = '/timeline'; setTimeout(() => { location.hash = '/trash'; "
                     "setTimeout(() => { location.hash = arguments[0]; }, 5); }, 30)", f"/timeline/{post['id']}")
            page.wait(lambda: page.all(".post-view .photo.shown"), "the post is not shown")
            assert not page.all(".place-content .feed, .place-content .cards"), "a place that was left is shown"

    def check_texts_survive_the_agent(self):
        post = self.post("Before the end", self.friend)
        page = self.page
        program = Program(self.household.folder, "laptop")
        page.go("/timeline")
        page.wait(lambda: page.all(".place-tools [aria-keyshortcuts=n]"), "the timeline is not shown")
        self.give("paste", "body", "image/png")
        page.wait(lambda: page.all(".drop-area img"), "nothing is pasted")
        page.one("#post-caption").send_keys("Not lost")
        program.kill()
        try:
            page.wait(lambda: page.text(".status-label") == "No answer from the agent", "the page does not say it")
            page.click(".composer .primary")
            page.wait(lambda: "are kept" in page.text(".composer .problem"), "the dialog does not say that nothing was posted")
        finally:
            program.start()
        page.wait(lambda: page.text(".status-label") == "Up to date", "the page does not go on")
        page.click(".composer .primary")
        page.wait(lambda: page.text(".feed .post:first-child .post-caption") == "Not lost", "the post is lost")
        posts = [each for each in self.agent.call("GET", "/v1/posts")["posts"] if each["caption"] == "Not lost"]
        self.posted += [(self.agent, each["id"]) for each in posts]
        assert len(posts) == 1, "the photo is posted twice"
        self.show_post(post)
        page.one(".post-side > .text-form textarea").send_keys("A comment")
        program.kill()
        try:
            page.wait(lambda: page.text(".status-label") == "No answer from the agent", "the page does not say it")
            page.click(".post-side > .text-form .primary")
            page.wait(lambda: "text is kept" in page.text(".text-form .problem"), "the form does not say that nothing was saved")
            assert page.value_of(".post-side > .text-form textarea") == "A comment"
        finally:
            program.start()
        page.wait(lambda: page.text(".status-label") == "Up to date", "the page does not go on")
        page.click(".post-side > .text-form .primary")
        page.wait(lambda: page.text(".comment-text") == "A comment", "the comment is lost")
        assert self.comments(post) == ["Before the end", "A comment"]

    def check_photo_that_is_not_there(self):
        page = self.page
        setting = "/v1/settings/photo-size"
        self.agent.call("PUT", setting, {"value": self.agent.call("GET", setting)["choices"][2]})
        broker = Program(self.household.folder, "broker")
        try:
            post = self.post("Too large for this device", self.friend, noise(1200, 800))
            assert not self.agent.call("GET", f"/v1/posts/{post['id']}")["photo"]["here"]
            broker.kill()
            page.wait(lambda: self.agent.call("GET", "/v1/status")["state"] != "live", "the agent does not notice")
            self.begin()
            page.go(f"/timeline/{post['id']}")
            page.wait(lambda: "not on this device" in page.text(".photo-missing"), "the page does not say so")
            if self.pictures:
                page.driver.save_screenshot(os.path.join(self.pictures, "timeline-missing.png"))
            broker.start()
            page.wait(lambda: page.all(".post-view .photo.shown"), "the photo is not read once the broker is there")
        finally:
            self.agent.call("DELETE", setting)

    def check_timeline_is_accessible(self):
        self.add_views()
        found = []
        for width, height in ((1280, 900), (768, 1024), (320, 640)):
            for scheme in ("light", "dark"):
                self.page.resize(width, height, scheme)
                for name, route, ready in self.timeline_views:
                    found += self.look(f"{name}-{width}-{scheme}", route, ready)
                    if name == "timeline":
                        self.page.press("n")
                        self.page.wait(lambda: self.page.all(".composer[open]"), "the dialog does not open")
                        found += self.judge(f"composer-{width}-{scheme}")
                        self.page.press(Keys.ESCAPE)
        self.page.resize(1280, 900, forced=True)
        for name, route, ready in self.timeline_views:
            found += self.look(f"{name}-forced", route, ready)
        self.page.resize(1280, 900)
        assert not found, "\n".join(map(str, found))

    def add_views(self):
        """A timeline as a household has it."""
        self.post("Low tide at the old harbour 🌊", self.friend, landscape(900, 600, 0.56))
        self.post("السوق القديم في الصباح", self.friend, landscape(500, 800, 0.05))
        post = self.post("Behind the waterfall. " + "It was much louder than it looks here. " * 3, photo=landscape(1000, 640, 0.62))
        for agent, words in ((self.friend, "Where is that?"), (self.agent, "North of Akureyri, two hours on foot."),
                             (self.friend, "Take me with you next time.")):
            self.page.wait(lambda: agent.has(f"/v1/posts/{post['id']}"), "the post does not arrive")
            agent.call("POST", f"/v1/posts/{post['id']}/comments", {"text": words})
        self.page.wait(lambda: len(self.comments(post)) == 4, "the comments do not arrive")
        self.timeline_views = [
            ("timeline", "/timeline", ".feed .photo.shown"),
            ("post", f"/timeline/{post['id']}", ".post-view .photo.shown"),
            ("post-gone", "/timeline/nothing", ".place-content .state:not(.loading)"),
        ]

    def check_empty_timeline(self):
        while posts := self.agent.call("GET", "/v1/posts")["posts"]:
            for post in posts:
                agent = self.agent if post["own"] else self.friend
                agent.call("DELETE", f"/v1/posts/{post['id']}")
            self.page.wait(lambda: not self.agent.has(f"/v1/posts/{posts[-1]['id']}"), "the posts are not deleted")
        found = []
        for width, scheme in ((1280, "light"), (320, "dark")):
            self.page.resize(width, 800, scheme)
            found += self.look(f"timeline-empty-{width}-{scheme}", "/timeline", ".timeline-empty")
        self.page.resize(1280, 900)
        assert not found, "\n".join(map(str, found))
        self.post("The first")
        self.page.wait(lambda: self.page.text(".post-caption") == "The first", "the first post is not shown")

    def check_long_timeline(self):
        photo = landscape(24, 36)
        for number in range(45):
            self.post(f"Number {number}", photo=photo)
        page = self.page
        self.begin()
        page.go("/timeline")
        page.wait(lambda: page.all(".post .photo.shown"), "no photo is shown")
        assert len(page.all(".post")) < 45, "more than a page is read at first"
        before = page.run("return document.querySelector('.post .photo').getBoundingClientRect().height")
        most = 0
        while page.run("const e = document.querySelector('.place-content');"
                       " const top = e.scrollTop; e.scrollTop += 1500; return e.scrollTop > top"):
            page.wait(lambda: page.run(
                "const box = document.querySelector('.place-content').getBoundingClientRect();"
                "return [...document.querySelectorAll('.photo')].filter((e) => { const r = e.getBoundingClientRect();"
                " return r.bottom > box.top && r.top < box.bottom; }).every((e) => e.matches('.shown'))"),
                "a visible photo is not shown")
            most = max(most, page.run("return document.querySelectorAll('.photo img').length"))
        assert most <= 12, f"{most} pictures at once"
        page.wait(lambda: len(page.all(".post")) >= 45 and "all posts" in page.text(".feed-end"), "the end is not reached")
        after = page.run("return document.querySelector('.post .photo').getBoundingClientRect().height")
        assert before == after, "the place of a photo changes"
        # What arrives above does not move what the user reads.
        shown = "return [...document.querySelectorAll('.post')].at(-1).getBoundingClientRect().top"
        place = page.run(shown)
        newest = self.post("The newest", self.friend)
        page.wait(lambda: page.all(f".post[data-id='{newest['id']}']"), "the new post is not shown")
        assert abs(page.run(shown) - place) < 1, f"a new post moves the others by {page.run(shown) - place}"
        return f"at most {most} pictures"

    # What a user does

    def give(self, event, selector, media_type):
        """Drops or pastes a picture of 64 × 32 pixels."""
        self.page.driver.execute_async_script(
            "const [type, selector, mediaType, done] = arguments, canvas = document.createElement('canvas');"
            "canvas.width = 64; canvas.height = 32; canvas.getContext('2d').fillRect(0, 0, 20, 20);"
            "canvas.toBlob((blob) => { const data = new DataTransfer();"
            " const content = mediaType === 'image/png' ? blob : '<svg xmlns=\"http://www.w3.org/2000/svg\"/>';"
            " data.items.add(new File([content], 'photo', { type: mediaType }));"
            " const init = { bubbles: true, cancelable: true, dataTransfer: data, clipboardData: data };"
            " document.querySelector(selector).dispatchEvent("
            "  type === 'drop' ? new DragEvent(type, init) : new ClipboardEvent(type, init)); done(); })",
            event, selector, media_type)
