"""The server of the bench: gives files as a good host does, gzipped where that helps, and counts."""

import gzip
import http.server
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any

from macros.serve import HOST, SiteHandler

PACKED = (".css", ".html", ".js", ".json", ".mjs", ".svg", ".toml", ".wasm", ".xml")
"""What is gzipped on its way; zip and gz files are packed already."""
Change = Callable[[bytes], bytes]


class Files:
    """The files of a folder as they are sent: each read and packed once."""

    def __init__(self, folder: Path, html: Change | None = None) -> None:
        """`html` changes pages before they are sent."""
        self.folder = folder
        self.html = html
        self._known: dict[Path, tuple[bytes, bool]] = {}

    def get(self, path: str) -> tuple[str, bytes, bool] | None:
        """Name, content as sent, and whether that is gzipped; None where there is no such file."""
        file = self.folder / path
        if file.is_dir():
            file /= "index.html"
        if not file.is_file():
            return None
        if file not in self._known:
            content = file.read_bytes()
            if self.html and file.suffix == ".html":
                content = self.html(content)
            packed = file.suffix in PACKED
            self._known[file] = (gzip.compress(content, 9) if packed else content, packed)
        return file.name, *self._known[file]


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "BenchServer"

    def do_GET(self) -> None:
        """Send a file, or say that the browser has it."""
        top, _, rest = self.path.partition("?")[0].removeprefix("/").partition("/")
        files = self.server.folders.get(top)
        found = files.get(rest) if files else None
        if found is None:
            self.send_response(HTTPStatus.NOT_FOUND)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        name, content, packed = found
        tag = f'"{zlib.crc32(content):x}"'
        # What is built anew on each deployment is asked for each time, and not sent again.
        if self.headers.get("If-None-Match") == tag:
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.send_header("ETag", tag)
            self.end_headers()
            return
        self.send_response(HTTPStatus.OK)
        kind = SiteHandler.extensions_map.get(Path(name).suffix, "application/octet-stream")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-cache")
        self.send_header("ETag", tag)
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.server.sent.append((self.path, len(content)))
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the base class has it so)
        """Say nothing."""


class BenchServer(http.server.ThreadingHTTPServer):
    """Serves folders by name at `url`; `sent` lists the path and bytes of all that was sent."""

    request_queue_size = 128

    def __init__(self, folders: Mapping[str, Files]) -> None:
        super().__init__((HOST, 0), partial(_Handler))
        self.folders = folders
        self.sent: list[tuple[str, int]] = []

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up is no fault."""


@contextmanager
def serving(folders: Mapping[str, Files]) -> Iterator[BenchServer]:
    """A server that runs while its block does."""
    with BenchServer(folders) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
