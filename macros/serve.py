"""A static server for the built site, on this machine only."""

import errno
import http.server
import sys
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from macros import BuildError

HOST = "127.0.0.1"


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Serves one folder under one path, quietly, with the types that browsers insist on."""

    # Not left to the machine's own table of types: a module or a wasm file sent as plain text does
    # not load.
    extensions_map = {  # noqa: RUF012  (the base class has it so)
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".css": "text/css",
        ".html": "text/html",
        ".js": "text/javascript",
        ".json": "application/json",
        ".mjs": "text/javascript",
        ".svg": "image/svg+xml",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
        ".whl": "application/zip",
        ".zip": "application/zip",
    }
    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, directory: str, prefix: str, **kwargs: Any) -> None:
        self.prefix = prefix
        super().__init__(*args, directory=directory, **kwargs)

    def translate_path(self, path: str) -> str:
        """Give the file for a URL path; what is outside the prefix names no file."""
        if not path.startswith(self.prefix):
            return str(Path(self.directory) / "outside the site")
        return super().translate_path("/" + path.removeprefix(self.prefix))

    def list_directory(self, path: Any) -> None:
        """List nothing: a folder without a page is an unknown address."""
        self.send_error(HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        """Have the browser ask each time, so that a new build is seen at once."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer an unknown address as static hosts do: with the site's own page for it."""
        page = Path(self.directory) / "404.html"
        if code != HTTPStatus.NOT_FOUND or not page.is_file():
            super().send_error(code, message, explain)
            return
        content = page.read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the base class has it so)
        """Keep quiet: the terminal is for the address and for errors."""


class SiteServer(http.server.ThreadingHTTPServer):
    """Serves ``folder`` at ``url``; port 0 takes any free one."""

    # Pages ask for many files at once, also when the machine is busy.
    request_queue_size = 128

    def __init__(self, folder: Path, port: int = 0, prefix: str = "/") -> None:
        self.prefix = prefix
        handler = partial(SiteHandler, directory=str(folder), prefix=prefix)
        try:
            super().__init__((HOST, port), handler)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
            reason = "in use" if error.errno == errno.EADDRINUSE else "not open to this user"
            raise BuildError(
                f"port {port} is {reason}: choose another with ./site-build.sh serve --port N"
            ) from error

    @property
    def url(self) -> str:
        """Give the address of the site's first page."""
        return f"http://{HOST}:{self.server_port}{self.prefix}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over a browser that hung up; show every other fault."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)
