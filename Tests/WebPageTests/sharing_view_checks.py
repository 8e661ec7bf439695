"""Looks at every view of sharing, light and dark, in several widths (W2)."""

from selenium.webdriver.common.keys import Keys

from sharing_checks import SharingChecks


class SharingViewChecks(SharingChecks):
    def check_views_of_sharing(self):
        page, found = self.page, []
        self.household.control("desk", "permission", "discoverability", "allow")
        title = "Family and friends of the rowing club by the northern shore"
        with self.group(title, "Fay") as group, self.group("Empty") as empty, self.group("Quiet") as quiet:
            self.share(group, anyone="readOnly", invite=["bob"])
            asked = self.share(empty)["link"]
            self.household.agent("desk").call("POST", "/v1/shares/request", {"link": asked})
            link = self.shared(group)["link"]
            with self.page_of("desk") as bob:
                for width, height in ((1280, 900), (768, 1024), (320, 640)):
                    for scheme in ("light", "dark"):
                        page.resize(width, height, scheme)
                        bob.resize(width, height, scheme)
                        found += self.look_at_sharing(f"{width}-{scheme}", group, empty, quiet)
                        found += self.look_at_links(f"{width}-{scheme}", bob, link, asked)
            page.resize(1280, 900, forced=True)
            found += self.look_at_sharing("forced", group, empty, quiet)
        page.resize(1280, 900)
        assert not found, "\n".join(map(str, found))

    def look_at_links(self, name, page, link, asked):
        found = []
        for view, route, ready in (
            ("accept", "/accept", ".accept-form"), ("accept-preview", f"/accept/{link}", "#accept-title"),
            ("accept-ask", f"/accept/{asked}", "[data-key='accept/ask']"),
        ):
            page.go(route)
            page.wait(lambda: page.all(ready), f"{route} shows nothing")
            found += self.judge(f"{view}-{name}", page)
        return found

    def look_at_sharing(self, name, group, empty, quiet):
        page, found = self.page, []

        def view(which, ready):
            page.wait(lambda: page.all(ready), f"{which} is not shown")
            found.extend(self.judge(f"{which}-{name}"))

        self.show_group(group)
        page.click("[data-key='group/more']")
        view("group-menu", "[data-key='group.delete']")
        page.click("[data-key='group.delete']")
        view("group-delete", ".question [data-key=agree]")
        page.press(Keys.ESCAPE)
        page.click("[data-key='group/share']")
        view("share", ".qr-dark")
        page.run("document.querySelector('.sheet-body').scrollTop = 1e6")
        view("share-end", ".qr-dark")
        page.click("[data-key='share/stop']")
        view("share-stop", ".question [data-key=agree]")
        page.press(Keys.ESCAPE)
        page.press(Keys.ESCAPE)
        self.show_group(empty)
        view("empty-group", ".list-state .state")
        page.click("[data-key='group/share']")
        view("share-request", ".share-requests .person-row")
        page.press(Keys.ESCAPE)
        self.show_group(quiet)
        page.click("[data-key='group/share']")
        view("share-begin", "[data-key='share/begin']")
        page.press(Keys.ESCAPE)
        page.go("/group/00000000000000000000000000000000")
        page.click("[data-key='group/share']")
        view("share-default", ".sheet .state")
        page.press(Keys.ESCAPE)
        return found
