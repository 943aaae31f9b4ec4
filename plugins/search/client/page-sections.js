// Sections of pages for the search dialog of an export: read from the pages themselves.
import { cutExcerpt, findMatches } from "../query/excerpt.js";

const MAX_PAGES = 3;
const MAX_SECTIONS = 3;
const EXCERPT_LENGTH = 90;
const pages = new Map();

/** The best sections of the first items, by route, as the server's API returns them. */
export async function sectionsOf(items, terms, site) {
  const found = await Promise.all(
    items
      .slice(0, MAX_PAGES)
      .map(async ({ route }) => [route, matching(await sectionsAt(route, site), terms)]),
  );
  return Object.fromEntries(found.filter(([, sections]) => sections.length > 0));
}

function sectionsAt(route, site) {
  const known = pages.get(route) ?? read(new URL(route.replace(/^\/+/, ""), site));
  pages.set(route, known);
  return known;
}

async function read(url) {
  const response = await fetch(url).catch(() => null);
  if (response?.ok !== true) return [];
  const main = new DOMParser()
    .parseFromString(await response.text(), "text/html")
    .querySelector("main");
  const headings = [...(main?.querySelectorAll("h2[id], h3[id], h4[id]") ?? [])];
  return headings.map((heading) => ({
    id: heading.id,
    title: heading.textContent.trim(),
    text: textAfter(heading),
  }));
}

function textAfter(heading) {
  let text = "";
  for (let next = heading.nextElementSibling; next !== null; next = next.nextElementSibling) {
    if (/^H[1-6]$/.test(next.nodeName)) break;
    text += ` ${next.textContent}`;
  }
  return text.replace(/\s+/g, " ").trim();
}

function matching(sections, terms) {
  const count = (text) => new Set(findMatches(text, terms).map(({ term }) => term)).size;
  return sections
    .map(({ id, title, text }, at) => {
      const excerpt = cutExcerpt(text, { terms, length: EXCERPT_LENGTH, highlight: true }).html;
      return { worth: count(title) * 2 + count(text), at, hit: { id, title, excerpt } };
    })
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth || a.at - b.at)
    .slice(0, MAX_SECTIONS)
    .map(({ hit }) => hit);
}
