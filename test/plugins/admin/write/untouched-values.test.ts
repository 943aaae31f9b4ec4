import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { useAdmin } from "../../../support/sites/use-site.js";

const PAGE = "shop.md";
const MATTER = `# the shop
title: Old title   # shown
zip: 01234
phone: 0049301234567
post_id: 1234567890123456789
version: 1.10
tags: [a,b]
map: {x: 1,   y: 2}
'quoted': "yes"
1.10: a number
2024-01-02: a day
__sizes: [1.0]
base: &base
  city: 'Port'
other: *base
text: >
  folded
  lines
`;

describe("values that a change does not name", () => {
  const site = useAdmin();
  const editor = site.user("editor");
  /** Replaces the page. */
  const open = async (page: string): Promise<void> => {
    await site.write(`content/${PAGE}`, page);
    await site.site.use("content").refresh([PAGE]);
  };
  const onDisk = () => readFile(join(site.root, "content", PAGE), "utf8");
  const save = (frontmatter: unknown) =>
    editor.send("PUT", `/admin/api/pages/${PAGE}`, { frontmatter });

  for (const [what, lineBreak] of [
    ["line feeds", "\n"],
    ["Windows line ends", "\r\n"],
  ] as const) {
    it(`stay byte for byte in a page with ${what}`, async () => {
      const page = `\uFEFF---\n${MATTER}---\n\nText.\n`.replaceAll("\n", lineBreak);
      await open(page);
      assert.equal((await save({ title: "New title" })).status, 200);
      assert.equal(await onDisk(), page.replace("Old title", "New title"));
      assert.equal((await save({ map: { y: 3, x: null }, added: { deep: ["x"] } })).status, 200);
      const added = `added:${lineBreak}  deep:${lineBreak}    - x${lineBreak}---`;
      const changed = page
        .replace("Old title", "New title")
        .replace("{x: 1,   y: 2}", "{y: 3}")
        .replace(`lines${lineBreak}---`, `lines${lineBreak}${added}`);
      assert.equal(await onDisk(), changed);
    });
  }

  it("are read as the texts in the file", async () => {
    await open(`---\n${MATTER}---\n`);
    const { frontmatter } = await editor.json(200, "GET", `/admin/api/pages/${PAGE}`);
    assert.deepEqual(
      [frontmatter.zip, frontmatter.phone, frontmatter.post_id, frontmatter.version],
      ["01234", "0049301234567", "1234567890123456789", 1.1],
    );
    assert.equal(frontmatter["1.10"], "a number");
  });

  it("stay in a page that ends with its closing fence", async () => {
    await open("---\ntitle: Old\nzip: 01234\n---");
    assert.equal((await save({ title: "New" })).status, 200);
    assert.equal(await onDisk(), "---\ntitle: New\nzip: 01234\n---");
  });

  for (const [what, matter, patch, message] of [
    ["invalid YAML", "title: a: b\n", { title: "x" }, /line 2: the front matter cannot be read/],
    ["a list", "- a\n", { title: "x" }, /line 2: the front matter is not a map/],
    [
      "a key twice",
      "title: a\ntitle: b\n",
      { title: "x" },
      /line 3: .*cannot be read: the key stands in this map already/,
    ],
    [
      "an anchor that another key uses",
      "title: &t A\nnav_title: *t\n",
      { title: "x" },
      /line 2: key "title" of the front matter is shared: line 2 uses/,
    ],
    [
      "a key written as a number and as a text",
      "title: T\n1: a\n'1': b\n",
      { "1": "x" },
      /line 4: key "1" of the front matter is written twice/,
    ],
  ] as const) {
    it(`are kept, with an error that names the line, for ${what}`, async () => {
      const page = `---\n${matter}---\nText.\n`;
      await open(page);
      const change = { op: "frontmatter", path: PAGE, patch } as const;
      const [result] = await site.site.use("content").apply([change]);
      assert.equal(result?.status, "error");
      assert.match(result?.errors[0] ?? "", message);
      assert.equal(await onDisk(), page);
    });
  }

  it("are kept when the front matter has 5 MB", async () => {
    const page = `---\ntitle: T\nlong: ${"x".repeat(5_000_000)}\n---\n`;
    await open(page);
    const response = await save({ title: "x" });
    assert.ok(response.status >= 400 && response.status < 500, String(response.status));
    assert.equal(await onDisk(), page);
  });

  it("stay among 10,000 keys", async () => {
    const keys = Array.from({ length: 10_000 }, (_, at) => `k${at}: 0${at}\n`).join("");
    const page = `---\ntitle: Old\n${keys}---\nText.\n`;
    await open(page);
    assert.equal((await save({ title: "New", k5000: "x" })).status, 200);
    assert.equal(
      await onDisk(),
      page.replace("title: Old", "title: New").replace("k5000: 05000", "k5000: x"),
    );
  });
});
