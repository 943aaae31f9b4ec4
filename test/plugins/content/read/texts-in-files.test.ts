import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { useFolder } from "../../../support/folder.js";
import { until } from "../../../support/until.js";

const PAGE = `---
title: 1.10
nav_title: 2.0
summary: 1_000
description: 0x1F
metadata: { description: 3.50, keywords: [1e3] }
taxonomy:
  tag: [1.10, 007, 2024]
  category: 1.0
routes:
  aliases: [/old, 2024, 1.10]
date: 2026-01-02
published: true
order: 1.50
version: 1.20
zip: 2.00
codes: [1.0, 0o17]
steps:
  - label: 1.10
    count: 2.50
size: 7.00
free: 1.10
---
Text.
`;
const FILES = {
  "site.yaml": "title: Texts\nurl: https://example.test\ntaxonomies: [tag, category, topic]\n",
  "blueprints/post.yaml": `fields:
  version: { type: text }
  zip: { type: text, validate: { pattern: "[0-9]\\\\.[0-9]{2}" } }
  codes: { type: tags, from: topic }
  size: { type: number }
  steps: { type: structure, fields: { label: { type: text }, count: { type: number } } }
`,
  "content/01.home/default.md": "---\ntitle: Home\n---\n",
  "content/02.blog/a/post.md": PAGE,
};

describe("numbers in fields of a text kind", () => {
  let site: TestSite;
  const json = async (path: string) => (await site.fetch(path)).json();
  const text = async (path: string) => (await site.fetch(path)).text();
  before(async () => {
    site = await bootSite({ files: FILES });
  });
  after(() => site.close());

  it("are the texts in the file, in the API, HTML, feeds, search and taxonomies", async () => {
    const page = await json("/api/pages/blog/a");
    assert.equal(page.title, "1.10");
    const { frontmatter } = page;
    const { published, date: _date, order, size, free, ...texts } = frontmatter;
    assert.deepEqual(
      { published, order, size, free },
      { published: true, order: 1.5, size: 7, free: 1.1 },
    );
    assert.deepEqual(texts, {
      title: "1.10",
      nav_title: "2.0",
      summary: "1_000",
      description: "0x1F",
      metadata: { description: "3.50", keywords: ["1e3"] },
      taxonomy: { tag: ["1.10", "007", "2024"], category: "1.0" },
      routes: { aliases: ["/old", "2024", "1.10"] },
      version: "1.20",
      zip: "2.00",
      codes: ["1.0", "0o17"],
      steps: [{ label: "1.10", count: 2.5 }],
    });
    const [listed] = (await json("/api/pages?template=post")).items;
    assert.deepEqual(listed.taxonomy, {
      tag: ["1.10", "007", "2024"],
      category: ["1.0"],
      topic: ["1.0", "0o17"],
    });
    assert.match(await text("/blog/a"), /<title>1\.10/);
    assert.match(await text("/blog/a"), /content="3\.50"/);
    assert.match(await text("/feed.xml"), /<title><!\[CDATA\[1\.10\]\]>/);
    assert.notEqual((await site.fetch("/2024")).status, 404);
    assert.notEqual((await site.fetch("/1.10")).status, 404);
    const { items } = await json("/api/search?q=text");
    assert.equal(items[0].title, "1.10");
    assert.deepEqual((await json("/api/pages?filter[version]=1.20")).items.length, 1);
    const { values } = await json("/api/taxonomy/tag");
    assert.deepEqual(values, { "1.10": 1, "007": 1, "2024": 1 });
  });

  it("fit the patterns of their fields", async () => {
    const problems = site.site.use("content").blueprints;
    const [entry] = site.site
      .use("content")
      .generation()
      .entries.filter(({ route }) => route === "/blog/a");
    assert.ok(entry);
    assert.deepEqual(await problems.violations(entry), []);
  });

  it("follow page types that change, also while the site is down", async () => {
    const version = async () => (await json("/api/pages/blog/a")).frontmatter.version;
    await site.write("blueprints/post.yaml", "fields: { version: { type: number } }\n");
    await until(async () => (await version()) === 1.2);
    await site.write("blueprints/post.yaml", FILES["blueprints/post.yaml"]);
    await until(async () => (await version()) === "1.20");
  });

  const folder = useFolder();

  it("are in the snapshot of the next start", async () => {
    const root = folder.path;
    for (const name of ["site.yaml", "blueprints", "content"])
      await cp(join(site.root, name), join(root, name), { recursive: true });
    for (const [type, expected] of [
      ["text", "1.20"],
      ["text", "1.20"],
      ["number", 1.2],
      ["text", "1.20"],
    ] as const) {
      await writeFile(
        join(root, "blueprints/post.yaml"),
        `fields: { version: { type: ${type} } }\n`,
      );
      const again = await bootSite({ plugins: ["content", "pages"], root });
      const page = await (await again.fetch("/api/pages/blog/a")).json();
      await again.close();
      assert.equal(page.frontmatter.version, expected);
      assert.equal(page.title, "1.10");
    }
  });

  it("stay as they are in a save that sends all values back", async () => {
    const content = site.site.use("content");
    const path = "02.blog/a/post.md";
    const { frontmatter } = content.blueprints.describe(path, PAGE);
    const change = (patch: Record<string, unknown>) =>
      content.apply([{ op: "frontmatter", path, patch }], {});
    const file = () => readFile(join(site.root, "content", path), "utf8");
    assert.equal((await change(frontmatter))[0]?.status, "skipped");
    await change({ ...frontmatter, title: "2.20", taxonomy: { tag: ["1.10", "new"] } });
    const changed = PAGE.replace("title: 1.10", 'title: "2.20"');
    assert.equal(await file(), changed.replace("[1.10, 007, 2024]", "[1.10, new]"));
    assert.equal((await change({ free: "1.10" }))[0]?.status, "updated");
    assert.match(await file(), /^free: "1\.10"$/m);
  });
});
