"""The built site, as the tests read it."""

from pathlib import Path

import pytest

from macros import SITE
from macros.site import build_site
from tests.site.pages import BuiltPage, read_page


@pytest.fixture(scope="session")
def site_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of the built site; where there is none, build the pages."""
    if (SITE / "index.html").is_file():
        return SITE
    out = tmp_path_factory.mktemp("site")
    build_site(out)
    return out


@pytest.fixture(scope="session")
def pages(site_dir: Path) -> dict[str, BuiltPage]:
    """Give every page of the site by its path, `zh-Hant/games/sibaifen/index.html`."""
    files = sorted(site_dir.rglob("*.html"))
    return {f.relative_to(site_dir).as_posix(): read_page(f) for f in files}
