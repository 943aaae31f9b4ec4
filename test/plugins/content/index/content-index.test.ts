import assert from "node:assert/strict";
import { indexOf } from "../../../support/content/content-tree.js";

const index = indexOf(
  {
    "default.md": "---\ntitle: Home\n---\n",
    "blog/blog.md": "---\nroutes: {aliases: [/old]}\npublish_date: 2024-01-01\n---\n",
    "blog/blog.de.md": "---\ntitle: Blog\n---\n",
    "blog/a/post.md": "---\nroutes: {aliases: [/old, /a]}\nunpublish_date: 2023-01-01\n---\n",
    "docs/first.md": "---\nroles: member\n---\n",
    "docs/second.md": "---\nslug: 2nd\n---\n",
    "docs/second.de.md": "---\nslug: zweite\n---\n",
    "members/default.md": "---\nroles: member\n---\n",
    "members/pictures/flat.md": "---\nroles: other\n---\n",
    "_drafts/d/post.md": "---\nroutes: {aliases: [/draft]}\n---\n",
  },
  { languages: ["en", "de"] },
);
const paths = (entries: readonly { sourcePath: string }[]): string[] =>
  entries.map(({ sourcePath }) => sourcePath);

describe("ContentIndex", () => {
  it("assigns an alias to the first page that has it, and never to drafts", () => {
    assert.equal(index.alias("/old", "en")?.sourcePath, "blog/blog.md");
    assert.equal(index.alias("/a", "en")?.sourcePath, "blog/a/post.md");
    assert.equal(index.alias("/a", "de"), undefined);
    assert.equal(index.alias("/draft", "en"), undefined);
  });

  for (const [sourcePath, expected] of [
    ["blog/blog.de.md", ["blog/blog.de.md", "blog/blog.md"]],
    ["docs/second.md", ["docs/second.de.md", "docs/second.md"]],
    ["docs/first.md", ["docs/first.md"]],
  ] as const) {
    it(`finds the translations of ${sourcePath}`, () => {
      const entry = index.bySource.get(sourcePath);
      assert.ok(entry);
      assert.deepEqual(paths(index.translations(entry)).sort(), expected);
    });
  }

  it("distinguishes a folder's page from its flat pages", () => {
    assert.deepEqual(paths(index.folder("blog")?.own ?? []).sort(), [
      "blog/blog.de.md",
      "blog/blog.md",
    ]);
    assert.deepEqual(index.folder("docs")?.own, []);
    assert.equal(index.folder("docs")?.flat.length, 3);
    assert.equal(index.folder("none"), undefined);
  });

  for (const [folder, owner] of [
    ["blog/a", "blog/a/post.md"],
    ["blog/a/pictures/deep", "blog/a/post.md"],
    ["members/none", "members/default.md"],
    ["members/pictures", "members/pictures/flat.md"],
    ["", "default.md"],
    ["elsewhere", undefined],
  ] as const) {
    it(`puts the media of ${folder || "the top"} behind ${owner ?? "no page"}`, () => {
      assert.equal(index.ownerOf(folder)?.sourcePath, owner);
    });
  }

  it("assigns media next to flat pages to a public page", () => {
    assert.match(index.ownerOf("docs")?.sourcePath ?? "", /^docs\/second/);
  });

  it("has the boundaries of its schedule, ascending", () => {
    assert.deepEqual(index.boundaries, [Date.UTC(2023, 0, 1), Date.UTC(2024, 0, 1)]);
  });

  it("computes a value once per key, and evicts the oldest beyond 128", () => {
    const fresh = indexOf({});
    const isNumber = (value: unknown): value is number => typeof value === "number";
    const made = { count: 0 };
    const make = (): number => (made.count += 1);
    assert.equal(fresh.once("first", make, isNumber), 1);
    assert.equal(fresh.once("first", make, isNumber), 1);
    for (let at = 0; at < 128; at += 1) fresh.once(String(at), make, isNumber);
    assert.equal(fresh.once("first", make, isNumber), 130);
  });
});
