"""nginx as a reverse proxy, with the settings that the documentation shows."""

import os
import re
import subprocess

DOCUMENTATION = os.path.join(os.path.dirname(__file__), "../../docs/carddav.md")
BLOCK = re.compile(r"^nginx:\n\n```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
USER = "www-data"
# What Debian's nginx.conf has around it, as far as it matters.
CONFIGURATION = """
user {user};
pid {folder}/pid;
error_log {folder}/log;
daemon off;
events {{ }}
http {{
  access_log {folder}/access;
  gzip on;
  {server}
}}
"""


def documented(replacements):
    """The settings of the documentation, with other places."""
    with open(DOCUMENTATION) as file:
        [settings] = BLOCK.findall(file.read())
    for old, new in replacements.items():
        assert old in settings, f"the documentation has no “{old}”"
        settings = settings.replace(old, new)
    return settings


class ReverseProxy:
    """nginx with a server's settings, until its context ends. As root, it asks the agent as a user of its own."""

    def __init__(self, folder, settings):
        self.folder = folder
        self.configuration = os.path.join(folder, "configuration")
        with open(self.configuration, "w") as file:
            file.write(CONFIGURATION.format(user=USER, folder=folder, server=settings))

    def __enter__(self):
        with open(os.path.join(self.folder, "output"), "w") as output:
            self.process = subprocess.Popen(
                ["nginx", "-c", self.configuration, "-p", self.folder], stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def log(self):
        with open(os.path.join(self.folder, "log")) as file:
            return file.read()
