"""Checks of devices, of the status, and of what a device shows that has nothing yet (W4)."""

from selenium.webdriver.common.keys import Keys

from page_checks import PageChecks


class DeviceChecks(PageChecks):
    def devices(self):
        return {one["name"]: one for one in self.agent.call("GET", "/v1/devices")["devices"]}

    def check_invite_a_device(self):
        page, household = self.page, self.household
        household.control("laptop", "open", "--print")
        household.start("tablet", has_broker=False)
        page.go("/devices")
        page.wait(lambda: "This device" in page.text(".devices") and "phone" in page.text(".devices"), "no devices")
        page.click("[data-key='devices/add']")
        command = page.wait(lambda: [one.text for one in page.all(".share-code .copy-line code")], "no invitation")[0]
        page.wait(lambda: page.all(".share-code .qr-dark"), "there is no QR code")
        # What the user enters on the other device.
        assert command.startswith("contactsctl signin contacts-device:"), command
        household.control("tablet", *command.split()[1:], "--yes")
        page.wait(lambda: "“tablet” has joined" in page.text(".sheet"), "the page does not see the device")
        found = self.judge("invitation-joined")
        assert not found, found
        page.click("[data-key='invitation/done']")
        page.wait(lambda: "tablet" in page.text(".devices"), "the device is not listed")
        contact = self.add(firstName="Tove", lastName="Tablet")
        page.wait(lambda: household.agent("tablet").exists(contact["id"]), "the device gets no contacts")

    def check_invite_a_device_by_keyboard(self):
        page, household = self.page, self.household
        household.control("laptop", "open", "--print")
        household.start("reader", has_broker=False)
        page.go("/")
        page.tab_to("[data-key='place/devices']")
        page.press(Keys.ENTER)
        page.wait(lambda: page.all("[data-key='devices/add']"), "there is no button")
        page.tab_to("[data-key='devices/add']")
        page.press(Keys.ENTER)
        page.wait(lambda: page.all(".instructions summary"), "no invitation")
        page.tab_to(".instructions summary")
        page.press(Keys.ENTER)
        # The code that a user types on the other device.
        command = page.wait(lambda: page.text("details .copy-line code"), "no code to type")
        household.control("reader", *command.split()[1:], "--yes")
        page.wait(lambda: page.run("return document.activeElement.dataset.key") == "invitation/done", "it has not come")
        page.tab_to("[data-key='invitation/remove']")
        page.press(Keys.ENTER)
        page.wait(lambda: "Remove “reader”" in page.text(".question"), "no question")
        page.press(Keys.ESCAPE)
        page.wait(lambda: "reader" in page.text(".devices"), "the device is not listed")

    def check_rename_and_remove_a_device_by_keyboard(self):
        page, household = self.page, self.household
        household.control("laptop", "open", "--print")
        household.start("spare", account="ada")
        page.go("/")
        page.tab_to("[data-key='place/devices']")
        page.press(Keys.ENTER)
        page.wait(lambda: "spare" in page.text(".devices"), "the device is not listed")
        identifier = self.devices()["spare"]["id"]
        page.tab_to(f"[data-key='rename/{identifier}']")
        page.press(Keys.ENTER)
        page.wait(lambda: page.value("text") == "spare", "the name is not in the field")
        page.press("Old spare", Keys.ENTER)
        page.wait(lambda: "Old spare" in page.text(".devices"), "the device has the old name")
        page.tab_to(f"[data-key='remove/{identifier}']")
        page.press(Keys.ENTER)
        page.wait(lambda: "cannot sign in again" in page.text(".question"), "the question is not asked")
        page.tab_to(".question [data-key=agree]")
        page.press(Keys.ENTER)
        page.wait(lambda: "Old spare" not in self.devices(), "the device is not removed")
        page.wait(lambda: "Old spare" not in page.text(".devices"), "the removed device is listed")
        page.wait(lambda: household.state("spare") == "signed out", "the removed device keeps the account")

    def check_changed_contacts_read_no_devices(self):
        page = self.page
        page.go("/devices")
        page.wait(lambda: page.all(".devices"), "no devices")
        page.disturb("GET", "/v1/(devices|groups)$", "hold")
        page.run("window.asked = []; const { fetch } = window;"
                 " window.fetch = (address, options) => { asked.push(address); return fetch(address, options); }")
        for number in range(4):
            self.add(firstName="Dora", lastName=str(number))
        page.wait(lambda: "/v1/groups" in page.run("return asked"), "the groups are not read")
        page.wait(lambda: any(path.startswith("/v1/contacts?") for path in page.run("return asked")), "the list is not read")
        assert "/v1/devices" not in page.run("return asked"), "a contact causes a read of the devices"
        assert page.run("return asked").count("/v1/groups") == 1, "the groups are read again before the reply"
        page.settle()

    def check_closed_dialog_ends_the_waiting_for_a_link(self):
        """The dialog is closed while the action is tried once more."""
        page = self.page
        page.run("""
            window.outcome = null;
            window.tries = 0;
            const gate = new Promise((resolve) => { window.goOn = resolve; });
            const run = async () => {
              window.tries += 1;
              if (window.tries === 2) await gate;
              throw Object.assign(new Error(), { reason: "openNeeded" });
            };
            import("/opening.js").then(({ afterOpening }) => afterOpening(run)).catch((error) => { window.outcome = error.name; });
        """)
        page.wait(lambda: page.all("dialog[open]"), "no dialog waits")
        page.run("dispatchEvent(new Event('focus'))")
        page.wait(lambda: page.run("return window.tries") == 2, "the action is not tried again")
        page.press(Keys.ESCAPE)
        page.wait(lambda: not page.all("dialog"), "Escape does not close the dialog")
        page.run("window.goOn()")
        page.wait(lambda: page.run("return window.outcome") == "AbortError", "the action waits for ever")

    def check_removal_waits_for_a_recent_link(self):
        """After a restart, no link is recent: the page says what to enter, and goes on by itself."""
        household = self.household
        household.start("attic", account="ada")
        with self.managed("studio") as manager, self.page_of("studio") as page:
            manager.kill()
            manager.start()
            page.wait(lambda: page.text(".status-label") == "Up to date", "the page does not connect again")
            page.errors()  # Requests while the agent was stopped.
            page.go("/devices")
            page.wait(lambda: "attic" in page.text(".devices"), "the device is not listed")
            identifier = self.devices()["attic"]["id"]
            page.click(f"[data-key='remove/{identifier}']")
            page.click(".question [data-key=agree]")
            page.wait(lambda: "contactsctl open" in page.text("dialog:last-of-type"), "the page does not say what to enter")
            assert "attic" in self.devices()
            found = self.judge_in_all_widths("opening", page)
            # The command opens a window of the same browser.
            first = page.driver.current_window_handle
            page.driver.switch_to.new_window("tab")
            page.driver.get(household.link("studio"))
            page.wait(lambda: "goes on" in page.text(".toast"), "the new window says nothing")
            page.driver.close()
            page.driver.switch_to.window(first)
            page.wait(lambda: "attic" not in self.devices(), "the page does not go on")
            page.wait(lambda: not page.all("dialog"), "the dialogs stay")
            assert not found, found

    def check_views_of_devices(self):
        page, found = self.page, []
        self.household.control("laptop", "open", "--print")
        for width, height in ((1280, 900), (768, 1024), (320, 640)):
            for scheme in ("light", "dark"):
                page.resize(width, height, scheme)
                name = f"{width}-{scheme}"
                page.go("/devices")
                page.wait(lambda: page.all(".devices"), "no devices")
                found += self.judge(f"devices-{name}")
                page.click("[data-key='devices/add']")
                page.wait(lambda: page.all(".qr-dark"), "no invitation")
                found += self.judge(f"invitation-{name}")
                page.press(Keys.ESCAPE)
                page.click(".device-row .danger")
                page.wait(lambda: page.all(".question"), "no question")
                found += self.judge(f"device-remove-{name}")
                page.press(Keys.ESCAPE)
        page.resize(1280, 900)
        assert not found, "\n".join(map(str, found))

    # Status

    def check_status_says_what_doctor_says(self):
        self.household.start("hut", account="ada")
        with self.page_of("hut") as page:
            page.click(".status-button")
            page.wait(lambda: "no damage was found" in page.text(".finding"), "the check is not shown")
            page.press(Keys.ESCAPE)
            # Many deletions at once wait for a decision.
            for number in range(30):
                self.household.agent("hut").add(firstName=f"Held {number}")
            page.wait(lambda: self.household.agent("hut").call("GET", "/v1/status")["waitingEdits"] == 0, "not sent")
            contacts = self.household.agent("hut").call("GET", "/v1/contacts?limit=100")["contacts"]
            held = [contact for contact in contacts if contact["name"].startswith("Held ")]
            others = [contact for contact in contacts if contact not in held]
            for contact in held:
                self.household.agent("hut").call("DELETE", f"/v1/contacts/{contact['id']}")
            page.wait(lambda: page.text(".status-label") == "Needs attention", "the page does not say it")
            page.tab_to(".status-button")
            page.press(Keys.ENTER)
            page.wait(lambda: "on hold" in page.text(".status-details"), "the deletions are not explained")
            found = self.judge_in_all_widths("status-held", page)
            page.tab_to("[data-key='held/accept']")
            page.press(Keys.ENTER)
            page.wait(lambda: self.household.agent("hut").call("GET", "/v1/status")["heldDeletions"] == 0, "not decided")
            page.wait(lambda: page.text(".status-label") == "Up to date", "the page does not see it")
            assert not found, found
            assert all(self.household.agent("hut").exists(contact["id"]) for contact in others)

    # First run

    def check_first_run(self):
        household, found = self.household, []
        lone = household.start("lone", has_broker=False)
        with self.page_of("lone") as page:
            page.wait(lambda: "on this device only" in page.text("#notice"), "the page does not say that it is alone")
            page.click("#notice summary")
            page.wait(lambda: "contactsctl signin INVITATION" in page.text("#notice"), "the page does not say what to do")
            page.click("#notice summary")
            for contact in lone.call("GET", "/v1/contacts")["contacts"]:
                lone.call("DELETE", f"/v1/contacts/{contact['id']}?acknowledged=true")
            page.wait(lambda: "Your address book is empty" in page.text("#list .state"), "no state of an empty book")
            found += self.judge_in_all_widths("first-run", page)
            page.go("/devices")
            page.wait(lambda: "No devices yet" in page.text(".place-content"), "no state without devices")
            found += self.judge_in_all_widths("devices-none", page)
            # What needs the broker says so, and loses nothing.
            page.go("/accept")
            page.fill("link", "contacts://join/AAAAAAAAAAAAAAAAAAAAAA")
            page.press(Keys.ENTER)
            page.wait(lambda: "broker" in page.text(".accept-form .problem"), "the page does not say why it cannot join")
            assert page.value("link") == "contacts://join/AAAAAAAAAAAAAAAAAAAAAA"
            group = lone.call("POST", "/v1/groups", {"title": "Alone"})
            page.go(f"/group/{group['id']}")
            page.click("[data-key='group/share']")
            page.wait(lambda: "broker" in page.text(".sheet .state"), "the page does not say why it cannot share")
            found += self.judge("share-offline", page)
            page.press(Keys.ESCAPE)
            page.click(".page-notice > .icon-button")
            page.wait(lambda: not page.all(".page-notice"), "the notice stays")
            page.click(".status-button")
            page.wait(lambda: "Offline" in page.text(".finding"), "the status does not say it")
            found += self.judge_in_all_widths("status-offline", page)
        household.start("gone", account="ada")
        with self.page_of("gone") as page:
            household.control("gone", "signout", "--yes")
            page.wait(lambda: page.text(".whole-page h2") == "Open your contacts again", "the session does not end")
            assert page.text(".whole-page .copy-line code") == "contactsctl open"
            page.errors()
        with self.page_of("gone") as page:
            page.wait(lambda: "signed out" in page.text("#list .state"), "no state of a signed-out device")
            assert "contactsctl signin ada" in page.text("#list .state")
            found += self.judge_in_all_widths("signed-out", page)
            page.click(".status-button")
            page.wait(lambda: "Signed out" in page.text(".finding"), "the status does not say it")
            found += self.judge_in_all_widths("status-signed-out", page)
            page.press(Keys.ESCAPE)
            household.control("gone", "signin", "ada")
            page.wait(lambda: page.all("#list [role=option]"), "the contacts do not come back")
        assert not found, "\n".join(map(str, found))

    def judge_in_all_widths(self, name, page):
        found = []
        for width, height in ((1280, 900), (768, 1024), (320, 640)):
            for scheme in ("light", "dark"):
                page.resize(width, height, scheme)
                found += self.judge(f"{name}-{width}-{scheme}", page)
        page.resize(1280, 900)
        return found
