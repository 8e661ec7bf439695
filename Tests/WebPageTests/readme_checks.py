"""The pictures of the README. They are taken of the page as it is, so a change of the page changes them."""

import os

from page_checks import PageChecks
from photos import landscape

CONTACTS = [
    {"firstName": "Lena", "lastName": "Ahlgren", "company": "Winter Clocks"},
    {"firstName": "Amina", "lastName": "Bello"}, {"firstName": "Tomás", "lastName": "Castro", "company": "Sail Loft"},
    {"firstName": "Nadia", "lastName": "Haddad"}, {"firstName": "Ивана", "lastName": "Ковач"},
    {"firstName": "Ελένη", "lastName": "Παππά", "company": "Harbour Festival"},
]
LENA = {
    "title": "Clockmaker", "birthday": "1984-06-05", "note": "Met in Austin. Likes clocks that need winding.",
    "phones": [{"label": "mobile", "value": "+46 70 174 06 10"}, {"label": "work", "value": "+46 8 5555 0100"}],
    "emails": [{"label": "home", "value": "lena@example.org"}],
    "addresses": [{"label": "work", "street1": "Storgatan 1", "zipcode": "111 22", "city": "Stockholm"}],
}


class ReadmeChecks(PageChecks):
    def check_pictures_of_the_readme(self):
        page = self.page
        groups = [self.agent.call("POST", "/v1/groups", {"title": title}) for title in ("Family", "Rowing club")]
        try:
            added = [
                self.add(group=groups[number % 2]["id"], **contact, **(LENA if number == 0 else {}))
                for number, contact in enumerate(CONTACTS)
            ]
            lena = added[0]["id"]
            self.agent.call("PUT", f"/v1/contacts/{lena}/photo", content=landscape(240, 240, 0.08))
            for scheme in ("light", "dark"):
                page.resize(1280, 760, scheme)
                page.go("/")
                self.show(self.agent.contact(lena))
                page.wait(lambda: page.all(".card-view .portrait img"), "the photo is not shown")
                page.wait(lambda: page.all(".row canvas"), "the list does not show the photo")
                page.wait(lambda: "Rowing club" in page.text("#groups"), "the groups are not shown")
                assert not page.all(".toast"), "a message is in the picture"
                if self.pictures:
                    page.driver.save_screenshot(os.path.join(self.pictures, f"page-{scheme}.png"))
        finally:
            page.resize(1280, 900)
            for group in groups:
                self.agent.call("DELETE", f"/v1/groups/{group['id']}?contacts=delete&acknowledged=true")
