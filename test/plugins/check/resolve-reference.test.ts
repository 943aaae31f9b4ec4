import assert from "node:assert/strict";
import { entryOf, referenceTargets } from "../../support/oracles/check-links.js";

const tree = {
  "01.home/default.md": "# Home",
  "02.blog/blog.md": "# Blog",
  "02.blog/01.one/post.md": "# One",
  "02.blog/02.draft/post.md": "---\npublished: false\n---\n",
  "02.blog/03.gated/post.md": "---\nroles: [member]\n---\n",
  "articles/first.md": "# First",
  "articles/übung.md": "# Übung",
  "articles/second.mkd": "# Second",
};
const media = ["02.blog/01.one/p.png", "02.blog/01.one/a b.png", "logo.svg"];
const { generation, targets } = referenceTargets(tree, media);

async function resolved(from: string, written: string): Promise<string> {
  const found = await targets.resolve(entryOf(generation.entries, from), written);
  if (found.kind === "page")
    return `${found.entry.sourcePath} ${found.style} ${found.suffix}`.trim();
  return found.kind === "media"
    ? `${found.path} ${found.style} ${found.suffix}`.trim()
    : found.kind;
}

describe("an address in a page", () => {
  for (const [from, written, expected] of [
    ["01.home/default.md", "/blog/one?a=1#x", "02.blog/01.one/post.md route ?a=1#x"],
    ["01.home/default.md", "../02.blog/01.one/post.md#x", "02.blog/01.one/post.md file #x"],
    ["01.home/default.md", "../02.blog/01.one/", "02.blog/01.one/post.md file"],
    ["01.home/default.md", "/02.blog/01.one/post.md", "02.blog/01.one/post.md file"],
    ["01.home/default.md", "/articles/first", "articles/first.md route"],
    ["01.home/default.md", "/articles/%C3%BCbung", "articles/übung.md route"],
    ["articles/first.md", "übung.md", "articles/übung.md file"],
    ["articles/first.md", "second", "articles/second.mkd file"],
    ["01.home/default.md", "/blog/draft", "02.blog/02.draft/post.md route"],
    ["01.home/default.md", "/blog/gated", "02.blog/03.gated/post.md route"],
    ["02.blog/01.one/post.md", "p.png", "02.blog/01.one/p.png file"],
    ["02.blog/01.one/post.md", "a%20b.png", "02.blog/01.one/a b.png file"],
    ["01.home/default.md", "/content-media/02.blog/01.one/p.png", "02.blog/01.one/p.png route"],
    ["01.home/default.md", "/blog/one/p.png", "02.blog/01.one/p.png route"],
    ["01.home/default.md", "../logo.svg", "logo.svg file"],
    ["01.home/default.md", "/docs/articles/first.md#x", "articles/first.md file #x"],
    ["01.home/default.md", "/docs/articles/first", "articles/first.md file"],
    ["01.home/default.md", "/docs/logo.svg", "logo.svg file"],
  ] as const) {
    it(`${written} of ${from} resolves to ${expected}`, async () => {
      assert.equal(await resolved(from, written), expected);
    });
  }

  for (const written of [
    "",
    " ",
    "#x",
    "?a",
    "{{ x }}",
    "https://a.example/blog",
    "//a.example/",
    "mailto:a@b.example",
    "javascript:alert(1)",
    "/api/pages",
  ]) {
    it(`${JSON.stringify(written)} belongs to another site or part`, async () => {
      assert.equal(await resolved("01.home/default.md", written), "elsewhere");
    });
  }

  for (const written of [
    "/none",
    "/docs/none.md",
    "docs/articles/first.md",
    "none.md",
    "../../../etc/passwd",
    "/%E0%A4%A",
    "/blog%00",
    "/blog\\one",
    "/content-media/none.png",
    "/blog/one/none.png",
    "/__proto__",
  ]) {
    it(`${JSON.stringify(written)} is broken`, async () => {
      assert.equal(await resolved("02.blog/01.one/post.md", written), "broken");
    });
  }
});
