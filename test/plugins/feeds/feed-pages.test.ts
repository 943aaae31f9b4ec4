import assert from "node:assert/strict";
import { feedPages, parseScope } from "../../../plugins/feeds/feed-document.js";
import { indexOf, viewOf } from "../../support/content/content-tree.js";

const post = (date: string, more = ""): string => `---\ntitle: T\ndate: ${date}\n${more}---\n`;
const view = viewOf(
  indexOf({
    "01.home/default.md": "# Home",
    "02.blog/blog.md": "# Blog",
    "02.blog/a/post.md": post("2026-01-01", "taxonomy: { tag: [x] }\n"),
    "02.blog/b/post.md": post("2026-02-01"),
    "02.blog/c/post.md": post("2026-01-01"),
    "02.blog/draft/post.md": post(
      "2026-09-01",
      "published: false\ntaxonomy: { tag: [x, hidden] }\n",
    ),
    "02.blog/gated/post.md": post("2026-09-02", "roles: [member]\n"),
    "02.blog/undated/post.md": "# U",
    "03.blogroll/d/post.md": post("2026-03-01"),
  }),
);

const languages = { supported: ["en"], main: "en", prefixOf: () => "" };

describe("the pages of a feed", () => {
  const routes = (path: string, limit = 9): string[] | null => {
    const scope = parseScope(view, path, languages);
    return scope && feedPages(view, scope, limit).map(({ route }) => route);
  };

  it("are the dated public ones, newest first, then by route", () => {
    assert.deepEqual(routes(""), ["/blogroll/d", "/blog/b", "/blog/a", "/blog/c"]);
  });

  it("are limited", () => assert.deepEqual(routes("", 1), ["/blogroll/d"]));

  it("of a section are below it, not beside it with the same prefix", () => {
    assert.deepEqual(routes("/blog"), ["/blog/b", "/blog/a", "/blog/c"]);
  });

  it("of a taxonomy value have it; a value with only hidden pages is not found", () => {
    assert.deepEqual(routes("/taxonomy/tag/x"), ["/blog/a"]);
    assert.equal(routes("/taxonomy/tag/hidden"), null);
  });

  for (const path of [
    "/none",
    "/blog/draft",
    "/blog/gated",
    "/taxonomy/tag",
    "/taxonomy/__proto__/x",
    "/taxonomy/constructor/name",
  ]) {
    it(`do not exist for ${path}`, () => assert.equal(routes(path), null));
  }
});
