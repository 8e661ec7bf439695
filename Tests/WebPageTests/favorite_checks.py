"""Checks of favorites and the user's own card."""

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks


class FavoriteChecks(PageChecks):
    def rows(self):
        """The names of the first rows, in their order."""
        rows = sorted(self.page.all(".row[data-index]"), key=lambda row: int(row.get_attribute("data-index")))
        return [row.find_element("css selector", ".row-name").text for row in rows[:4]]

    def categories(self, contact):
        return self.agent.contact(contact["id"]).get("categories", [])

    def check_favorites_and_own_card_come_first(self):
        # The account of the devices is “ada”.
        own = self.add(firstName="ada", phones=[{"label": "mobile", "value": "+1 555 0111"}])
        starred = self.add(firstName="Zelda", lastName="Zz", categories=["starred", "choir"])
        page = self.page
        page.go("/")
        page.run("document.getElementById('list-rows').scrollTop = 0")
        page.wait(lambda: self.rows()[:2] == ["ada", "Zelda Zz"], "the list does not begin with them")
        total = int(page.one(".row[aria-setsize]").get_attribute("aria-setsize"))
        assert page.text("#list .pane-count") == f"{total - 2} contacts", page.text("#list .pane-count")
        found = self.look_at("favorites")
        # The row further down is the same contact.
        page.tab_to("#list-rows")
        page.press(Keys.END)
        page.wait(lambda: page.text("#card-name") == "Zelda Zz", "End does not show the last contact")
        page.wait(lambda: page.all(f"#row-{total - 1}.active"), "the active row jumps to the favorite's first row")
        page.press(Keys.HOME)
        page.wait(lambda: page.text("#card-name") == own["name"], "Home does not show the own card")
        self.agent.change(starred["id"], categories=["choir"])
        page.wait(lambda: self.rows()[1] != "Zelda Zz", "a contact that is no favorite any more stays first")
        assert not found, found

    def check_list_does_not_wait_for_the_own_name(self):
        self.add(firstName="ada", phones=[{"label": "mobile", "value": "+1 555 0111"}])
        page = self.page
        page.disturb_from_the_start("GET", "/v1/whoami", "hold")
        page.wait(lambda: page.all("#list-rows [role=option]"), "the list waits for the name of the user")
        page.wait(lambda: page.disturbed() > 0, "the name is not read")
        assert "My card" not in page.text("#list-rows"), "the own card is known before its name"
        page.settle()
        page.wait(lambda: "My card" in page.text("#list-rows"), "the own card does not come")

    def check_star_by_pointer(self):
        contact = self.add(firstName="Stella", lastName="Yy", categories=["choir"])
        page = self.page
        self.show(contact)
        page.click(".star")
        page.wait(lambda: page.all(".star[aria-pressed=true]"), "the star is not shown")
        assert self.categories(contact) == ["choir", "Favorites"]
        page.run("document.getElementById('list-rows').scrollTop = 0")
        page.wait(lambda: "Stella Yy" in self.rows(), "the favorite is not first in the list")
        page.click(".star")
        page.wait(lambda: page.all(".star[aria-pressed=false]"), "the star stays")
        assert self.categories(contact) == ["choir"]

    def check_star_by_keyboard(self):
        contact = self.add(firstName="Sten", lastName="Yy")
        page = self.page
        self.show(contact)
        page.tab_to(".star")
        page.press(Keys.ENTER)
        page.wait(lambda: self.categories(contact) == ["Favorites"], "the contact is no favorite")
        page.wait(lambda: page.run("return document.activeElement.classList.contains('star')"), "the star loses the focus")
        page.press("e")
        page.wait(lambda: page.run("return document.getElementById('field-favorite')?.checked"), "the form does not show it")
        page.run("document.getElementById('field-favorite').focus()")
        page.press(Keys.SPACE)
        assert page.value("categories") == ""
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: self.categories(contact) == [], "the form does not save it")
