import assert from "node:assert/strict";
import type { Page } from "../../../plugins/content/contract.js";
import { toPage, publicSource } from "../../../plugins/pages/items.js";
import { indexOf } from "../../support/content/content-tree.js";

function pageOf(text: string): Page {
  const [entry] = indexOf({ "01.home/post.md": text }).entries;
  assert.ok(entry);
  const raw = text.replace(/^\ufeff/, "");
  const body = Buffer.from(text).subarray(entry.bodyOffset).toString();
  return { entry, raw: text.length === raw.length ? raw : text, body, media: [] };
}

describe("keys that start with _", () => {
  const sources: Readonly<Record<string, string>> = {
    "a scalar": "_key: zcanaryz\ntitle: T\n",
    "the last key": "title: T\n_key: zcanaryz\n",
    "a map": "_key:\n  deep:\n    deeper: zcanaryz\ntitle: T\n",
    "an indented list": "_key:\n  - zcanaryz\n  - zcanaryz\ntitle: T\n",
    "a list at the margin": "_key:\n- zcanaryz\n- a: zcanaryz\n  b: zcanaryz\ntitle: T\n",
    "a list at the margin, empty item": "_key:\n-\n  zcanaryz\ntitle: T\n",
    "a block text": "_key: |\n  zcanaryz\n\n  zcanaryz\ntitle: T\n",
    "a folded quote": '_key: "one\n  zcanaryz"\ntitle: T\n',
    "a flow map over lines": "_key: {a: 1,\n  b: zcanaryz}\ntitle: T\n",
    "a quoted key": '"_key": zcanaryz\ntitle: T\n',
    "a quoted key in single quotes": "'_key': zcanaryz\ntitle: T\n",
    "a comment in between": "_key:\n# zcanaryz\n  a: zcanaryz\ntitle: T\n",
    "lines with CRLF": "_key:\r\n  a: zcanaryz\r\ntitle: T\r\n",
    "a key with a tag": "!!str _key: zcanaryz\ntitle: T\n",
    "an explicit key": "? _key\n: zcanaryz\ntitle: T\n",
    "an anchor": "&a _key: zcanaryz\ntitle: T\n",
    "a flow map as a whole": "{_key: zcanaryz, title: T}\n",
    "a space before the first key": "  _key: zcanaryz\n  title: T\n",
    "an escaped key": '"\\u005fkey": zcanaryz\ntitle: T\n',
    "several keys": "_a: zcanaryz\ntitle: T\n_b: [zcanaryz]\n_c:\n",
    "a byte order mark": "\ufeff",
  };
  for (const [what, yaml] of Object.entries(sources)) {
    it(`are hidden, also in the source: ${what}`, async () => {
      const eol = yaml.includes("\r\n") ? "\r\n" : "\n";
      const text =
        yaml === "\ufeff"
          ? "\ufeff---\n_key: zcanaryz\ntitle: T\n---\nBody.\n"
          : `---${eol}${yaml}---${eol}Body.${eol}`;
      const shown = await toPage(pageOf(text), "<p>Body.</p>");
      assert.doesNotMatch(JSON.stringify(shown), /zcanaryz/);
      assert.match(shown.rawContent, /Body\./);
      assert.equal(shown.title, "T");
    });
  }

  it("leave the rest of the source unchanged", async () => {
    const text =
      "---\n# a comment\ntitle: T   # why\n_key: x\nsnake_case: 1\nlist:\n- _not: a key\n---\n_emphasis_ and\n---\n_key: in the body\n";
    assert.equal(publicSource(pageOf(text)), text.replace("_key: x\n", ""));
  });

  it("hide the source of a TSX page, whose keys cannot be removed", async () => {
    const page = pageOf("# x\n");
    const entry = { ...page.entry, frontmatter: { _key: "zcanaryz" } };
    const raw = 'export const frontmatter = { _key: "zcanaryz" };\n';
    assert.equal(publicSource({ ...page, entry, raw, body: raw }), "");
  });
});
