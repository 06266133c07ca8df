"""What mkdocs does besides: it takes into the site what the pages link to outside docs/.

The pages link to charts, studies and sources by their places in the project, so that they read well
in a checkout.  Each such file comes into the site at the same place, and the links are changed to
match: what is in docs/ stands at the top of the site.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
DOCS = "docs"
_LINK = re.compile(r"(\]\()([^)\s#:]+)(#[^)\s]*)?(\))")


def on_files(files: Files, config) -> Files:
    """Add every file outside docs/ that a page, or a page added so, links to."""
    waiting = [f"{DOCS}/{file.src_uri}" for file in files.documentation_pages()]
    known = set(waiting)
    while waiting:
        page = waiting.pop()
        for link in _LINK.findall((ROOT / page).read_text(encoding="utf-8")):
            place = _place(page, link[1])
            if place in known or place.startswith(f"{DOCS}/") or not (ROOT / place).is_file():
                continue
            known.add(place)
            files.append(File(place, str(ROOT), config.site_dir, config.use_directory_urls))
            if place.endswith(".md"):
                waiting.append(place)
    return files


def on_page_markdown(markdown: str, page, config, files) -> str:
    """Point the links of a page at the places that the files have in the site."""
    uri = page.file.src_uri
    place = uri if page.file.src_dir == str(ROOT) else f"{DOCS}/{uri}"

    def moved(link: re.Match[str]) -> str:
        target = _place(place, link[2])
        if not (ROOT / target).is_file():
            return link[0]
        target = target.removeprefix(f"{DOCS}/")
        relative = posixpath.relpath(target, posixpath.dirname(uri) or ".")
        return f"{link[1]}{relative}{link[3] or ''}{link[4]}"

    return _LINK.sub(moved, markdown)


def _place(page: str, link: str) -> str:
    """Return where a page's link leads, from the project's folder."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), link))
