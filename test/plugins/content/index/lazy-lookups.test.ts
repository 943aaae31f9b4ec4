import assert from "node:assert/strict";
import { runAtOnce } from "#lib/concurrency";
import { LazyLookups } from "../../../../plugins/content/index/lookups.js";
import { indexOf, type Sources } from "../../../support/content/content-tree.js";

const languages = { languages: ["en", "de"] };
const sources: Sources = {
  "default.md": "---\ntitle: Home\n---\n",
  "blog/blog.md": "---\nroutes: {aliases: [/old]}\npublish_date: 2024-01-01\n---\n",
  "blog/blog.de.md": "---\ntitle: Blog\n---\n",
  "docs/first.md": "---\ntitle: First\nvisible: true\n---\n",
};

/** The lookups after one page came, made from those of before. */
function withPage(path: string, text: string) {
  const before = indexOf(sources, languages);
  const after = indexOf({ ...sources, [path]: text }, languages, before);
  const lazy = new LazyLookups(before.pages);
  const { aliases, boundaries, navigation } = lazy;
  const asked = { aliases, boundaries, navigation, docs: lazy.folder("docs") };
  const old = before.placed.get(path);
  const now = after.placed.get(path);
  assert.ok(now);
  const change = { removed: old === undefined ? [] : [old], added: [now] };
  return { asked, now, next: runAtOnce(lazy.next(after.pages, change)) };
}

describe("LazyLookups", () => {
  it("reuses lookups that a page without alias and schedule does not affect", () => {
    const { asked, next } = withPage("docs/second.md", "# Second");
    assert.equal(next.aliases, asked.aliases);
    assert.equal(next.boundaries, asked.boundaries);
    assert.equal(next.folder("blog")?.own.length, 2);
  });

  it("rebuilds the lookups of the page", () => {
    const text = "---\nroutes: {aliases: [/2nd]}\nunpublish_date: 2025-01-01\n---\n";
    const { asked, next } = withPage("docs/second.md", text);
    assert.equal(next.aliases.get("en /2nd")?.sourcePath, "docs/second.md");
    assert.deepEqual(next.boundaries, [Date.UTC(2024, 0, 1), Date.UTC(2025, 0, 1)]);
    assert.equal(next.folder("docs")?.flat.length, 2);
    assert.equal(asked.docs?.flat.length, 1);
  });

  it("reuses the navigation until one of its pages or the order changes", () => {
    const visible = (path: string, text: string): [boolean, string[]] => {
      const { asked, next } = withPage(path, text);
      return [next.navigation === asked.navigation, next.navigation.map(({ route }) => route)];
    };
    const first = "/docs/first";
    assert.deepEqual(visible("docs/hidden.md", "# Hidden"), [true, [first]]);
    const second = "---\ntitle: Second\nvisible: true\n---\n";
    assert.deepEqual(visible("docs/second.md", second), [false, [first, "/docs/second"]]);
    assert.deepEqual(visible("docs/first.md", "---\ntitle: First\n---\n"), [false, []]);
    assert.deepEqual(visible("blog/blog.de.md", "---\ntitle: Other\n---\n"), [false, [first]]);
  });

  it("finds an added translation", () => {
    const { next, now } = withPage("docs/first.de.md", "# Erste");
    assert.deepEqual(
      next
        .translations(now)
        .map(({ lang }) => lang)
        .toSorted(),
      ["de", "en"],
    );
  });

  it("drops the boundaries of a page without a schedule", () => {
    assert.deepEqual(withPage("blog/blog.md", "# Blog").next.boundaries, []);
  });
});
