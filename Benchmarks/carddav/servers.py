"""The CardDAV servers that are compared. Each has a book with the same cards, a folder of its own, and a free port."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time

from book import CARDDAV, DAV, Book, path_of, responses

HOST = "127.0.0.1"
USER = "bench"
START_SECONDS = 60


def free_port():
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]


def wait(condition, complaint, seconds=START_SECONDS):
    deadline = time.monotonic() + seconds
    while not (result := condition()):
        if time.monotonic() > deadline:
            raise SystemExit(complaint)
        time.sleep(0.02)
    return result


class Server:
    """A server that runs until the end of a `with` statement. `address` is that of its book."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, self.name)
        os.mkdir(self.folder)
        self.port = free_port()
        self.root = f"http://{HOST}:{self.port}/"
        self.process = None

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def run(self, *command):
        """Starts the server's program and waits until it accepts connections."""
        log = os.path.join(self.folder, "log")
        with open(log, "w") as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=file, stdin=subprocess.DEVNULL)
        wait(self.accepts, f"{self.name} does not start.")

    def accepts(self):
        if self.process.poll() is not None:
            with open(os.path.join(self.folder, "log")) as file:
                raise SystemExit(f"{self.name} has ended: {file.read()[-300:]}")
        with socket.socket() as connection:
            return connection.connect_ex((HOST, self.port)) == 0

    def password(self):
        """A password for a client that the server has served nothing before."""
        return "secret"

    def book(self):
        """The book as a new client sees it."""
        return Book(self.address, USER, self.password())

    def processor_seconds(self):
        """The processor time that the process, with all its threads, has used."""
        # The kernel's number for the clock of a process, as in clock_getcpuclockid(3).
        return time.clock_gettime((~self.process.pid << 3) | 2)


class Agent(Server):
    """contactsd, without a broker. Its `root` is the address to type into a client."""

    name = "agent"
    programs = None

    def __init__(self, folder, cards):
        super().__init__(folder)
        self.cards = cards
        self.socket = os.path.join(self.folder, "agent.sock")

    def start(self):
        file = os.path.join(self.folder, "cards.vcf")
        with open(file, "w", newline="") as cards:
            cards.writelines(self.cards.values())
        # The listener starts with the first password, so the import comes first.
        with open(os.path.join(self.folder, "log"), "w") as log:
            self.process = subprocess.Popen(
                [os.path.join(self.programs, "contactsd"), "--state", os.path.join(self.folder, "state"),
                 "--socket", self.socket, "--broker", os.path.join(self.folder, "none.sock"), "--account", USER,
                 "--device", "carddav", "--locale", "en_US", "--dav", f"{HOST}:{self.port}"],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        wait(self.answers, "contactsd does not start.")
        # The contacts that a new account begins with.
        self.control("rm", *self.control("list", "--fields", "id").stdout.split())
        self.control("import", file)
        password = self.password()
        wait(self.accepts, "contactsd does not serve CardDAV.")
        self.address = self.standard_book(password)

    def answers(self):
        if self.process.poll() is not None:
            with open(os.path.join(self.folder, "log")) as log:
                raise SystemExit(f"contactsd has ended: {log.read()[-300:]}")
        return os.path.exists(self.socket) and self.control("status", check=False).returncode == 0

    def control(self, *words, check=True):
        command = [os.path.join(self.programs, "contactsctl"), "--agent", self.socket, *words]
        result = subprocess.run(command, capture_output=True, text=True)
        if check and result.returncode != 0:
            raise SystemExit(f"contactsctl {words[0]} fails: {result.stderr[-300:]}")
        return result

    def password(self):
        connection = http.client.HTTPConnection("contactsd")
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.connect(self.socket)
        # A name is given once.
        name = f"client {time.monotonic_ns()}"
        connection.request("POST", "/v1/dav/passwords", json.dumps({"name": name}))
        reply = connection.getresponse()
        content = reply.read()
        connection.close()
        if reply.status != 201:
            raise SystemExit(f"contactsd makes no app password: status {reply.status}")
        return json.loads(content)["password"]

    def standard_book(self, password):
        home = Book(self.root + "books/", USER, password)
        reply = home.ask(
            "PROPFIND", 1, "<propfind {}><prop><resourcetype/></prop></propfind>")
        for response in responses(reply):
            if response.find(f".//{DAV}resourcetype/{CARDDAV}addressbook") is not None:
                return self.root.rstrip("/") + path_of(response)
        raise SystemExit("contactsd has no address book.")


class Radicale(Server):
    """Radicale with its built-in server, which closes a connection after each reply, and a user with a password."""

    name = "radicale"

    def __init__(self, folder, cards):
        super().__init__(folder)
        book = os.path.join(self.folder, "collection-root", USER, "cards")
        write_cards(book, cards)
        with open(os.path.join(book, ".Radicale.props"), "w") as properties:
            json.dump({"tag": "VADDRESSBOOK", "D:displayname": "Cards"}, properties)
        self.address = f"{self.root}{USER}/cards/"

    def start(self):
        users, settings = (os.path.join(self.folder, name) for name in ("users", "settings"))
        with open(users, "w") as file:
            file.write(f"{USER}:secret\n")
        with open(settings, "w") as file:
            file.write(f"[server]\nhosts = {HOST}:{self.port}\n"
                       f"[auth]\ntype = htpasswd\nhtpasswd_filename = {users}\nhtpasswd_encryption = plain\n"
                       # Otherwise it lets clients wait that first ask without a password.
                       "delay = 0\n"
                       f"[storage]\nfilesystem_folder = {self.folder}\n"
                       "[logging]\nlevel = warning\n")
        self.run(sys.executable, "-m", "radicale", "--config", settings)


class Xandikos(Server):
    """Xandikos as it is by default. Without TLS it has no passwords: a proxy in front of it asks for them."""

    name = "xandikos"

    def __init__(self, folder, cards):
        super().__init__(folder)
        book = os.path.join(self.folder, USER, "contacts", "cards")
        write_cards(book, cards)
        with open(os.path.join(book, ".xandikos"), "w") as properties:
            properties.write("[DEFAULT]\ntype = addressbook\ndisplayname = Cards\n")
        git = ["git", "-c", "user.name=bench", "-c", "user.email=bench@example.org"]
        for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "Add the cards"]):
            subprocess.run([*git, *words], cwd=book, check=True, env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull})
        self.address = f"{self.root}{USER}/contacts/cards/"

    def start(self):
        self.run(os.path.join(os.path.dirname(sys.executable), "xandikos"), "serve", "--directory", self.folder,
                 "--listen-address", HOST, "--port", str(self.port), "--current-user-principal", f"/{USER}/",
                 "--defaults")


def write_cards(folder, cards):
    os.makedirs(folder)
    for identifier, card in cards.items():
        with open(os.path.join(folder, identifier + ".vcf"), "w", newline="") as file:
            file.write(card)
