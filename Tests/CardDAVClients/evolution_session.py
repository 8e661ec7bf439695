#!/usr/bin/python3
"""Uses the library of Evolution, as GNOME's programs do. Runs in a session of D-Bus of its own, by Debian's Python.

Reads lines of JSON, each the name of a method of `Session` and its arguments, and answers each with a line."""

import json
import sys

import gi

gi.require_version("EDataServer", "1.2")
gi.require_version("EBook", "1.2")
gi.require_version("EBookContacts", "1.2")
from gi.repository import EBook, EBookContacts, EDataServer, GLib  # noqa: E402

CONNECT_SECONDS = 30
EVERYTHING = EBookContacts.BookQuery.any_field_contains("").to_string()
WITHOUT_OPTIONS = 0


class Session:
    """One book of a server, and what can be asked without one."""

    def __init__(self):
        self.registry = EDataServer.SourceRegistry.new_sync(None)
        self.client = None

    @staticmethod
    def credentials(user, password):
        credentials = EDataServer.NamedParameters.new()
        credentials.set(EDataServer.SOURCE_CREDENTIAL_USERNAME, user)
        credentials.set(EDataServer.SOURCE_CREDENTIAL_PASSWORD, password)
        return credentials

    @staticmethod
    def source(address, user):
        """The settings of a book, as the dialog for a new one makes them."""
        place = GLib.Uri.parse(address, GLib.UriFlags.NONE)
        source = EDataServer.Source.new(None, None)
        source.set_display_name("Book")
        source.get_extension(EDataServer.SOURCE_EXTENSION_ADDRESS_BOOK).set_backend_name("carddav")
        source.get_extension(EDataServer.SOURCE_EXTENSION_WEBDAV_BACKEND).set_resource_path(place.get_path())
        authentication = source.get_extension(EDataServer.SOURCE_EXTENSION_AUTHENTICATION)
        authentication.set_host(place.get_host())
        authentication.set_port(place.get_port())
        authentication.set_user(user)
        authentication.set_method("plain/password")
        source.get_extension(EDataServer.SOURCE_EXTENSION_SECURITY).set_secure(place.get_scheme() == "https")
        source.get_extension(EDataServer.SOURCE_EXTENSION_OFFLINE).set_stay_synchronized(True)
        # It reads the server only on demand.
        source.get_extension(EDataServer.SOURCE_EXTENSION_REFRESH).set_enabled(False)
        return source

    def discover(self, address, user, password):
        """What the dialog for a new account finds: pairs of a name and an address."""
        _, _, _, found, _ = EDataServer.webdav_discover_sources_sync(
            self.source(address, user), address, EDataServer.WebDAVDiscoverSupports.CONTACTS,
            self.credentials(user, password), None)
        return [[one.display_name, one.href] for one in found]

    def make_book(self, address, user, password, title):
        self.server(address, user, password).mkcol_addressbook_sync(address, title, None, None)

    def rename_book(self, address, user, password, title):
        change = EDataServer.WebDAVPropertyChange.new_set("DAV:", "displayname", title)
        self.server(address, user, password).update_properties_sync(address, [change], None)

    def server(self, address, user, password):
        session = EDataServer.WebDAVSession.new(self.source(address, user))
        session.set_credentials(self.credentials(user, password))
        return session

    def open(self, address, user, password):
        """Opens a book. The first reading of its cards begins, and goes on after this returns."""
        source = self.source(address, user)
        self.registry.commit_source_sync(source, None)
        source = self.registry.ref_source(source.get_uid())
        source.connect("credentials-required", lambda source, *_: source.invoke_authenticate_sync(
            self.credentials(user, password), None))
        loop, results = GLib.MainLoop(), []

        def finish(_, result):
            results.append(result)
            loop.quit()

        EBook.BookClient.connect(source, CONNECT_SECONDS, None, finish)
        loop.run()
        self.client = EBook.BookClient.connect_finish(results[0])

    def refresh(self):
        """Begins to read the changes of the server."""
        self.client.refresh_sync(None)

    def cards(self):
        """The cards by UID."""
        # Whether the book can be written arrives as a signal.
        while GLib.MainContext.default().iteration(False):
            pass
        _, contacts = self.client.get_contacts_sync(EVERYTHING, None)
        return {one.get_property("id"): one.to_string(EBookContacts.VCardFormat(1)) for one in contacts or []}

    def count(self):
        """The number of cards; 0 without a book."""
        while GLib.MainContext.default().iteration(False):
            pass
        return len(self.client.get_contacts_uids_sync(EVERYTHING, None)[1] or []) if self.client else 0

    def is_read_only(self):
        while GLib.MainContext.default().iteration(False):
            pass
        return self.client.is_readonly()

    def add(self, text):
        """Adds a card and returns its UID."""
        _, identifier = self.client.add_contact_sync(EBookContacts.Contact.new_from_vcard(text), WITHOUT_OPTIONS, None)
        return identifier

    def change(self, identifier, name, value):
        """Changes a field of a contact. The server has it when this returns."""
        _, contact = self.client.get_contact_sync(identifier, None)
        contact.set_property(name, value)
        self.client.modify_contact_sync(contact, WITHOUT_OPTIONS, None)

    def remove(self, identifier):
        self.client.remove_contact_by_uid_sync(identifier, WITHOUT_OPTIONS, None)


def main():
    session = Session()
    for line in sys.stdin:
        method, *arguments = json.loads(line)
        try:
            answer = {"value": getattr(session, method)(*arguments)}
        except GLib.Error as error:
            answer = {"error": error.message}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
