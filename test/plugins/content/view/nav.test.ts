import assert from "node:assert/strict";
import type { LanguageChoice, NavItem } from "../../../../plugins/content/contract.js";
import { navItems, navTree } from "../../../../plugins/content/view/nav.js";
import { visibleLists } from "../../../../plugins/content/view/visible-lists.js";
import { anonymous } from "../../../../plugins/content/view/view.js";
import { indexOf, listRules, type Sources } from "../../../support/content/content-tree.js";

const rules = { languages: ["en", "de"] };
const english = "en";
const german = { lang: "de", fallback: true };

function listsOf(sources: Sources) {
  return visibleLists(
    indexOf(sources, { languages: ["en", "de"] }),
    anonymous,
    listRules(0, rules),
  );
}
/** Titles, children in brackets behind their parent. */
function shape(items: readonly NavItem[]): string {
  return items
    .map(
      ({ title, children = [] }) => title + (children.length === 0 ? "" : `[${shape(children)}]`),
    )
    .join(" ");
}

const sources: Sources = {
  "01.home/default.md": "---\ntitle: Home\n---\n",
  "02.blog/blog.md": "---\ntitle: Blog\nnav_title: News\n---\n",
  "02.blog/01.first/post.md": "---\ntitle: First\n---\n",
  "02.blog/hidden/post.md": "---\ntitle: Hidden\n---\n",
  "02.blog/hidden/01.deep/post.md": "---\ntitle: Deep\n---\n",
  "03.draft/default.md": "---\ntitle: Draft\npublished: false\n---\n",
  "04.members/default.md": "---\ntitle: Members\nroles: member\n---\n",
  "loose.md": "---\ntitle: Loose\n---\n",
};

describe("navItems", () => {
  it("lists visible pages, depth first, with their navigation titles", () => {
    assert.equal(shape(navItems(listsOf(sources), english)), "Home News First Deep");
  });

  it("has the fields of a navigation item and no children", () => {
    assert.deepEqual(navItems(listsOf(sources), english)[1], {
      route: "/blog",
      url: "/blog",
      title: "News",
      order: 2,
      depth: 0,
      template: "blog",
    });
  });

  it("has percent-encoded addresses in its language, even for untranslated pages", () => {
    const lists = listsOf({ ...sources, "05.über uns.md": "# Us\n" });
    const urls = (language: LanguageChoice): string[] =>
      navItems(lists, language).map(({ url }) => url);
    const [us, blog] = ["/%C3%BCber%20uns", ["/blog", "/blog/first", "/blog/hidden/deep"]];
    assert.deepEqual(urls(english), ["/", ...blog, us]);
    assert.deepEqual(urls(german), ["/de", ...[...blog, us].map((url) => `/de${url}`)]);
  });

  it("is made once", () => {
    const lists = listsOf(sources);
    assert.equal(navItems(lists, english), navItems(lists, english));
  });
});

describe("navTree", () => {
  it("moves pages with a hidden parent to the nearest visible ancestor, and none below home", () => {
    assert.equal(shape(navTree(listsOf(sources), english)), "Home News[First Deep]");
  });

  it("shows translations in place of their originals, and pages that exist only as translations", () => {
    const lists = listsOf({
      ...sources,
      "02.blog/blog.de.md": "---\ntitle: Nachrichten\n---\n",
      "05.nur/default.de.md": "---\ntitle: Nur\n---\n",
    });
    assert.equal(shape(navTree(lists, german)), "Home Nachrichten[First Deep] Nur");
    assert.equal(shape(navTree(lists, english)), "Home News[First Deep]");
  });

  it("marks pages that replace a missing translation, and omits them without fallback", () => {
    const lists = listsOf({ ...sources, "02.blog/blog.de.md": "---\ntitle: Nachrichten\n---\n" });
    const marks = navItems(lists, german).map(({ lang, fallback }) => [lang, fallback]);
    const [standIn, translated] = [
      ["en", true],
      [undefined, undefined],
    ];
    assert.deepEqual(marks, [standIn, translated, standIn, standIn]);
    assert.equal(shape(navTree(lists, "de")), "Nachrichten");
  });

  it("puts pages below a translation with its own route, translated or not", () => {
    const lists = listsOf({
      ...sources,
      "02.blog/blog.de.md": "---\ntitle: Nachrichten\nslug: neues\n---\n",
      "02.blog/02.second/post.md": "---\ntitle: Second\n---\n",
      "02.blog/02.second/post.de.md": "---\ntitle: Zweiter\n---\n",
    });
    assert.equal(shape(navTree(lists, german)), "Home Nachrichten[First Zweiter Deep]");
    const urls = navItems(lists, german).map(({ url }) => url);
    const below = ["/de/neues", "/de/blog/first", "/de/neues/second", "/de/blog/hidden/deep"];
    assert.deepEqual(urls, ["/de", ...below]);
  });

  it("omits a page whose translation is not visible", () => {
    const text = "---\ntitle: Nachrichten\nvisible: false\n---\n";
    const lists = listsOf({ ...sources, "02.blog/blog.de.md": text });
    assert.equal(shape(navTree(lists, german)), "Home First Deep");
  });
});
