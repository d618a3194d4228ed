"""The Content-Security-Policy that stands in every page."""

from pathlib import Path

from macros.policy import add_policy, policy_for, script_hashes


def test_every_page_has_the_same_policy(site_dir: Path) -> None:
    policies = set()
    for page in site_dir.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert text.count('http-equiv="Content-Security-Policy"') == 1, page
        start = text.index('http-equiv="Content-Security-Policy" content="')
        policies.add(text[start:].split('"')[3])
        assert start < text.index("<script"), page
    (policy,) = policies
    directives = dict(part.split(" ", 1) for part in policy.split("; "))
    assert directives["default-src"] == "'self'"
    assert directives["object-src"] == "'none'"
    scripts = directives["script-src"].split()
    assert {"'self'", "'wasm-unsafe-eval'"} < set(scripts)
    assert "'unsafe-inline'" not in scripts
    assert "'unsafe-eval'" not in scripts
    # The theme's few lines, no more.
    assert len(scripts) < 16
    assert not [s for s in scripts if "://" in s or s == "*"]


def test_every_script_in_a_page_is_in_its_policy(site_dir: Path) -> None:
    for page in site_dir.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        policy = text[: text.index("; style-src")]
        for hash_ in script_hashes(text):
            assert f"'{hash_}'" in policy, page
        assert " onclick=" not in text
        assert "javascript:" not in text


def test_hashes_are_those_of_browsers() -> None:
    """The example of the CSP specification: `alert('Hello, world.');`."""
    page = "<script>alert('Hello, world.');</script>"
    assert script_hashes(page) == {"sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="}
    assert script_hashes('<script src="a.js"></script>') == set()
    assert script_hashes('<script type="application/json">{}</script>') == set()


def test_pages_get_the_hashes_of_one_another(tmp_path: Path) -> None:
    for name, script in (("a", "one()"), ("b", "two()")):
        text = f'<meta charset="utf-8"><script>{script}</script>'
        (tmp_path / f"{name}.html").write_text(text, encoding="utf-8")
    add_policy(tmp_path)
    hashes = script_hashes("<script>one()</script><script>two()</script>")
    for page in tmp_path.glob("*.html"):
        assert policy_for(hashes) in page.read_text(encoding="utf-8")
