"""Real proxies in front of a server, for tests: Debian's nginx and Caddy, with the settings of `deploy`."""

from __future__ import annotations

import contextlib
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.server.test_kill import free_port

KINDS = ["nginx", "caddy"]


@dataclass(frozen=True)
class Front:
    """A proxy that runs."""

    address: str
    """As https://127.0.0.1:12345."""

    trust: ssl.SSLContext
    """Believes the certificate that the proxy has."""


def _certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate that the proxy gives itself, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=boyi.example.org", "-addext", "subjectAltName=IP:127.0.0.1,DNS:boyi.example.org",
         "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    return certificate, key


def nginx_site(text: str, port: int, server: int, certificate: Path, key: Path) -> str:
    """The site of `deploy`, at another address."""
    for old, new in (("server 127.0.0.1:8000;", f"server 127.0.0.1:{server};"),
                     ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"), ("listen [::]:443 ssl;", ""),
                     ("/etc/letsencrypt/live/boyi.example.org/fullchain.pem", str(certificate)),
                     ("/etc/letsencrypt/live/boyi.example.org/privkey.pem", str(key))):
        assert old in text, old
        text = text.replace(old, new)
    return text


def caddy_site(text: str, port: int, server: int, certificate: Path, key: Path) -> str:
    """The site of `deploy`, at another address."""
    for old, new in (("\nboyi.example.org {", f"\nhttps://127.0.0.1:{port} {{\n\ttls {certificate} {key}"),
                     ("reverse_proxy 127.0.0.1:8000", f"reverse_proxy 127.0.0.1:{server}")):
        assert old in text, old
        text = text.replace(old, new)
    return "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n" + text


@contextlib.contextmanager
def front(kind: str, server: int, folder: Path) -> Iterator[Front]:
    """A proxy before the server at a port of this machine."""
    program = shutil.which(kind) or shutil.which(kind, path="/usr/sbin")
    if program is None or shutil.which("openssl") is None:
        pytest.skip(f"{kind} not found; Debian, Ubuntu: apt-get install {kind} openssl")
    port = free_port()
    certificate, key = _certificate(folder)
    if kind == "nginx":
        site = nginx_site((ROOT / "deploy" / "nginx.conf").read_text(), port, server, certificate, key)
        (folder / "site.conf").write_text(site)
        places = "".join(f"{name}_temp_path {folder}/{name}; " for name in (
            "client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/pid; error_log stderr error; worker_processes 1; worker_rlimit_nofile 8192;\n"
            f"events {{ worker_connections 4096; }}\n"
            f"http {{ access_log off; {places} include {folder}/site.conf; }}\n")
        command = [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    else:
        (folder / "Caddyfile").write_text(caddy_site((ROOT / "deploy" / "Caddyfile").read_text(), port, server,
                                                     certificate, key))
        command = [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    log = folder / "log"   # not a pipe: when nobody reads it the proxy waits for ever
    with log.open("w") as file:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=file,
                                   env={"HOME": str(folder), "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    try:
        _wait_for(process, port, log)
        yield Front(f"https://127.0.0.1:{port}", ssl.create_default_context(cafile=str(certificate)))
    finally:
        process.terminate()
        process.wait(timeout=30)


def _wait_for(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    end = time.monotonic() + 30
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if process.poll() is not None or time.monotonic() > end:
            process.kill()
            raise RuntimeError(f"the proxy does not answer: {log.read_text()[-2000:]}")
        time.sleep(0.05)
