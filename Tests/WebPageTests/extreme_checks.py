"""Checks of contacts that are longer than others, or written from right to left."""

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks

LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff" * 4


class ExtremeChecks(PageChecks):
    def check_long_names_and_thirty_entries(self):
        contact = self.add(
            firstName=LONG_NAME, lastName="Senior " * 20, company=LONG_NAME, title="Head of " * 20, emergency=True,
            categories=["Favorites"],
            phones=[{"label": f"summer house number {number}", "value": f"+46 8 5555 {number:04}"} for number in range(30)],
            emails=[{"label": LONG_NAME, "value": f"{'long' * 12}@{'example' * 6}.org"}],
            urls=[{"label": "", "value": "https://example.org/" + "path/" * 60}])
        self.show(contact)
        assert len(self.page.all(".value dt")) >= 32
        found = self.look_at("long")
        self.page.press("e")
        self.page.wait(lambda: self.page.all(".form"), "there is no form")
        found += self.look_at("long-form")
        self.page.press(Keys.ESCAPE)
        self.page.go(f"/history/{contact['id']}")
        self.page.wait(lambda: self.page.all(".step"), "there is no history")
        found += self.look_at("long-history")
        assert not found, found

    def check_names_from_right_to_left(self):
        contact = self.add(
            firstName="יעל", lastName="כהן", company="حلويات الشرق", note="שלום, this is a note.",
            phones=[{"label": "בית", "value": "+972 2 555 0100"}],
            addresses=[{"label": "عمل", "street1": "شارع الملك 12", "city": "القدس"}])
        self.show(contact)
        found = self.look_at("right-to-left")
        # The name is written from right to left, the page from left to right.
        assert self.page.run("return getComputedStyle(document.getElementById('card-name')).direction") == "rtl"
        left, right = self.page.run(
            "const range = document.createRange(); range.selectNodeContents(document.getElementById('card-name'));"
            "const name = range.getBoundingClientRect(), pane = document.querySelector('.card-titles').getBoundingClientRect();"
            "return [name.left - pane.left, pane.right - name.right]")
        assert left < 1 < right, (left, right)
        assert not found, found

    def check_note_of_one_megabyte(self):
        contact = self.add(firstName="Nils", lastName="Note", note="A line of the note.\n" * 49_000)
        page = self.page
        page.go("/")
        page.run("performance.clearResourceTimings()")
        milliseconds = page.timed(lambda: self.show(contact), lambda: page.all(".card-view .value"), "the card is not shown")
        assert not page.scrolls_sideways()
        milliseconds = [milliseconds, page.timed(lambda: page.press("e"), lambda: page.all(".form"), "there is no form")]
        page.wait(lambda: len(page.value("note")) > 900_000, "the form does not have the note")
        milliseconds.append(page.timed(lambda: page.fill("company", "Works"), lambda: page.value("company") == "Works", "nothing is typed"))
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: self.agent.contact(contact["id"])["company"] == "Works", "the form is not saved")
        page.go(f"/history/{contact['id']}")
        page.wait(lambda: page.all(".step"), "there is no history")
        card, form, typing = milliseconds
        return f"{card:.0f} ms to the card, {form:.0f} ms to the form, {typing:.0f} ms for five letters"
