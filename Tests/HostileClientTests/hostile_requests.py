"""Requests of a program that means harm, for each of the agent's three interfaces. A request is a real one, changed; all come
from a seed, so that a crash can be repeated."""

import base64
import json
import random
import re

OPERATION = re.compile(r"^  (/v1/[^:]*):$|^    (get|put|post|patch|delete):$")
# These end what is examined, or never end.
LEFT_OUT = {("POST", "/v1/signout"), ("GET", "/v1/events"), ("GET", "/v1/events/all"), ("GET", "/v1/notifications/events"),
            ("DELETE", "/v1/dav/passwords/{id}"), ("POST", "/v1/web/open"), ("POST", "/v1/dav/passwords")}
VALUES = [
    None, True, 0, -1, 1e308, 2**63, "", "a", "Ada", "\u0000", "\u202e\u2066", "\ud83d\ude00", "x" * 5_000, [], {}, [[]], {"": {}},
    "bundled-1-01", "1984-06-05", "--02-30", "=cmd()", "../../etc/passwd", "%00", "\u001b[2J",
]
KEYS = ["firstName", "lastName", "phones", "emails", "group", "title", "value", "label", "with", "token", "nonce", "text", "keep",
        "deletions", "account", "link", "permission", "name", "texts", "base", "note", "caption", "predicate"]
CARD = b"BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u-%d\r\nFN:Ada\r\nN:Quill;Ada;;;\r\nTEL;TYPE=CELL:+46 70\r\nNOTE:a\\nb\r\nEND:VCARD\r\n"
DOCUMENTS = [
    '<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:"><d:prop><d:getetag/><d:displayname/></d:prop></d:propfind>',
    '<c:addressbook-query xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><d:prop><d:getetag/><c:address-data/></d:prop>'
    '<c:filter><c:prop-filter name="FN"><c:text-match match-type="contains">a</c:text-match></c:prop-filter></c:filter>'
    "</c:addressbook-query>",
    '<c:addressbook-multiget xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav"><d:prop><d:getetag/></d:prop>'
    "<d:href>/books/contacts/a.vcf</d:href></c:addressbook-multiget>",
    '<d:sync-collection xmlns:d="DAV:"><d:sync-token/><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>',
    '<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><d:displayname>A</d:displayname></d:prop></d:set></d:propertyupdate>',
    '<!DOCTYPE a [<!NOTATION n SYSTEM "x"><!ENTITY b "c">]><a>&b;</a>', "<a><?b?></a>", "<?xml version='1.0' encoding='UTF-7'?><a/>",
]
ENCODINGS = ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7", "latin-1", "cp037", "shift_jis", "utf-8-sig"]
PIECES = [b"\x00", b"\xff\xfe", b"<", b">", b"&#0;", b"]]>", b"<!--", b"<!DOCTYPE a [", b"\r\n", b"\r\n ", b"=\r\n", b'"', b":", b";",
          b"BEGIN:VCARD\r\n", b"END:VCARD\r\n", b"%", b"\xed\xa0\x80", b"{", b"}", b"[" * 200, b"a" * 4_000]
DAV_METHODS = ["OPTIONS", "GET", "HEAD", "PUT", "DELETE", "PROPFIND", "PROPPATCH", "REPORT", "MKCOL", "COPY", "MOVE", "LOCK", "X" * 30]
DAV_PATHS = ["/", "/books/", "/books/contacts/", "/books/contacts/a.vcf", "/books/contacts/%d.vcf", "/principals/me/", "/birthdays/",
             "/birthdays/contacts.ics", "/.well-known/carddav", "//", "/books/../..", "/books/%2F/", "/%00", "/books/" + "a" * 3_000]


def operations(page):
    """The operations of the description of the interface: methods and paths."""
    path, found = None, []
    with open(page) as lines:
        for line in lines:
            match = OPERATION.match(line.rstrip())
            if match and match[1]:
                path = match[1]
            elif match and path:
                found.append((match[2].upper(), path))
    return [operation for operation in found if operation not in LEFT_OUT]


class HostileRequests:
    """Makes requests. `head` is sent with each: the host, and a token or a password."""

    def __init__(self, seed, head):
        self.random, self.head, self.is_last = random.Random(seed), head, False

    def mutated(self, content):
        """Bytes that are cut, repeated or changed in up to three places."""
        content = bytearray(content)
        for _ in range(self.random.randrange(4)):
            place = self.random.randrange(len(content) + 1)
            kind = self.random.randrange(4)
            if kind == 0:
                content[place:place + 1] = bytes([self.random.randrange(256)])
            elif kind == 1:
                del content[place:place + self.random.randrange(1, 20)]
            elif kind == 2:
                content[place:place] = self.random.choice(PIECES)
            else:
                content[place:place] = content[place:place + 60]
        return bytes(content)

    def batch(self, count):
        """Requests of one connection. The last one ends it, or has a wrong length, no end, or headers that no program sends."""
        self.is_last = False
        content = b"".join(self.next() for _ in range(count - 1))
        self.is_last = True
        return content + self.next()

    def request(self, method, path, headers, body):
        lines = [f"{method} {path} HTTP/1.1", *self.head, *headers]
        chance = self.random.randrange(30) if self.is_last else 2
        if self.is_last and chance > 4:
            lines.append("Connection: close")
        if chance == 0:
            lines.append(f"Content-Length: {self.random.choice(['-1', '1e9', '99999999999999999999', '5, 6'])}")
        elif chance == 1:
            lines += ["Transfer-Encoding: chunked", f"Content-Length: {len(body)}"]
        elif chance == 2 and self.random.randrange(20) == 0:
            lines.append("Transfer-Encoding: chunked")
            body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        else:
            lines.append(f"Content-Length: {len(body)}")
            if chance == 3:
                lines.append("X: " + "y" * self.random.choice([10, 9_000, 40_000]))
        head = "\r\n".join(lines).encode("utf-8", "replace") + b"\r\n\r\n"
        return (self.mutated(head) if chance == 4 else head) + body

    def json(self, depth=0):
        kind = self.random.randrange(6) if depth < 3 else 0
        if kind < 3:
            return self.random.choice(VALUES)
        if kind == 3:
            return [self.json(depth + 1) for _ in range(self.random.randrange(3))]
        return {self.random.choice(KEYS): self.json(depth + 1) for _ in range(self.random.randrange(4))}

    def path(self, template):
        word = self.random.choice(["bundled-1-01", "a", "0", "%C3%A9", "%00", "%2F..", "-1", "x" * 300, "undo"])
        path = re.sub(r"\{[^}]*\}", word, template)
        if self.random.randrange(4) == 0:
            name = self.random.choice(["limit", "cursor", "q", "group", "sort", "version", "format", "dryRun", "since"])
            path += f"?{name}={self.random.choice(['', '1', '-1', '%00', '%FF', 'a' * 900, '99999999999999999999'])}"
        return path


class APIRequests(HostileRequests):
    """For the agent's own interface, at its Unix socket and at the page."""

    def __init__(self, seed, head, page):
        super().__init__(seed, head)
        self.operations = operations(page)

    def next(self):
        method, template = self.random.choice(self.operations)
        headers, body = [], b""
        if method in ("POST", "PUT", "PATCH"):
            body = json.dumps(self.json()).encode()
            if self.random.randrange(3) == 0:
                body = self.mutated(body)
            if "import" in template:
                body = self.mutated(CARD % self.random.randrange(50))
            headers.append(f"Content-Type: {self.random.choice(['application/json', 'text/vcard', 'image/png', 'x'])}")
        if self.random.randrange(8) == 0:
            headers.append(self.random.choice(['If-Match: "1"', "If-Match: *", "Idempotency-Key: k", "Last-Event-ID: 9-9", "Expect: 100-continue"]))
        return self.request(method, self.path(template), headers, body)


class PageRequests(APIRequests):
    """For the page's listener: its own paths too, and headers of other sites."""

    def next(self):
        if self.random.randrange(4):
            return super().next()
        path = self.random.choice(["/", "/app.js", "/web/session", "/web/proof", "/web/code", "/..", "/%2e%2e/", "//", "/x" * 500])
        headers = [self.random.choice(["Origin: null", "Origin: http://127.0.0.1:1", "Sec-Fetch-Site: cross-site", "Host: x", "A: b"])]
        body = self.mutated(json.dumps({"token": "0" * 64, "nonce": "0a" * 32, "text": "Ada"}).encode())
        return self.request(self.random.choice(["GET", "POST", "HEAD", "TRACE"]), path, headers, body)


class DAVRequests(HostileRequests):
    """For CardDAV, with a password."""

    def next(self):
        method, path = self.random.choice(DAV_METHODS), self.random.choice(DAV_PATHS)
        if "%d" in path:
            path %= self.random.randrange(200)
        headers = [f"Depth: {self.random.choice(['0', '1', 'infinity', 'x'])}"] if self.random.randrange(2) else []
        if self.random.randrange(6) == 0:
            headers.append(self.random.choice(['If-None-Match: *', 'If-Match: "x"', "Destination: /books/contacts/b.vcf", "Destination: %", "Prefer: return=minimal"]))
        if method == "PUT":
            body = self.mutated(CARD % self.random.randrange(200))
            headers.append("Content-Type: text/vcard")
        else:
            body = self.random.choice(DOCUMENTS).encode(self.random.choice(ENCODINGS), "replace") if self.random.randrange(3) else b""
            body = self.mutated(body)
            headers.append("Content-Type: application/xml")
        if self.random.randrange(12) == 0:
            wrong = base64.b64encode(self.random.randbytes(6)).decode()
            headers.append(f"Authorization: Basic {wrong}")
        return self.request(method, path, headers, body)
