import assert from "node:assert/strict";
import { runAtOnce } from "#lib/concurrency";
import { LazyLookups, buildLookups } from "../../../../plugins/content/index/lookups.js";
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

  it("pause regularly while they are made, regardless of the number of pages", () => {
    const placed = [...indexOf(sources, languages).placed.values()];
    const many = Array.from({ length: 400 }, () => placed).flat();
    assert.equal([...buildLookups(many)].length, Math.floor(many.length / 500));
  });
});
