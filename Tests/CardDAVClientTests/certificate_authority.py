"""An authority that signs certificates of servers, made by openssl."""

import os
import subprocess

NAME = "/CN=Authority of the checks"
DAYS = "2"


class CertificateAuthority:
    """An authority with its files in a folder. `certificate` is what its clients trust."""

    def __init__(self, folder):
        self.folder = folder
        self.certificate, self.key = self.path("authority.pem"), self.path("authority.key")
        self.openssl("req", "-x509", *self.new_key(self.key), "-subj", NAME, "-days", DAYS, "-out", self.certificate)

    def path(self, name):
        return os.path.join(self.folder, name)

    def issue(self, *places):
        """Signs a certificate for names and addresses, written as `DNS:name` and `IP:address`, and returns the paths of a
        file with it and what signs it, and of its key."""
        request, chain, key, places_file = (self.path(f"server.{end}") for end in ("request", "pem", "key", "places"))
        with open(places_file, "w") as file:
            file.write(f"subjectAltName = {', '.join(places)}\n")
        self.openssl("req", *self.new_key(key), "-subj", "/CN=Server", "-out", request)
        signed = self.openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-days", DAYS,
                              "-extfile", places_file)
        with open(chain, "wb") as file, open(self.certificate, "rb") as own:
            file.write(signed + own.read())
        return chain, key

    @staticmethod
    def new_key(path):
        return "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path

    @staticmethod
    def openssl(*words):
        result = subprocess.run(["openssl", *words], capture_output=True, check=False)
        assert result.returncode == 0, f"openssl {words[0]}: {result.stderr.decode()}"
        return result.stdout
