// The link to the same page in the other script takes along what the address says of the widgets, and
// the clause that the reader is at.

import { named } from "./place.js";

/** Below the page's header. */
const READING_LINE = 80;

/** The id of the part of the page that is being read, "" near the top. */
function place() {
  const part = named();
  if (part && isSeen(part)) return part.id;
  if (scrollY < innerHeight / 2) return "";
  const parts = document.querySelectorAll(".md-content .clause[id], .md-content h2[id]");
  return [...parts].find(isSeen)?.id ?? "";
}

/** @param {Element} part */
function isSeen(part) {
  const { top, bottom } = part.getBoundingClientRect();
  return bottom > READING_LINE && top < innerHeight;
}

/** @param {MouseEvent} event */
function aim(event) {
  const link =
    event.target instanceof Element ? event.target.closest("a[data-script-switch]") : null;
  if (!(link instanceof HTMLAnchorElement)) return;
  // The header stays when instant navigation puts in another page; the head says which page this is.
  const same = `link[rel=alternate][hreflang="${link.hreflang}"]`;
  const page = document.head.querySelector(same);
  if (!(page instanceof HTMLLinkElement)) return;
  const url = new URL(page.href);
  url.search = location.search;
  url.hash = place();
  link.href = url.href;
}

// Before Material's instant navigation sees the click; a middle click opens a tab without one.
document.addEventListener("click", aim, true);
document.addEventListener("auxclick", aim, true);
