"""Checks of sharing: the dialog of a group, links, requests for access, and a second account with a page of its own (W1, W4)."""

import contextlib

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks


class SharingChecks(PageChecks):
    @contextlib.contextmanager
    def group(self, title, *names):
        """A group of this account with contacts; it is deleted afterwards."""
        group = self.agent.call("POST", "/v1/groups", {"title": title})
        group["people"] = [self.add(firstName=name, group=group["id"]) for name in names]
        try:
            yield group
        finally:
            with contextlib.suppress(AssertionError):
                self.agent.call("DELETE", f"/v1/groups/{group['id']}?contacts=delete&acknowledged=true")
            self.page.wait(lambda: not self.groups_of("desk", title), "the other account keeps the group")

    def groups_of(self, device, title):
        groups = self.household.agent(device).call("GET", "/v1/groups")["groups"]
        return [group for group in groups if group["title"] == title]

    def share(self, group, **form):
        return self.agent.call("POST", f"/v1/groups/{group['id']}/share", form)

    def shared(self, group):
        return self.agent.call("GET", f"/v1/groups/{group['id']}/share")

    def show_group(self, group):
        self.page.go(f"/group/{group['id']}")
        self.page.wait(lambda: self.page.text("#list .pane-title") == group["title"], "the group is not shown")

    # The flow of a household

    def check_share_with_another_account(self):
        with self.group("Rowing", "Amy") as group, self.page_of("desk") as bob:
            page = self.page
            self.show_group(group)
            page.click("[data-key='group/share']")
            page.one("[name=anyone]").send_keys("Anyone with the link can edit")
            page.click("[data-key='share/begin']")
            link = page.wait(lambda: page.text(".share-code .copy-line code"), "there is no link")
            page.wait(lambda: page.all(".share-code .qr-dark"), "there is no QR code")
            assert self.shared(group)["anyone"] == "readWrite" and self.shared(group)["link"] == link
            page.click(".share-sheet [data-key=close]")
            # The other account looks at the link, and decides.
            bob.click("[data-key=group-join]")
            bob.fill("link", link)
            bob.click("[data-key='accept/look']")
            bob.wait(lambda: bob.text("#accept-title") == "Rowing", "there is no preview")
            assert "From ada" in bob.text(".accept-owner") and "1 contact" in bob.text(".facts")
            assert "see and edit" in bob.text(".facts") and not self.groups_of("desk", "Rowing")
            bob.click("[data-key='accept/join']")
            bob.wait(lambda: bob.text("#list .pane-title") == "Rowing", "the group is not shown")
            bob.wait(lambda: bob.text(".row-name") == "Amy", "the contact does not arrive")
            bob.click(".row")
            # An edit of this account, and one of the other.
            identifier = group["people"][0]["id"]
            self.agent.change(identifier, lastName="Ames")
            bob.wait(lambda: bob.text("#card-name") == "Amy Ames", "the edit does not arrive")
            page.go(f"/contact/{identifier}")
            page.wait(lambda: page.text("#card-name") == "Amy Ames", "the card is not shown")
            bob.press("e")
            bob.fill("lastName", "Bower")
            bob.press_together(Keys.CONTROL, Keys.ENTER)
            page.wait(lambda: page.text("#card-name") == "Amy Bower", "the other account's edit does not arrive")
            # The end: the question says who loses the group.
            self.show_group(group)
            page.click("[data-key='group/share']")
            page.wait(lambda: "bob" in page.text(".people"), "the participant is not listed")
            page.click("[data-key='share/stop']")
            page.wait(lambda: "bob loses this group" in page.text(".question"), "the question does not say who loses it")
            page.click(".question [data-key=agree]")
            page.wait(lambda: page.all("[data-key='share/begin']"), "the group is still shared")
            page.click(".share-sheet [data-key=close]")
            bob.wait(lambda: not self.groups_of("desk", "Rowing"), "the other account keeps the group")
            bob.wait(lambda: "Rowing" not in bob.text("#groups"), "the page of the other account keeps the group")

    def check_ask_for_access_and_approve_by_keyboard(self):
        with self.group("Choir", "Cora") as group, self.page_of("desk") as bob:
            page = self.page
            link = self.share(group)["link"]
            # The link in the address is previewed; it admits only invited accounts.
            bob.go(f"/accept/{link}")
            bob.wait(lambda: "invited accounts" in bob.text(".place-content h2"), "the link is not explained")
            bob.tab_to("[data-key='accept/ask']")
            bob.press(Keys.ENTER)
            bob.wait(lambda: "asked for access" in bob.text(".place-content h2"), "nothing was asked")
            found = self.judge("accept-asked", bob)
            assert not found, found
            page.wait(lambda: "bob" in page.text(".toast"), "no toast tells of the request")
            row = f"[data-key='group/{group['id']}']"
            page.wait(lambda: page.text(f"{row} .badge").startswith("1"), "the group has no badge")
            page.go("/")
            page.tab_to(row)
            page.press(Keys.ENTER)
            page.tab_to("[data-key='group/share']")
            page.press(Keys.ENTER)
            person = page.wait(lambda: self.shared(group)["requests"], "there is no request")[0]["id"]
            page.wait(lambda: page.all(".share-requests .person-row"), "the request is not listed")
            page.tab_to(f"[data-key='request/{person}/approve.view']")
            page.press(Keys.ENTER)
            page.wait(lambda: "bob" in page.text(".share-people .people"), "the request is not approved")
            assert [one["permission"] for one in self.shared(group)["participants"]] == ["readWrite", "readOnly"]
            bob.wait(lambda: "Choir" in bob.text("#groups"), "the group does not appear")
            # A role is changed, and the person is removed.
            page.tab_to(f"[data-key='person/{person}']")
            page.press("Can edit")
            page.wait(lambda: self.shared(group)["participants"][1]["permission"] == "readWrite", "the role stays")
            page.tab_to(f"[data-key='person/{person}/remove']")
            page.press(Keys.ENTER)
            page.tab_to(".question [data-key=agree]")
            page.press(Keys.ENTER)
            page.wait(lambda: self.shared(group)["participants"][1]["status"] == "removed", "the person stays")
            page.wait(lambda: not page.all(".question"), "the question stays")
            page.press(Keys.ESCAPE)
            page.wait(lambda: not page.all("dialog"), "Escape does not close the dialog")
            page.wait(lambda: not page.all(f"{row} .badge"), "the badge stays")

    def check_old_reading_does_not_replace_a_change(self):
        with self.group("Bowls", "Bo") as group:
            page = self.page
            self.share(group)
            self.show_group(group)
            page.click("[data-key='group/share']")
            page.wait(lambda: page.all("[name=who]"), "the share is not shown")
            page.disturb("GET", "/share$", "hold")
            page.run("document.dispatchEvent(new Event('visibilitychange'))")
            page.wait(lambda: page.disturbed() == 1, "the share is not read again")
            page.one("[name=who]").send_keys("Anyone with the link can edit")
            page.wait(lambda: self.shared(group)["anyone"] == "readWrite", "the choice is not carried out")
            page.wait(lambda: page.run("return document.querySelector('[name=who]').value") == "readWrite", "it is not shown")
            page.driver.execute_async_script("settle(); setTimeout(arguments[0], 100)")
            assert page.value("who") == "readWrite", "the old reading replaces the choice"
            page.press(Keys.ESCAPE)

    def check_news_of_people_and_groups(self):
        with self.group("Curling", "Cilla") as group, self.page_of("desk") as bob:
            page = self.page
            link = self.share(group, anyone="readOnly")["link"]
            self.show_group(group)
            page.click("[data-key='group/share']")
            page.wait(lambda: "ada" in page.text(".share-people .people"), "the people are not listed")
            self.household.agent("desk").call("POST", "/v1/shares/accept", {"link": link})
            page.wait(lambda: "bob" in page.text(".share-people .people"), "the open dialog does not hear who has joined")
            self.toast("bob has joined the group “Curling”")
            page.press(Keys.ESCAPE)
        with self.group("Hockey", "Hilma") as group, self.page_of("desk") as bob:
            link = self.share(group)["link"]
            self.household.agent("desk").call("POST", "/v1/shares/request", {"link": link})
            person = self.page.wait(lambda: self.shared(group)["requests"], "there is no request")[0]["id"]
            self.agent.call("POST", f"/v1/groups/{group['id']}/requests/{person}", {"decision": "approve", "permission": "readOnly"})
            bob.wait(lambda: "“Hockey” is now shared with you" in bob.text(".toast"), "no toast tells of the group")
            bob.click(".toast .button")
            bob.wait(lambda: bob.text("#list .pane-title") == "Hockey", "the toast does not show the group")

    def check_invite_decline_and_leave(self):
        self.household.control("desk", "permission", "discoverability", "allow")
        with self.group("Book club", "Bea") as group, self.page_of("desk") as bob:
            page = self.page
            link = self.share(group)["link"]
            self.show_group(group)
            page.click("[data-key='group/share']")
            page.fill("invite", "nobody-here")
            page.click("[data-key='share/invite']")
            page.wait(lambda: "nobody-here" in page.text(".invite-form .problem"), "the wrong name is not explained")
            assert page.value("invite") == "nobody-here", "the typed name is lost"
            page.fill("invite", "bob")
            page.one("[name=invite-permission]").send_keys("Can edit")
            page.press(Keys.ENTER)
            page.click("[data-key='share/invite']")
            page.wait(lambda: "has not joined yet" in page.text(".people"), "the person is not invited")
            # Declined first, then invited again and accepted.
            bob.go(f"/accept/{link.split('/')[-1]}")
            bob.click("[data-key='accept/decline']")
            page.wait(lambda: self.shared(group)["participants"][1]["status"] == "left", "it is not declined")
            page.fill("invite", "bob")
            page.click("[data-key='share/invite']")
            page.wait(lambda: self.shared(group)["participants"][1]["status"] == "invited", "not invited again")
            bob.go("/accept")
            bob.fill("link", link)
            bob.press(Keys.ENTER)
            bob.tab_to("[data-key='accept/join']")
            bob.press(Keys.ENTER)
            bob.wait(lambda: bob.text("#list .pane-title") == "Book club", "the group is not shown")
            bob.click("[data-key='group/share']")
            bob.wait(lambda: "Owner" in bob.text(".people"), "the people are not listed")
            assert not bob.all(".invite-form") and not bob.all(".share-code")
            found = self.judge("share-member", bob)
            assert not found, found
            bob.click("[data-key='share/leave']")
            bob.wait(lambda: "disappear" in bob.text(".question"), "the question does not say what is lost")
            bob.click(".question [data-key=agree]")
            bob.wait(lambda: "Book club" not in bob.text("#groups"), "the group stays")
            assert not self.groups_of("desk", "Book club")
            page.press(Keys.ESCAPE)

    def check_share_and_stop_by_keyboard(self):
        with self.group("Sewing", "Sal") as group:
            page = self.page
            self.show_group(group)
            page.tab_to("[data-key='group/share']")
            page.press(Keys.ENTER)
            page.wait(lambda: page.all("[name=anyone]"), "the dialog has no form")
            page.tab_to("[name=anyone]")
            page.press("Anyone with the link can view")
            page.tab_to("[name=expires]")
            page.press("One day")
            page.tab_to("[data-key='share/begin']")
            page.press(Keys.ENTER)
            page.wait(lambda: page.all(".share-code"), "there is no link")
            share = self.shared(group)
            assert share["anyone"] == "readOnly" and share["linkExpires"], share
            page.tab_to("[name=who]")
            page.press("Only people")
            page.wait(lambda: self.shared(group)["anyone"] == "none", "the link still admits anyone")
            page.tab_to("[data-key^='copy/']")
            page.press(Keys.ENTER)
            page.wait(lambda: page.text(".copied"), "nothing says whether the link was copied")
            page.tab_to("[data-key='link/renew']")
            page.press(Keys.ENTER)
            page.tab_to(".question [data-key=agree]")
            page.press(Keys.ENTER)
            page.wait(lambda: self.shared(group)["link"] != share["link"], "the link stays")
            page.wait(lambda: not page.all(".question"), "the question stays")
            page.tab_to("[data-key='link/revoke']")
            page.press(Keys.ENTER)
            page.tab_to(".question [data-key=agree]")
            page.press(Keys.ENTER)
            page.wait(lambda: not page.all(".share-code, .question"), "the link is not stopped")
            page.tab_to("[data-key='share/stop']")
            page.press(Keys.ENTER)
            page.tab_to(".question [data-key=agree]")
            page.press(Keys.ENTER)
            page.wait(lambda: page.all("[data-key='share/begin']"), "the group is still shared")
            page.press(Keys.ESCAPE)
            page.wait(lambda: page.run("return document.activeElement.dataset.key") == "group/share", "the focus is lost")

    # The link

    def check_new_link_and_no_link(self):
        with self.group("Chess", "Cy") as group:
            page = self.page
            old = self.share(group)["link"]
            self.show_group(group)
            page.click("[data-key='group/share']")
            page.click("[data-key='link/renew']")
            page.one("[name=renew]").send_keys("7 days")
            page.click(".question [data-key=agree]")
            page.wait(lambda: self.shared(group)["linkExpires"], "the link has no end")
            new = self.shared(group)["link"]
            assert new != old
            page.wait(lambda: page.text(".share-code .copy-line code") == new, "the new link is not shown")
            page.click("[data-key='link/revoke']")
            page.click(".question [data-key=agree]")
            page.wait(lambda: self.shared(group)["linkStanding"] == "revoked", "the link is not stopped")
            page.wait(lambda: not page.all(".share-code"), "the link is still shown")
            page.press(Keys.ESCAPE)

    def check_links_that_lead_nowhere(self):
        page = self.page
        for link, sentence in (
            ("contacts://join/AAAA", "not a complete share link"), ("hello", "not a complete share link"),
            ("contacts-device:1D3N-YMKH@host:7433", "invitation for a device"),
            ("contacts://join/AAAAAAAAAAAAAAAAAAAAAA", "does not work"),
        ):
            page.go("/")
            page.go("/accept")
            page.fill("link", link)
            page.press(Keys.ENTER)
            page.wait(lambda: sentence in page.text(".accept-form .problem"), f"{link} is not explained")
            assert page.value("link") == link, "the typed link is lost"

    # Groups

    def check_rename_and_delete_group_by_keyboard(self):
        with self.group("Gardn", "Gil", "Gus") as group:
            page = self.page
            self.show_group(group)
            page.tab_to("[data-key='group/more']")
            page.press(Keys.ENTER)
            page.wait(lambda: page.run("return document.activeElement.dataset.key") == "group.rename", "no menu")
            page.press(Keys.ENTER)
            page.wait(lambda: page.value("text") == "Gardn", "the title is not in the field")
            page.press("Garden", Keys.ENTER)
            page.wait(lambda: page.text("#list .pane-title") == "Garden", "the group has the old title")
            self.toast("Garden")
            page.press("u")
            page.wait(lambda: page.text("#list .pane-title") == "Gardn", "the renaming is not undone")
            page.tab_to("[data-key='group/more']")
            page.press(Keys.ENTER)
            page.tab_to("[data-key='group.delete']")
            page.press(Keys.ENTER)
            page.tab_to("[name=contacts]:checked")
            page.tab_to(".question [data-key=agree]")
            page.press(Keys.ENTER)
            page.wait(lambda: not self.groups_of("laptop", "Gardn"), "the group is not deleted")
            page.wait(lambda: page.text("#list .pane-title") == "All contacts", "the deleted group is shown")
            names = [contact["name"] for contact in self.agent.call("GET", "/v1/contacts")["contacts"]]
            assert "Gil" in names and "Gus" in names, "the contacts are not kept"
            self.toast("Gardn")
            page.press("u")
            page.wait(lambda: self.groups_of("laptop", "Gardn"), "the deletion is not undone")
            page.wait(lambda: "Gardn" in page.text("#groups"), "the group is not shown again")
            self.added += [contact["id"] for contact in self.agent.call("GET", "/v1/contacts")["contacts"]
                           if contact["name"] in ("Gil", "Gus")]
