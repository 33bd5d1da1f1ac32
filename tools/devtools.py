"""A page of Chromium as its readers have it: driven over the browser's own protocol, nothing else attached.

Playwright puts a world of its own into every page and has stacks recorded; both cost the page time that its readers do
not spend. Measurements of that time are taken here.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tools.browser import MISSING, find_chromium

START_SECONDS = 30.0


class DevTools:
    """A browser without a window, and one page in it."""

    def __init__(self, *, width: int, height: int, slower: float = 1.0) -> None:
        program = find_chromium()
        if program is None:
            raise SystemExit(MISSING)
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run",
             "--disable-extensions", "--disable-background-networking", f"--user-data-dir={self._folder.name}",
             "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._numbers = itertools.count(1)
        self._session = ""
        self.events: list[dict[str, Any]] = []
        """Of the browser, in order."""

        self._socket = self._connect()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setCPUThrottlingRate", rate=slower)
        self.call("Page.enable")

    def __enter__(self) -> DevTools:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()

    def _connect(self) -> ClientConnection:
        port = Path(self._folder.name) / "DevToolsActivePort"
        end = time.monotonic() + START_SECONDS
        while not (port.exists() and len(port.read_text().splitlines()) == 2):
            if time.monotonic() > end or self._process.poll() is not None:
                raise SystemExit("chromium did not start")
            time.sleep(0.05)
        number, path = port.read_text().splitlines()
        return connect(f"ws://127.0.0.1:{number}{path}", max_size=None, compression=None, proxy=None)

    def call(self, method: str, /, *, of_page: bool = True, **params: Any) -> dict[str, Any]:
        """What the browser answers; events that come before are kept."""
        number = next(self._numbers)
        session = {"sessionId": self._session} if of_page and self._session else {}
        self._socket.send(json.dumps({"id": number, "method": method, "params": params, **session}))
        while True:
            message: dict[str, Any] = json.loads(self._socket.recv())
            if message.get("id") == number:
                if "error" in message:
                    raise SystemExit(f"{method}: {message['error']['message']}")
                result: dict[str, Any] = message["result"]
                return result
            self.events.append(message)

    def wait(self, method: str) -> None:
        """Until an event of this name has come."""
        while not any(event.get("method") == method for event in self.events):
            self.events.append(json.loads(self._socket.recv()))

    def evaluate(self, expression: str) -> Any:
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def wait_for(self, expression: str, seconds: float = 60.0) -> Any:
        """What an expression is as soon as it is anything; it is looked at rarely, so that the page is left alone."""
        end = time.monotonic() + seconds
        while not (value := self.evaluate(expression)):
            if time.monotonic() > end:
                raise SystemExit(f"the page never had {expression}")
            time.sleep(0.25)
        return value

    def start_tracing(self, categories: list[str]) -> None:
        self.call("Tracing.start", of_page=False, transferMode="ReportEvents",
                  traceConfig={"includedCategories": [one for one in categories if not one.startswith("-")],
                               "excludedCategories": ["*"]})

    def stop_tracing(self) -> list[dict[str, Any]]:
        """Everything that was traced."""
        self.call("Tracing.end", of_page=False)
        self.wait("Tracing.tracingComplete")
        return [one for event in self.events if event.get("method") == "Tracing.dataCollected"
                for one in event["params"]["value"]]
