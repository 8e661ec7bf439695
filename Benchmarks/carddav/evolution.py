"""The first pull of a book by Evolution Data Server, in which GNOME's programs keep their contacts: without a desktop,
on a bus of its own and in new folders."""

import os
import shutil
import signal
import subprocess

from servers import USER

NAME = "evolution"
PACKAGES = "evolution-data-server, gir1.2-ebook-1.2, gir1.2-ebookcontacts-1.2, python3-gi, dbus"
# Debian's Python has the bindings.
PYTHON = "/usr/bin/python3"
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "evolution-pull")


def is_installed():
    if not shutil.which("dbus-run-session") or not os.path.exists(PYTHON):
        return False
    bindings = "import gi; gi.require_version('EBook', '1.2'); from gi.repository import EBook"
    return subprocess.run([PYTHON, "-c", bindings], capture_output=True).returncode == 0


def pull(address, password, count, folder):
    """Returns the seconds from opening the book until all cards are in its database."""
    places = {"HOME": "home", "XDG_RUNTIME_DIR": "run", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data",
              "XDG_CACHE_HOME": "cache"}
    environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "GSETTINGS_BACKEND": "memory",
                   "GIO_USE_PROXY_RESOLVER": "dummy"}
    for variable, name in places.items():
        environment[variable] = os.path.join(folder, name)
        os.mkdir(environment[variable], mode=0o700)
    program = subprocess.Popen(
        ["dbus-run-session", "--", PYTHON, SCRIPT, address, USER, password, str(count)], env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        output, complaint = program.communicate(timeout=600)
    finally:
        # The bus starts programs that outlive it for a moment.
        stop(program)
    if program.returncode != 0:
        raise SystemExit(f"Evolution Data Server: {(complaint.strip() or 'no reason').splitlines()[-1]}")
    return float(output.split()[-1])


def stop(program):
    try:
        os.killpg(program.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    program.wait()
