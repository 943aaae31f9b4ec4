import assert from "node:assert/strict";
import { mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import type {} from "../../../plugins/content/contract.js";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";
import { until } from "../../support/until.js";

const page = (title: string, rest = ""): string =>
  `---\ntitle: ${title}\n${rest}---\nbody of ${title}\n`;

describe("content plugin", () => {
  let site: TestSite;
  const events: [string, unknown][] = [];
  const boot = async (
    files: BootOptions["files"],
    options: BootOptions = {},
  ): Promise<TestSite> => {
    events.length = 0;
    const spy = definePlugin({
      name: "spy",
      version: "1.0.0",
      requires: ["content"],
      hooks: {
        onContentIndexReady: ({ data }) =>
          void events.push(["onContentIndexReady", data.generation.entries.length]),
        onRebuild: ({ data }) => void events.push(["onRebuild", data]),
        onPageCreate: ({ data }) => void events.push(["onPageCreate", data]),
        onPageUpdate: ({ data }) => void events.push(["onPageUpdate", data]),
        onPageDelete: ({ data }) => void events.push(["onPageDelete", data]),
        onWorkflowChange: ({ data }) => void events.push(["onWorkflowChange", data]),
        onPageLoaded: ({ data, content }) =>
          void events.push(["onPageLoaded", [data.page.entry.title, content !== undefined]]),
        onMediaDiscovered: ({ data, setData }) => {
          events.push(["onMediaDiscovered", data.media.length]);
          setData({ ...data, media: data.media.slice(0, 1) });
        },
        onCollectionResolved: ({ data }) =>
          void events.push(["onCollectionResolved", data.collection.total]),
      },
    });
    site = await bootSite({
      plugins: ["content"],
      extraPlugins: [spy],
      ...(files && { files }),
      ...options,
    });
    return site;
  };
  const content = () => site.site.use("content");
  const settled = async (): Promise<void> => {
    await content().rebuild();
    await site.site.context("spy").hooks.settled();
  };
  const named = (name: string): unknown[] =>
    events.filter(([event]) => event === name).map(([, data]) => data);
  afterEach(() => site.close());

  it("builds the index and fires the loading hooks", async () => {
    await boot({
      "content/01.home/default.md": page("Home"),
      "content/01.home/a.png": "a",
      "content/01.home/b.png": "b",
    });
    assert.deepEqual(named("onContentIndexReady"), [1]);
    const view = content().view();
    const entry = view.page("/");
    assert.ok(entry);
    const loaded = await view.load(entry);
    assert.equal(loaded.body, "body of Home\n");
    assert.equal(loaded.raw, page("Home"));
    assert.deepEqual(
      loaded.media.map(({ name }) => name),
      ["a.png"],
    );
    assert.deepEqual(named("onPageLoaded"), [["Home", true]]);
    assert.deepEqual(named("onMediaDiscovered"), [2]);
    await view.collection({ items: "@self.children" }, null);
    assert.deepEqual(named("onCollectionResolved"), [0]);
  });

  it("detects external writes and its own writes once each", async () => {
    await boot({ "content/01.home/default.md": page("Home") });
    await content().rebuild();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await site.write("content/02.new/default.md", page("New"));
    await until(() => named("onPageCreate").length > 0);
    await site.write("content/02.new/default.md", page("New", "status: archived\n"));
    await until(() => named("onWorkflowChange").length > 0);
    const [result] = await content().apply([
      { op: "write", path: "03.own.md", content: page("Own") },
    ]);
    assert.equal(result?.status, "created");
    assert.equal(content().generation().at("/own", "en")?.title, "Own");
    await rm(join(site.root, "content/02.new"), { recursive: true });
    await until(() => named("onPageDelete").length > 0);
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.deepEqual(named("onPageCreate"), [
      { sourcePath: "02.new/default.md", title: "New" },
      { sourcePath: "03.own.md", title: "Own" },
    ]);
    assert.deepEqual(named("onWorkflowChange"), [
      { sourcePath: "02.new/default.md", from: "published", to: "archived" },
    ]);
    assert.deepEqual(named("onPageUpdate"), [{ sourcePath: "02.new/default.md", title: "New" }]);
    assert.deepEqual(named("onPageDelete"), [{ sourcePath: "02.new/default.md" }]);
  });

  it("reports invalidated read tags", async () => {
    await boot({
      "content/01.home/default.md": page("Home"),
      "content/02.a/default.md": page("A"),
    });
    const tags: string[][] = [];
    site.site.context("spy").changes.react("spy", (batch) => {
      tags.push([...(batch.tags ?? [])].sort());
    });
    await content().apply([{ op: "write", path: "02.a/default.md", content: `${page("A")}more` }]);
    await content().apply([{ op: "write", path: "02.a/default.md", content: page("B") }]);
    await content().apply([
      { op: "write", path: "02.a/b.md", content: page("C", "taxonomy: {tag: x}\n") },
    ]);
    await content().apply([{ op: "write", path: "02.a/plain.md", content: "# P" }]);
    await content().apply([
      { op: "frontmatter", path: "02.a/plain.md", patch: { routes: { aliases: ["/old"] } } },
    ]);
    await content().apply([{ op: "delete", path: "02.a/plain.md" }]);
    await content().apply([{ op: "delete", path: "02.a/b.md" }]);
    await content().apply([{ op: "write", path: "02.a/pic.png", content: Buffer.from("x") }]);
    assert.deepEqual(tags, [
      ["page:02.a/default.md"],
      ["list", "list:/", "nav", "page:02.a/default.md", "route:/a"],
      ["list", "list:/a", "page:02.a/b.md", "route:/a/b", "taxonomy"],
      ["list", "list:/a", "page:02.a/plain.md", "route:/a/plain"],
      ["list", "list:/a", "page:02.a/plain.md", "route:/a/plain", "route:/old"],
      ["list", "list:/a", "page:02.a/plain.md", "route:/a/plain", "route:/old"],
      ["list", "list:/a", "page:02.a/b.md", "route:/a/b", "taxonomy"],
      ["media:02.a"],
    ]);
  });

  it("shows scheduled pages when they are due, without a restart", async () => {
    let time = Date.UTC(2025, 0, 1);
    await boot(
      {
        "content/01.home/default.md": page("Home"),
        "content/02.later/default.md": page("Later", "publish_date: 2025-01-02\n"),
      },
      { clock: { now: () => time } },
    );
    assert.equal(content().view().page("/later"), undefined);
    time = Date.UTC(2025, 0, 2);
    assert.equal(content().view().page("/later")?.title, "Later");
    await until(() => named("onRebuild").length > 0);
    const [change] = named("onRebuild");
    assert.ok(
      change !== null &&
        typeof change === "object" &&
        "tags" in change &&
        change.tags instanceof Set,
    );
    for (const tag of ["page:02.later/default.md", "route:/later", "list", "nav"])
      assert.ok(change.tags.has(tag), tag);
  });

  it("reads times without an offset in the site's zone", async () => {
    await boot(
      { "content/01.home/default.md": page("Home", "publish_date: 2025-07-01T12:00\n") },
      { settings: { system: { timezone: "Europe/Berlin" } } },
    );
    assert.equal(content().generation().entries[0]?.publishAt, Date.UTC(2025, 6, 1, 10));
  });

  it("starts with hostile and broken files, omits and reports each", async () => {
    await boot({
      "content/01.home/default.md": page("Home"),
      "content/bad/default.md": "---\na: [\n---\n",
      "content/bomb/default.md": `---\na: &a [x,x]\nb: &b [${"*a,".repeat(200)}*a]\nc: [${"*b,".repeat(200)}*b]\n---\n`,
      "content/latin/default.md": Buffer.from([0x23, 0x20, 0xe9]),
      "content/nul/default.md": "# a\0b",
      "content/huge/default.md": "x".repeat(10 * 1024 * 1024),
      "content/empty/default.md": "",
      "content/.hidden/default.md": page("Hidden"),
      "content/js/default.md": "---js\n{a:1}\n---\n",
      "content/gate/default.md": page("Gate", "roles: {some: x}\n"),
      [`content/deep/${"d/".repeat(99)}default.md`]: page("Deep"),
    });
    const { entries, problems } = content().generation();
    assert.deepEqual(entries.map(({ route }) => route).sort(), ["/", "/empty", "/js"]);
    assert.deepEqual(
      Object.fromEntries(problems.map(({ sourcePath, code }) => [sourcePath.split("/")[0], code])),
      {
        bad: "ERR_CONTENT_FRONT_MATTER",
        bomb: "ERR_CONTENT_FRONT_MATTER",
        latin: "ERR_CONTENT_ENCODING",
        nul: "ERR_CONTENT_ENCODING",
        huge: "ERR_CONTENT_SIZE",
        gate: "ERR_CONTENT_ROLES",
        deep: "ERR_CONTENT_DEPTH",
      },
    );
    assert.equal(JSON.stringify(problems).includes(site.root), false);
  });

  it("follows only links inside the content folder, and no cycle", async () => {
    await boot({
      "content/01.home/default.md": page("Home"),
      "content/real/default.md": page("Real"),
      "secret/default.md": page("Secret"),
      "secret/pic.png": "x",
    });
    const at = (path: string): string => join(site.root, "content", path);
    await symlink(join(site.root, "secret"), at("evil-link"));
    await symlink(join(site.root, "secret/default.md"), at("evil.md"));
    await symlink(join(site.root, "secret/pic.png"), at("01.home/pic.png"));
    await symlink(at("real"), at("inside"));
    await symlink(at(""), at("real/circle"));
    await symlink(at("nowhere"), at("dangling.md"));
    await symlink(at("real/default.md"), at("linked.md"));
    await settled();
    const { entries, problems } = content().generation();
    assert.deepEqual(entries.map(({ route }) => route).sort(), [
      "/",
      "/inside",
      "/linked",
      "/real",
    ]);
    assert.deepEqual(
      problems
        .filter(({ code }) => code === "ERR_CONTENT_LINK")
        .map(({ sourcePath }) => sourcePath)
        .sort(),
      ["01.home/pic.png", "dangling.md", "evil-link", "evil.md", "inside/circle", "real/circle"],
    );
    assert.equal(await content().mediaFile("evil-link", "pic.png"), null);
    assert.equal(await content().mediaFile("01.home", "pic.png"), null);
    assert.deepEqual(await content().media("01.home"), []);
  });

  it("loads the current file: a page hidden since indexing is 404", async () => {
    await boot({
      "content/01.home/default.md": page("Home"),
      "content/02.a/default.md": page("A"),
    });
    const view = content().view();
    const entry = view.page("/a");
    assert.ok(entry);
    await site.write("content/02.a/default.md", page("A", "status: draft\n"));
    await assert.rejects(view.load(entry), { status: 404 });
    await rm(join(site.root, "content/02.a/default.md"));
    await assert.rejects(view.load(entry), { status: 404 });
  });

  it("keeps the pages when the content folder cannot be read", async () => {
    await boot({ "content/01.home/default.md": page("Home") });
    await rename(join(site.root, "content"), join(site.root, "away"));
    await content().rebuild();
    assert.equal(content().view().page("/")?.title, "Home");
    await rename(join(site.root, "away"), join(site.root, "content"));
  });

  it("boots without a content folder", async () => {
    await boot({});
    assert.equal(content().generation().entries.length, 0);
    assert.deepEqual(content().view().resolve("/"), { kind: "none" });
  });

  it("starts from its snapshot and reads changed files, even when it is damaged", async () => {
    const files = {
      "content/01.home/default.md": page("Home"),
      "content/02.a/default.md": page("A"),
    };
    await boot(files);
    const old = new Date(Date.now() - 60_000);
    for (const file of Object.keys(files)) await utimes(join(site.root, file), old, old);
    await content().rebuild();
    const root = site.root;
    await site.site.close();
    await writeFile(join(root, "content/02.a/default.md"), page("B"));
    await mkdir(join(root, "content/03.c"));
    await writeFile(join(root, "content/03.c/default.md"), page("C"));
    const titles = async (): Promise<string[]> => {
      const again = await bootSite({ plugins: ["content"], root });
      const list = again.site
        .use("content")
        .generation()
        .entries.map(({ title }) => title);
      await again.close();
      return list;
    };
    assert.deepEqual(await titles(), ["Home", "B", "C"]);
    await rm(join(root, "content/03.c"), { recursive: true });
    assert.deepEqual(await titles(), ["Home", "B"]);
    for (const damage of ["", "{", "null\n", '{"format":1}\n[]\n', "\0\0"]) {
      await writeFile(join(root, ".dune/cache/content-index.ndjson"), damage);
      assert.deepEqual(await titles(), ["Home", "B"]);
    }
  });

  it("lists media with sidecars; never content, sidecars or dotfiles", async () => {
    await boot({
      "content/01.home/default.md": page("Home"),
      "content/01.home/ü b#1%.jpg": "jpg",
      "content/01.home/ü b#1%.jpg.meta.yaml": "alt: A picture\nfocal_point: [50, 20]\n",
      "content/01.home/broken.png": "png",
      "content/01.home/broken.png.meta.yaml": "alt: [",
      "content/01.home/.env": "SECRET",
      "content/01.home/a.unknown-type": "x",
      "content/01.home/x.mdx": "mdx",
      "content/01.home/sub/deep.png": "png",
      "content/_drafts/a/pic.png": "png",
    });
    const { file = "", entry } = (await content().mediaFile("01.home", "broken.png")) ?? {};
    assert.deepEqual([file.endsWith("/content/01.home/broken.png"), entry?.title], [true, "Home"]);
    const items = await content().media("01.home");
    assert.deepEqual(
      items.map(({ name, url, type, size, meta }) => ({ name, url, type, size, meta })),
      [
        {
          name: "a.unknown-type",
          url: "/content-media/01.home/a.unknown-type",
          type: "application/octet-stream",
          size: 1,
          meta: {},
        },
        {
          name: "broken.png",
          url: "/content-media/01.home/broken.png",
          type: "image/png",
          size: 3,
          meta: {},
        },
        {
          name: "ü b#1%.jpg",
          url: "/content-media/01.home/%C3%BC%20b%231%25.jpg",
          type: "image/jpeg",
          size: 3,
          meta: { alt: "A picture", focal_point: [50, 20] },
        },
      ],
    );
    assert.deepEqual(
      (await content().mediaProblems()).map(({ code }) => code),
      ["ERR_CONTENT_SIDECAR"],
    );
    const found = await content().mediaFile("01.home/sub", "deep.png");
    assert.equal(found?.entry?.title, "Home");
    for (const [folder, name] of [
      ["01.home", "gone.png"],
      ["01.home", "default.md"],
      ["01.home", "x.mdx"],
      ["01.home", ".env"],
      ["01.home", "broken.png.meta.yaml"],
      ["01.home", "../01.home/broken.png"],
      ["01.home/../01.home", "broken.png"],
      ["..", "site.yaml"],
      ["", "site.yaml"],
      ["/etc", "passwd"],
      ["_drafts/a", "pic.png"],
      ["01.home", "sub"],
      ["01.home", "a\0.png"],
      ["01.home", ""],
    ] as const) {
      assert.equal(await content().mediaFile(folder, name), null, `${folder}/${name}`);
    }
  });

  it("reads a source by its path, with or without the folder's name", async () => {
    await boot({ "content/01.home/default.md": page("Home", "status: draft\n") });
    assert.equal((await content().source("01.home/default.md"))?.entry.title, "Home");
    assert.equal((await content().source("content/01.home/default.md"))?.entry.title, "Home");
    assert.equal(await content().source("nope.md"), null);
    assert.equal(await content().source("../site.yaml"), null);
  });
});
