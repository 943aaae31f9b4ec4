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
  languages: ["en", "de", "pt-BR"],
  defaultLanguage: "en",
};

describe("parseFolderName", () => {
  const plain = { order: null, isModule: false, isHidden: false, isDrafts: false };
  for (const [name, expected] of [
    ["blog", { ...plain, slug: "blog" }],
    ["01.blog", { ...plain, order: 1, slug: "blog" }],
    ["10.v2.0", { ...plain, order: 10, slug: "v2.0" }],
    ["_hero", { ...plain, slug: "_hero", isModule: true }],
    ["02._hero", { ...plain, order: 2, slug: "_hero", isModule: true }],
    ["_drafts", { ...plain, slug: "_drafts", isModule: true, isDrafts: true }],
    ["_partials", { ...plain, slug: "_partials", isHidden: true }],
    ["2024", { ...plain, slug: "2024" }],
    ["01.", { ...plain, slug: "01." }],
    ["1234567890.x", { ...plain, slug: "1234567890.x" }],
    ["5.1", { ...plain, slug: "5.1" }],
    ["2.0", { ...plain, slug: "2.0" }],
    ["1.54.0-prerelease", { ...plain, slug: "1.54.0-prerelease" }],
    ["2.0-rc.1", { ...plain, slug: "2.0-rc.1" }],
    ["2.x", { ...plain, slug: "2.x" }],
    ["02.x", { ...plain, order: 2, slug: "x" }],
    ["01.2024-review", { ...plain, order: 1, slug: "2024-review" }],
    ["02.old", { ...plain, order: 2, slug: "old" }],
    ["_Draft", { ...plain, slug: "_Draft", isModule: true, isDrafts: true }],
    ["1. a\u00a0b\u200b ", { ...plain, order: 1, slug: "a b" }],
    ["u\u0308", { ...plain, slug: "\u00fc" }],
  ] as const) {
    it(`reads ${JSON.stringify(name)}`, () => assert.deepEqual(parseFolderName(name), expected));
  }
});

describe("parseFileName", () => {
  const plain = { order: null, lang: "en", format: "md", foreignLanguage: null, copySuffix: null };
  for (const [name, expected] of [
    ["post.md", { ...plain, stem: "post" }],
    ["default.de.md", { ...plain, stem: "default", lang: "de" }],
    ["02.about.md", { ...plain, stem: "about", order: 2 }],
    ["02.about.de.md", { ...plain, stem: "about", order: 2, lang: "de" }],
    ["release.fr.md", { ...plain, stem: "release.fr", foreignLanguage: "fr" }],
    ["a.DE.md", { ...plain, stem: "a", lang: "de" }],
    ["a.pt-br.md", { ...plain, stem: "a", lang: "pt-BR" }],
    ["a.PT_BR.md", { ...plain, stem: "a", lang: "pt-BR" }],
    ["a.pt-PT.md", { ...plain, stem: "a.pt-PT", foreignLanguage: "pt-PT" }],
    ["a.eng.md", { ...plain, stem: "a.eng", foreignLanguage: "eng" }],
    ["a.cn.md", { ...plain, stem: "a.cn", foreignLanguage: "cn" }],
    ["03.old.md", { ...plain, stem: "old", order: 3 }],
    ["a.draft.md", { ...plain, stem: "a.draft", copySuffix: "draft" }],
    ["a.bak.de.md", { ...plain, stem: "a.bak", lang: "de", copySuffix: "bak" }],
    ["d3.js.md", { ...plain, stem: "d3.js" }],
    ["3.1.md", { ...plain, stem: "3.1" }],
    ["3.1.de.md", { ...plain, stem: "3.1", lang: "de" }],
    ["1.54.0-prerelease.md", { ...plain, stem: "1.54.0-prerelease" }],
    ["post.MD", { ...plain, stem: "post" }],
    ["post.markdown", { ...plain, stem: "post" }],
    ["post.Markdown", { ...plain, stem: "post" }],
    ["post.mkd", { ...plain, stem: "post" }],
    ["_index.md", { ...plain, stem: "_index" }],
    ["de.md", { ...plain, stem: "de" }],
    ["page.de.tsx", { ...plain, stem: "page.de", format: "tsx" }],
  ] as const) {
    it(`reads ${name}`, () => assert.deepEqual(parseFileName(name, rules), expected));
  }

  for (const name of [
    ".md",
    ".hidden.md",
    "image.png",
    "_note.md",
    "02._note.md",
    "README",
    "md",
    "",
  ]) {
    it(`does not treat ${JSON.stringify(name)} as content`, () => {
      assert.equal(parseFileName(name, rules), null);
    });
  }
});

describe("isIgnoredName", () => {
  for (const name of [
    ".git",
    ".x.md",
    "node_modules",
    "a.md~",
    "a\nb",
    "a\u0000",
    "a\\b",
    "#a.md#",
    ".#a.md",
    "a.md.bak",
    "a.md.BAK",
    "a.md.orig",
    "a.md.rej",
    "a.md.swp",
    "a.md.tmp",
    "a.md.old",
    "a_BACKUP_4711.md",
    "a.sync-conflict-20260101-120000-ABCDEFG.md",
    "a (Ann's conflicted copy 2026-01-01).md",
  ]) {
    it(`ignores ${JSON.stringify(name)}`, () => assert.equal(isIgnoredName(name), true));
  }
  for (const name of ["a.md", "_drafts", "~a", "node_modules2", "a b", "02.old", "bak.md"]) {
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
