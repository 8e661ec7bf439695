"""Checks of the list, the card and the form (W1)."""

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks
from photos import landscape

HOSTILE = '<img src=x onerror="document.title=1">\u202e{{x}}'


class ContactChecks(PageChecks):
    def check_list_and_card_by_keyboard(self):
        page = self.page
        page.go("/")
        page.tab_to("#list-rows")
        page.press(Keys.HOME, Keys.ARROW_DOWN)
        name = page.text(".row.active .row-name")
        page.wait(lambda: page.text("#card-name") == name, "the card does not follow the list")
        page.press(Keys.ENTER)
        page.wait(lambda: page.focus() == "card", f"Enter leaves the focus in “{page.focus()}”")
        page.press(Keys.ESCAPE)
        page.wait(lambda: page.focus() == "list-rows", f"Escape leaves the focus in “{page.focus()}”")
        page.press(Keys.END)
        total = int(page.one(".row[aria-setsize]").get_attribute("aria-setsize"))
        page.wait(lambda: page.all(f"#row-{total - 1}.active"), "End does not show the last contact")
        page.wait(lambda: page.text("#card-name") == page.text(".row.active .row-name"), "no card follows End")

    def check_search_as_you_type(self):
        contact = self.add(firstName="Quirina", lastName="Zwart")
        page = self.page
        page.go("/")
        page.press("/")
        milliseconds = page.timed(
            lambda: page.press("quirina zw"), lambda: page.text(".row-name") == "Quirina Zwart", "nothing is found")
        page.press(Keys.ENTER)
        page.wait(lambda: page.text("#card-name") == contact["name"], "Enter does not open the first hit")
        self.add(firstName="Quirina", lastName="Other")
        page.wait(lambda: [row.text for row in page.all("#list .row-name")] == [contact["name"]], "not all words count")
        page.press("/", Keys.ESCAPE)
        page.wait(lambda: len(page.all(".row")) > 1, "Escape does not end the search")
        return f"{milliseconds:.0f} ms for ten keys and the result"

    def check_add_with_validation_by_pointer(self):
        page = self.page
        page.go("/")
        page.click("[aria-keyshortcuts=n]")
        page.fill("firstName", "Nova")
        page.click("legend ~ .add-entry")
        page.one("[name='phones/new-1/value']").send_keys("none")
        page.fill("birthday", "soon")
        page.click(".form-heading .primary")
        page.wait(lambda: page.all("[name=birthday][aria-invalid]"), "the birthday has no message")
        assert "“soon”" in page.text("#field-birthday-problem")
        assert "“none”" in page.text("#field-phones-new-1-value-problem")
        assert "2 fields" in page.text(".form-summary")
        # A field that is being corrected loses its message at once.
        page.fill("birthday", "--06-05")
        assert not page.text("#field-birthday-problem") and not page.all("[name=birthday][aria-invalid]")
        assert "1 field" in page.text(".form-summary") and page.text("#field-phones-new-1-value-problem")
        page.fill("phones/new-1/value", "+46 70 174 06 10")
        assert not page.text(".form-summary"), page.text(".form-summary")
        page.click(".form-heading .primary")
        page.wait(lambda: page.text("#card-name") == "Nova", "the contact is not added")
        self.added.append(page.run("return location.hash").split("/")[-1])
        assert "+46 70 174 06 10" in page.text(".values")

    def check_add_by_keyboard(self):
        page = self.page
        self.begin()
        page.press("n")
        page.wait(lambda: self.focus_is("[name=firstName]"), "the form has not the focus")
        page.press("Keno", Keys.TAB, "Keys")
        page.tab_to("legend ~ .add-entry")
        page.press(Keys.ENTER)
        page.wait(lambda: self.focus_is(".entry :is(input, select)"), "the new entry has not the focus")
        page.tab_to("[name='phones/new-1/value']")
        page.press("+1 555 0199")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.text("#card-name") == "Keno Keys", "the contact is not added")
        identifier = page.run("return location.hash").split("/")[-1]
        self.added.append(identifier)
        assert self.agent.contact(identifier)["phones"][0]["value"] == "+1 555 0199"
        assert page.focus() == "card", f"saving leaves the focus in “{page.focus()}”"

    def check_delete_and_undo_by_keyboard(self):
        contact = self.add(firstName="Dela", lastName="Deleted")
        page = self.page
        self.show(contact)
        page.tab_to(".card-actions .danger")
        page.press(Keys.ENTER)
        self.toast("Dela Deleted")
        page.wait(lambda: not self.agent.exists(contact["id"]), "the contact is not deleted")
        assert page.focus() == "list-rows", f"deleting leaves the focus in “{page.focus()}”"
        page.press("u")
        page.wait(lambda: page.text("#card-name") == contact["name"], "the deletion is not undone")
        assert self.agent.exists(contact["id"]) and self.has_focus()
        self.show(contact)
        page.tab_to(".card-actions .danger")
        page.press(Keys.ENTER)
        self.toast("Dela Deleted")
        page.tab_to(".toast .icon-button")
        page.press(Keys.ENTER)
        page.wait(lambda: not page.all(".toast"), "the message does not close")
        assert self.has_focus(), "closing a message loses the focus"

    def check_focus_after_the_last_contact(self):
        page = self.page
        group = self.agent.call("POST", "/v1/groups", {"title": "Only one"})
        try:
            contact = self.add(firstName="Last", lastName="One", group=group["id"])
            page.go(f"/group/{group['id']}")
            page.wait(lambda: page.text("#list .row-name") == "Last One", "the group is not shown")
            page.tab_to("#list-rows")
            page.press(Keys.HOME, Keys.ENTER)
            page.wait(lambda: page.focus() == "card", "the card has not the focus")
            page.tab_to(".card-actions .danger")
            page.press(Keys.ENTER)
            page.wait(lambda: page.all(".list-state .state"), "the group is not empty")
            assert self.has_focus(), "an empty list loses the focus"
            page.press("u")
            page.wait(lambda: page.text("#card-name") == "Last One", "the deletion is not undone")
            page.wait(self.has_focus, "the first contact loses the focus")
            assert self.agent.exists(contact["id"])
        finally:
            self.agent.call("DELETE", f"/v1/groups/{group['id']}?contacts=delete&acknowledged=true")

    def check_photo_by_keyboard(self):
        contact = self.add(firstName="Phil", lastName="Photo")
        page = self.page
        self.show(contact)
        page.press("e")
        self.tab_back_to(".photo-editor .button")
        self.choose(landscape(64, 32))
        page.wait(lambda: page.all("dialog .primary"), "the photo is not shown for cutting")
        page.tab_to("dialog .primary")
        page.press(Keys.ENTER)
        page.wait(lambda: page.all(".photo-editor .portrait img"), "the photo is not shown")
        assert self.agent.contact(contact["id"])["photo"]["mediaType"] == "image/jpeg"
        assert self.has_focus(), "choosing loses the focus"
        page.tab_to(".photo-editor .button:nth-child(2)")
        page.press(Keys.ENTER)
        page.wait(lambda: not self.agent.contact(contact["id"]).get("photo"), "the photo is not removed")
        page.wait(lambda: not page.all(".photo-editor .portrait img"), "the photo is still shown")
        assert self.has_focus(), "removing loses the focus"

    def check_group_by_keyboard(self):
        page = self.page
        self.begin()
        page.press("g", "g")
        page.wait(lambda: self.focus_is(".group[aria-current]"), "the groups have not the focus")
        page.tab_to("[data-key='group-new']")
        page.press(Keys.ENTER)
        page.wait(lambda: self.focus_is(".group-form input"), "the form has not the focus")
        page.press("Half", Keys.ESCAPE)
        page.wait(lambda: self.focus_is("[data-key='group-new']"), "cancelling loses the focus")
        page.press(Keys.ENTER, "Keyboard", Keys.ENTER)
        page.wait(lambda: page.text("#list .pane-title") == "Keyboard", "the group is not shown")
        group = next(group for group in self.agent.call("GET", "/v1/groups")["groups"] if group["title"] == "Keyboard")
        try:
            page.wait(lambda: self.focus_is(f"[data-key='group/{group['id']}']"), "the new group has not the focus")
            page.press(Keys.HOME, Keys.ENTER)
            page.wait(lambda: page.run("return location.hash") == "#/", "the arrows do not choose all contacts")
            assert self.focus_is(".group[aria-current]"), "choosing loses the focus"
        finally:
            self.agent.call("DELETE", f"/v1/groups/{group['id']}?contacts=delete&acknowledged=true")

    def check_keys_for_every_place(self):
        page = self.page
        self.begin()
        page.press("?")
        page.wait(lambda: page.all("dialog[open]"), "the keys are not shown")
        found = self.judge("keys-1280")
        page.resize(320, 640, "dark")
        found += self.judge("keys-320")
        page.resize(1280, 900)
        assert not found, found
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all("dialog"), "Escape does not close the keys")
        for letter, route in (("t", "#/timeline"), ("x", "#/trash"), ("c", "#/")):
            page.press("g", letter)
            page.wait(lambda: page.run("return location.hash") == route, f"g {letter} does not open {route}")
            page.wait(self.has_focus, f"g {letter} loses the focus")
        page.press("g", "x")
        page.wait(lambda: page.focus() == "place", "the trash has not the focus")
        page.press(Keys.ESCAPE)
        page.wait(lambda: page.run("return location.hash") == "#/", "Escape does not leave the trash")
        assert self.has_focus(), "leaving a place loses the focus"

    def check_edit_by_keyboard(self):
        contact = self.add(firstName="Edith", lastName="Before")
        page = self.page
        self.show(contact)
        page.press("e")
        page.tab_to("[name=lastName]")
        page.press_together(Keys.CONTROL, "a")
        page.press("After")
        page.press_together(Keys.CONTROL, Keys.ENTER)
        page.wait(lambda: page.text("#card-name") == "Edith After", "the edit is not saved")
        self.toast("Edith After")
        page.press("u")
        page.wait(lambda: page.text("#card-name") == "Edith Before", "the edit is not undone")

    def check_delete_and_undo(self):
        contact = self.add(firstName="Tessa", lastName="Trash")
        page = self.page
        self.show(contact)
        page.click(".card-actions .danger")
        self.toast("Tessa Trash")
        page.wait(lambda: not self.agent.exists(contact["id"]), "the contact is not deleted")
        page.click(".toast .button")
        page.wait(lambda: page.text("#card-name") == contact["name"], "the deletion is not undone")

    def check_another_device_shows_by_itself(self):
        contact = self.add(firstName="Swift", lastName="0")
        page = self.page
        self.show(contact)
        self.other.change(contact["id"], lastName="1")
        page.wait(lambda: page.text("#card-name") == "Swift 1", "the edit is not shown")
        page.wait(lambda: page.text(".row[aria-selected=true] .row-name") == "Swift 1", "the list has the old name")

    def check_hostile_values_are_text(self):
        contact = self.add(
            firstName=HOSTILE, lastName="الخطيب", note="x" * 100_000,
            urls=[{"label": HOSTILE, "value": "javascript:alert(1)"}])
        page = self.page
        self.show({**contact, "name": page.run("return arguments[0]", contact["name"])})
        assert not page.all(".card-view a[href^=javascript]") and not page.all(".card-view img")
        assert page.driver.title == "Contacts"
        assert not page.scrolls_sideways()

    def check_narrow_window_has_one_pane(self):
        contact = self.add(firstName="Nora", lastName="Narrow")
        page = self.page
        page.resize(320, 640)
        try:
            page.go("/")
            page.wait(lambda: not page.one("#card").is_displayed(), "two panes are shown")
            page.click(".row")
            page.wait(lambda: page.one("#card").is_displayed() and not page.one("#list").is_displayed(), "no card")
            page.click("#card .back")
            page.wait(lambda: page.one("#list").is_displayed(), "there is no way back")
            page.click("#list .back")
            page.wait(lambda: page.one("#groups").is_displayed(), "there is no way to the groups")
            self.show(contact)
        finally:
            page.resize(1280, 900)
