"""What a user types into a client."""

from typing import NamedTuple


class Account(NamedTuple):
    """A user of the server, or of the book, at an address. With TLS, `authority` is the file of the certificate that signs
    the server's."""

    address: str
    user: str
    password: str
    authority: str | None = None
