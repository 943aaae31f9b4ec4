import assert from "node:assert/strict";
import {
  folderOf,
  isIgnoredName,
  joinPath,
  nameOf,
  parseFileName,
  parseFolderName,
  toSlug,
} from "../../../../plugins/content/read/source-name.js";

const rules = {
  formats: new Set(["md", "tsx"]),
  languages: ["en", "de"],
  defaultLanguage: "en",
};

describe("parseFolderName", () => {
  const plain = { order: null, isModule: false, isDrafts: false };
  for (const [name, expected] of [
    ["blog", { ...plain, slug: "blog" }],
    ["01.blog", { ...plain, order: 1, slug: "blog" }],
    ["10.v2.0", { ...plain, order: 10, slug: "v2.0" }],
    ["_hero", { ...plain, slug: "_hero", isModule: true }],
    ["02._hero", { ...plain, order: 2, slug: "_hero", isModule: true }],
    ["_drafts", { ...plain, slug: "_drafts", isModule: true, isDrafts: true }],
    ["2024", { ...plain, slug: "2024" }],
    ["01.", { ...plain, slug: "01." }],
    ["1234567890.x", { ...plain, slug: "1234567890.x" }],
    ["u\u0308", { ...plain, slug: "\u00fc" }],
  ] as const) {
    it(`reads ${JSON.stringify(name)}`, () => assert.deepEqual(parseFolderName(name), expected));
  }
});

describe("parseFileName", () => {
  const plain = { order: null, lang: "en", format: "md", isModule: false };
  for (const [name, expected] of [
    ["post.md", { ...plain, stem: "post" }],
    ["default.de.md", { ...plain, stem: "default", lang: "de" }],
    ["02.about.md", { ...plain, stem: "about", order: 2 }],
    ["02.about.de.md", { ...plain, stem: "about", order: 2, lang: "de" }],
    ["release.fr.md", { ...plain, stem: "release.fr" }],
    ["de.md", { ...plain, stem: "de" }],
    ["_note.md", { ...plain, stem: "_note", isModule: true }],
    ["page.de.tsx", { ...plain, stem: "page.de", format: "tsx" }],
  ] as const) {
    it(`reads ${name}`, () => assert.deepEqual(parseFileName(name, rules), expected));
  }

  for (const name of [".md", ".hidden.md", "image.png", "post.MD", "README", "md", ""]) {
    it(`does not treat ${JSON.stringify(name)} as content`, () => {
      assert.equal(parseFileName(name, rules), null);
    });
  }
});

describe("isIgnoredName", () => {
  for (const name of [".git", ".x.md", "node_modules", "a.md~", "a\nb", "a\u0000", "a\\b"]) {
    it(`ignores ${JSON.stringify(name)}`, () => assert.equal(isIgnoredName(name), true));
  }
  for (const name of ["a.md", "_drafts", "~a", "node_modules2", "a b"]) {
    it(`keeps ${JSON.stringify(name)}`, () => assert.equal(isIgnoredName(name), false));
  }
});

describe("paths below content/", () => {
  it("are split at the last slash and joined again", () => {
    for (const [path, folder, name] of [
      ["a/b/c.md", "a/b", "c.md"],
      ["c.md", "", "c.md"],
    ] as const) {
      assert.equal(folderOf(path), folder);
      assert.equal(nameOf(path), name);
      assert.equal(joinPath(folder, name), path);
    }
  });

  it("have composed characters in routes", () => assert.equal(toSlug("e\u0301"), "\u00e9"));
});
