import assert from "node:assert/strict";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../../kernel/index.js";
import { temporaryBeside } from "#lib/files";
import { exportCommand } from "../../../plugins/import/commands.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { runCommand } from "../../support/sites/check-site.js";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const HOSTILE = `]]> "quoted" & <b> 'x'\nsecond ../../e\u0001tc`;
const PLUGINS = ["content", "check", "outbound", "media", "render", "flex", "import"];
const FILES: Readonly<Record<string, string | Buffer>> = {
  "site.yaml":
    "title: Old & new\nurl: https://old.example\ntaxonomies: [category, tag]\nredirects:\n  /first: /about\n",
  // As the command itself boots the site.
  "system.yaml": "typography: { orphan_protection: false }\n",
  "content/01.home/landing.md": "---\ntitle: Start\n---\nWelcome, [about](/about).\n",
  "content/02.about/default.md": "---\ntitle: About\nimage: a.png\n---\n![A](a.png)\n",
  "content/02.about/a.png": PNG,
  "content/02.about/a.png.meta.yaml": "alt: The sea\n",
  "content/02.about/01.team/default.md":
    "---\ntitle: Team\n---\n[up](../default.md#part), [post](/blog/one?a=1), ![A](../a.png) ![L](/content-media/media/l.png)\n",
  "content/02.about/_note/default.md": "---\ntitle: Note\n---\nA module.\n",
  "content/03.blog/blog.md": "---\ntitle: Blog\n---\n",
  "content/03.blog/one/post.md": `---
title: ${JSON.stringify(HOSTILE)}
date: 2020-05-01 08:30
author: Ines B.
summary: Short & <sweet>.
taxonomy:
  category: [News, "a ]]> b"]
  tag: [sea]
metadata:
  description: For engines.
---
A **bold** text, a [gallery] and ]]> with \`code\`.

- one
- two
`,
  "content/03.blog/two/post.md": "---\ntitle: Two\ndate: 2020-06-02\nslug: zwei.0\n---\nText.\n",
  "content/articles/first.md": "---\ntitle: First\n---\nFlat.\n",
  "content/articles/default-look.md": "---\ntitle: Look\n---\n[first](first.md)\n",
  "content/secret/default.md": "---\ntitle: Secret\nroles: [member]\n---\nFor members.\n",
  "content/secret/s.png": PNG,
  "content/secret/open.md": "---\ntitle: Open\n---\nFor all.\n",
  "content/draft/default.md": "---\ntitle: Draft\nstatus: draft\n---\nNot yet.\n",
  "content/later/default.md": "---\ntitle: Later\npublish_date: 2999-01-01\n---\nLater.\n",
  "content/media/l.png": PNG,
  "flex-objects/boat.yaml": "title: Boats\nfields:\n  name: { type: text }\n",
};
const PUBLIC = [
  "/",
  "/about",
  "/about/team",
  "/articles/default-look",
  "/articles/first",
  "/blog",
  "/blog/one",
  "/blog/zwei.0",
  "/secret/open",
];

describe("site export", () => {
  let site: TestSite;
  let number = 0;
  before(async () => {
    site = await bootSite({ files: FILES, plugins: PLUGINS });
  });
  after(() => site.close());

  const out = (): string => join(site.root, `out-${(number += 1)}`);
  const run = (to: string, path: string, options: Record<string, unknown> = {}) =>
    runCommand(site, exportCommand, { args: [to, path], options });
  const routesOf = ({ site: { site: kernel } }: { site: TestSite }) => {
    const { entries } = kernel.context("check").use("content").generation();
    return entries
      .filter(({ isModule }) => !isModule)
      .map(({ route }) => route)
      .toSorted();
  };

  describe("markdown", () => {
    it("writes a folder that serves the same routes, titles and terms", async () => {
      const path = out();
      assert.equal((await run("markdown", path)).code, 0);
      const files: Record<string, Buffer> = {};
      for (const name of await filesIn(path)) {
        files[`content/${name}`] = await readFile(join(path, name));
      }
      const fresh = await bootSite({ files, plugins: PLUGINS });
      try {
        assert.deepEqual(routesOf({ site: fresh }), PUBLIC);
        for (const route of PUBLIC) {
          const [before, after] = [entryOf(site, route), entryOf(fresh, route)];
          const keys = ["title", "template", "taxonomy", "visible", "order", "parent"] as const;
          for (const key of keys) assert.deepEqual(after[key], before[key], `${route} ${key}`);
          assert.equal((await fresh.fetch(encodeURI(route))).status, 200, route);
        }
        const nav = (one: TestSite) =>
          one.site
            .context("check")
            .use("content")
            .view()
            .nav()
            .map((item) => item.route);
        assert.deepEqual(nav(fresh), nav(site));
        const html = await (await fresh.fetch("/about/team")).text();
        assert.match(html, /href="\/about#part"/);
        const [, image = ""] = /src="(\/content-media\/about\/a\.png[^"]*)"/.exec(html) ?? [];
        assert.equal((await fresh.fetch(image)).status, 200);
      } finally {
        await fresh.close();
      }
    });

    it("names files after addresses and rewrites links to relative paths", async () => {
      const path = out();
      await run("markdown", path);
      const names = await filesIn(path);
      assert.deepEqual(names, [
        "about/_note/default.md",
        "about/a.png",
        "about/a.png.meta.yaml",
        "about/index.md",
        "about/team.md",
        "articles/default-look.md",
        "articles/first.md",
        "blog/index.md",
        "blog/one.md",
        "blog/zwei.0/index.md",
        "index.md",
        "media/l.png",
        "secret/open.md",
      ]);
      const team = await readFile(join(path, "about/team.md"), "utf8");
      assert.match(team, /\[up\]\(index\.md#part\), \[post\]\(\.\.\/blog\/one\.md\?a=1\)/);
      assert.match(team, /!\[A\]\(a\.png\) !\[L\]\(\.\.\/media\/l\.png\)/);
    });
  });

  describe("json", () => {
    it("writes pages, records and redirects to one file", async () => {
      const path = out();
      const { code } = await run("json", path);
      assert.equal(code, 0);
      const value: unknown = JSON.parse(await readFile(path, "utf8"));
      assert.ok(isRecord(value) && Array.isArray(value["pages"]));
      const pages: unknown[] = value["pages"];
      assert.deepEqual(pages.map((page) => isRecord(page) && page["route"]).toSorted(), PUBLIC);
      const one = pages.find((page) => isRecord(page) && page["route"] === "/blog/one");
      assert.ok(isRecord(one) && isRecord(one["frontmatter"]));
      assert.equal(one["title"], HOSTILE);
      assert.match(String(one["markdown"]), /\*\*bold\*\*/);
      assert.match(String(one["html"]), /<strong>bold<\/strong>/);
      assert.deepEqual(value["records"], { boat: [] });
      assert.deepEqual(value["redirects"], { "/first": "/about" });
    });

    it("removes half a file that a killed export left beside it", async function () {
      this.timeout(60_000);
      const folder = out();
      const half = temporaryBeside(join(folder, "old.json"));
      const foreign = join(folder, "notes.tmp");
      await mkdir(folder);
      for (const file of [half, foreign]) {
        await writeFile(file, "half");
        await utimes(file, 0, 0);
      }
      assert.equal((await run("json", join(folder, "new.json"))).code, 0);
      assert.deepEqual((await readdir(folder)).toSorted(), ["new.json", "notes.tmp"]);
    });
  });

  describe("wxr", () => {
    it("writes what site import wordpress reads back to the same pages", async () => {
      const path = out();
      assert.equal((await run("wxr", path)).code, 0);
      const fresh = await bootEmpty({ "export.xml": await readFile(path) });
      try {
        const { code, errors } = await runImport(fresh, ["wordpress", "export.xml"], {
          media: false,
        });
        assert.deepEqual([code, errors], [0, []]);
        assert.deepEqual(
          routesOf({ site: fresh }),
          PUBLIC.map((route) => route.replace(".", "-")),
        );
        for (const route of PUBLIC) {
          const after = entryOf(fresh, route.replace(".", "-"));
          const before = entryOf(site, route);
          const title = before.title.replaceAll(/[\u0001]/g, "");
          assert.deepEqual([after.title, after.taxonomy], [title, before.taxonomy]);
        }
        const post = entryOf(fresh, "/blog/one");
        const { date, author, summary, metadata } = post.frontmatter;
        assert.deepEqual(
          [date, author, summary, metadata],
          ["2020-05-01 08:30", "Ines B.", "Short & <sweet>.", { description: "For engines." }],
        );
        assert.equal(entryOf(fresh, "/blog/zwei-0").frontmatter["date"], "2020-06-02");
        const text = await contentOf(fresh, post.sourcePath);
        assert.match(
          text,
          /A \*\*bold\*\* text, a \\\[gallery\] and \]\]> with `code`\.\n\n- one\n- two/,
        );
        const about = await contentOf(fresh, entryOf(fresh, "/about").sourcePath);
        assert.match(about, /https:\/\/old\.example\/content-media\/02\.about\/a\.png/);
        assert.match(about, /A module\./);
        assert.match(
          await contentOf(fresh, entryOf(fresh, "/").sourcePath),
          /\[about\]\(\/about\)/,
        );
      } finally {
        await fresh.close();
      }
    });

    it("keeps members' pages private and drafts unpublished", async () => {
      const path = out();
      await run("wxr", path, { drafts: true, gated: true });
      const fresh = await bootEmpty({ "export.xml": await readFile(path) });
      try {
        await runImport(fresh, ["wordpress", "export.xml"], { media: false });
        for (const route of ["/secret", "/draft", "/later"]) {
          assert.notEqual(entryOf(fresh, route), undefined);
          assert.equal((await fresh.fetch(route)).status, 404, route);
        }
      } finally {
        await fresh.close();
      }
    });
  });

  for (const to of ["markdown", "json", "wxr"]) {
    it(`${to}: leaves out unpublished and gated pages unless asked, and says so`, async () => {
      const path = out();
      const { lines } = await run(to, path);
      assert.doesNotMatch(await textOf(path), /Not yet\.|For members\.|Later\.|\bs\.png/);
      assert.match(lines.join("\n"), /2 unpublished; --drafts adds them\n.*1 for members; --gated/);
      const gated = out();
      const second = await run(to, gated, { gated: true });
      assert.match(await textOf(gated), /For members\./);
      assert.doesNotMatch(await textOf(gated), /Not yet\./);
      assert.match(second.lines.join("\n"), /1 of the pages are for members: every reader/);
      const drafts = out();
      await run(to, drafts, { drafts: true });
      assert.match(await textOf(drafts), /Not yet\.[^]*Later\./);
      assert.doesNotMatch(await textOf(drafts), /For members\./);
    });

    it(`${to}: exports a part with --route`, async () => {
      const path = out();
      const { json } = await run(to, path, { route: "/blog/", json: true });
      assert.match(JSON.stringify(json), /"pages":3/);
      assert.doesNotMatch(await textOf(path), /Flat\.|A module/);
    });

    it(`${to}: exits with 2 and changes nothing when the place is taken`, async () => {
      const path = out();
      if (to === "markdown") {
        await mkdir(path);
        await writeFile(join(path, "mine.txt"), "mine");
      } else await writeFile(path, "mine");
      const { code, errors } = await run(to, path);
      assert.equal(code, 2);
      assert.match(errors.join(""), /not empty|has content/);
      assert.equal(await textOf(path), "mine");
    });
  }

  it("exits with 2 for an unknown format and for a place in the content folder", async () => {
    const unknown = await run("jsonn", out());
    assert.deepEqual(
      [unknown.code, /did you mean "json"/.test(unknown.errors.join(""))],
      [2, true],
    );
    const inside = await run("json", join(site.root, "content/export.json"));
    assert.deepEqual(
      [inside.code, /the site would serve it/.test(inside.errors.join(""))],
      [2, true],
    );
  });

  it("exits with 1 for a route without pages, and names the option for hidden ones", async () => {
    assert.equal((await run("json", out(), { route: "/none" })).code, 1);
    const { code, errors } = await run("json", out(), { route: "/draft" });
    assert.equal(code, 1);
    assert.match(errors.join(""), /unpublished or for members .*fix: add --drafts or --gated/);
  });

  for (const [title, existing] of [
    ["a new folder", false],
    ["an empty folder", true],
  ] as const) {
    it(`replaces what a killed export left, and completes ${title}`, async () => {
      const path = join(site.root, `killed-${existing}`);
      const stage = existing
        ? join(path, ".export-partial")
        : join(site.root, `.killed-${existing}.export-partial`);
      await mkdir(stage, { recursive: true });
      await writeFile(join(stage, "half.md"), "half");
      assert.equal((await run("markdown", path)).code, 0);
      assert.ok((await filesIn(path)).includes("about/index.md"));
      assert.doesNotMatch((await filesIn(path)).join(), /half|partial/);
      await assert.rejects(readdir(stage), { code: "ENOENT" });
    });
  }

  it("leaves nothing behind when the disk fails", async () => {
    const path = join(site.root, "x".repeat(300));
    const { code, errors } = await run("json", path);
    assert.equal(code, 1);
    assert.match(errors.join(""), /cannot be written \(ENAMETOOLONG\)/);
  });
});

function entryOf({ site }: TestSite, route: string) {
  const entry = site.context("check").use("content").generation().at(route, "en");
  assert.ok(entry !== undefined, route);
  return entry;
}

async function filesIn(path: string): Promise<string[]> {
  const found = await readdir(path, { recursive: true, withFileTypes: true });
  return found
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name).slice(path.length + 1))
    .toSorted();
}

/** All texts of an export. */
async function textOf(path: string): Promise<string> {
  const names = await filesIn(path).catch(() => null);
  if (names === null) return readFile(path, "utf8");
  const texts = await Promise.all(names.map((name) => readFile(join(path, name), "utf8")));
  return [...names.filter((name) => !name.endsWith(".txt")), ...texts].join("");
}
