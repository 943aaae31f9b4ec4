import assert from "node:assert/strict";
import { chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel";
import { bootSite, type BootOptions, type TestSite } from "../../../support/sites/boot-site.js";
import { FailingReads } from "../../../support/hostile/failing-reads.js";
import { until } from "../../../support/until.js";

const page = (title: string, body = ""): string => `---\ntitle: ${title}\n---\n${body}\n`;

describe("temporarily unreadable content", () => {
  const reads = new FailingReads();
  const logged: [event: string, path: unknown][] = [];
  const note = (event: string, fields: Record<string, unknown> = {}): void =>
    void logged.push([event, fields["sourcePath"]]);
  const log = { ...silentLog, error: note, warn: note, info: note, child: () => log };
  let site: TestSite;
  const boot = async (options: BootOptions = {}): Promise<void> => {
    logged.length = 0;
    site = await bootSite({
      plugins: ["content", "markdown", "pages", "health"],
      // In dev mode pages are read ahead.
      env: { SITE_ENV: "production" },
      log,
      files: {
        "site.yaml": "title: Test\nhealth_token: token-of-sixteen-characters\n",
        "content/01.home/default.md": page("Home"),
        "content/02.blog/a/default.md": page("A", "text of a"),
        "content/02.blog/b/default.md": page("B"),
      },
      ...options,
    });
    await until(() => isWatched());
  };
  const content = () => site.site.use("content");
  /** The watch has begun: a new file is seen without anyone asking. */
  let isSeen = false;
  const isWatched = async (): Promise<boolean> => {
    if (!isSeen) await site.write(`content/probe-${Date.now()}.md`, page("Probe"));
    isSeen = content()
      .generation()
      .entries.some(({ title }) => title === "Probe");
    return isSeen;
  };
  const titles = (): string[] =>
    content()
      .generation()
      .entries.map(({ title }) => title)
      // A probe that was read while it was written has the title of its file.
      .filter((title) => !/^probe/i.test(title));
  const problems = () =>
    content()
      .generation()
      .problems.map(({ sourcePath, code }) => `${sourcePath} ${code}`);
  const health = () => site.site.use("health").problems();
  /** Changes were seen by the watch, and not found by comparing with the disk. */
  const assertWatched = (): void => {
    const found = logged.filter(([event]) => /watch_(?:polls|missed)/.test(event));
    assert.deepEqual(found, []);
  };
  before(() => reads.install());
  after(() => reads.uninstall());
  beforeEach(() => void (isSeen = false));
  afterEach(async () => {
    reads.stop();
    await site.close();
  });

  for (const code of ["EIO", "EMFILE", "EACCES"]) {
    it(`keeps the last version of a changed page during ${code}, reports it, and reads it again`, async () => {
      await boot();
      reads.start(code, (path) => path.endsWith("02.blog/a/default.md"));
      await site.write("content/02.blog/a/default.md", page("A2"));
      await until(() => problems().length > 0);
      assert.deepEqual(titles(), ["Home", "A", "B"]);
      assert.deepEqual(problems(), ["02.blog/a/default.md ERR_CONTENT_READ"]);
      assert.deepEqual(
        health().map(({ part }) => part),
        ["content"],
      );
      reads.stop();
      await until(() => problems().length === 0);
      assert.deepEqual(titles(), ["Home", "A2", "B"]);
      assert.deepEqual(health(), []);
      const [unread, read] = ["content.unreadable", "content.readable"].map(
        (name) => logged.filter(([event]) => event === name).length,
      );
      assert.deepEqual([unread, read], [1, 1]);
    });
  }

  const looks: Readonly<Record<string, () => Promise<unknown>>> = {
    "a rebuild": () => content().rebuild(),
    "an event of the folder above": () => chmod(join(site.root, "content/02.blog"), 0o700),
  };
  for (const [what, look] of Object.entries(looks)) {
    it(`loses no page below an unreadable folder during ${what}`, async () => {
      await boot();
      reads.start("EIO", (path) => path.endsWith("/b") || path.includes("/b/"));
      await look();
      await until(() => reads.failed > 0);
      assert.ok(titles().includes("B"));
      reads.stop();
      await until(() => problems().length === 0);
      assert.deepEqual(titles().sort(), ["A", "B", "Home"]);
    });
  }

  it("reads a page later that was unreadable at startup", async () => {
    reads.start("EACCES", (path) => path.endsWith("02.blog/b/default.md"));
    await boot();
    assert.deepEqual(titles(), ["Home", "A"]);
    assert.deepEqual(problems(), ["02.blog/b/default.md ERR_CONTENT_READ"]);
    reads.stop();
    await until(() => problems().length === 0);
    assert.deepEqual(titles(), ["Home", "A", "B"]);
  });

  it("starts with the versions of its snapshot", async () => {
    await boot();
    await site.site.close();
    const { root } = site;
    await writeFile(join(root, "content/02.blog/b/default.md"), page("B2"));
    reads.start("EIO", (path) => path.endsWith("02.blog/b/default.md"));
    site = await bootSite({ plugins: ["content", "health"], root, log });
    assert.deepEqual(titles(), ["Home", "A", "B"]);
    reads.stop();
    await until(() => titles().includes("B2"));
    await rm(root, { recursive: true, maxRetries: 5 });
  });

  it("responds 503, not 404, to a page whose text cannot be read, and then 200", async () => {
    await boot();
    reads.start("EMFILE", (path) => path.endsWith("02.blog/a/default.md"));
    const failing = await site.fetch("/api/pages/blog/a");
    assert.equal(failing.status, 503);
    assert.equal(failing.headers.get("retry-after"), "1");
    assert.equal((await site.fetch("/api/pages/blog/b")).status, 200);
    reads.stop();
    assert.equal((await site.fetch("/api/pages/blog/a")).status, 200);
  });

  it("serves the cached text while the file cannot be read", async () => {
    await boot();
    assert.equal((await site.fetch("/api/pages/blog/a")).status, 200);
    reads.start("EIO", (path) => path.endsWith("02.blog/a/default.md"));
    const entry = content().generation().bySource.get("02.blog/a/default.md");
    assert.ok(entry);
    assert.match((await content().source("02.blog/a/default.md"))?.body ?? "", /text of a/);
  });

  it("keeps the media of a folder that cannot be listed", async () => {
    await boot();
    await site.write("content/02.blog/a/pic.png", "x");
    reads.start("EMFILE", (path) => path.endsWith("02.blog/a") || path.endsWith("pic.png"));
    await assert.rejects(content().media("02.blog/a"), { status: 503 });
    await assert.rejects(content().mediaFile("02.blog/a", "pic.png"), { status: 503 });
    reads.stop();
    assert.equal((await content().media("02.blog/a")).length, 1);
  });

  for (const code of ["EIO", "EMFILE"]) {
    it(`continues to watch a folder that changed while it could not be read (${code})`, async () => {
      await boot();
      const { root } = site;
      // The folder above reports the change, which is not part of the failing path.
      reads.start(code, (path) => path.endsWith("/02.blog/a"));
      await chmod(join(root, "content/02.blog/a"), 0o700);
      await site.write("content/02.blog/b/default.md", page("B2"));
      await until(() => reads.failed > 0 && titles().includes("B2"));
      reads.stop();
      await until(() => problems().length === 0);
      await writeFile(join(root, "content/02.blog/a/default.md"), page("A2"));
      await until(() => titles().includes("A2"));
      assertWatched();
    });

    it(`watches a new folder that could not be listed at first (${code})`, async () => {
      await boot();
      const at = (path: string): string => join(site.root, "content/02.blog/c", path);
      reads.start(code, (path) => path.endsWith("/02.blog/c"));
      await mkdir(at("d"), { recursive: true });
      await writeFile(at("d/default.md"), page("D"));
      await until(() => reads.failed > 0);
      reads.stop();
      await until(() => titles().includes("D"));
      await writeFile(at("d/default.md"), page("D2"));
      await until(() => titles().includes("D2"));
      assertWatched();
    });
  }

  it("applies the other paths of a batch with an invalid one", async () => {
    await boot();
    const at = (path: string): string => join(site.root, "content", path);
    await mkdir(at("02.blog/p3"));
    await writeFile(at("02.blog/p3/default.md"), page("P3"));
    await until(() => titles().includes("P3"));
    await rm(at("02.blog/p3"), { recursive: true });
    await writeFile(at("02.blog/p3"), "a file now");
    await mkdir(at("02.blog/c"));
    await writeFile(at("02.blog/c/default.md"), page("C"));
    await rm(at("02.blog/b"), { recursive: true });
    await writeFile(at("02.blog/a/default.md"), page("A2"));
    await until(() => titles().includes("A2"));
    assert.deepEqual(titles().sort(), ["A2", "C", "Home"]);
    for (const route of ["p3", "b"]) {
      assert.equal((await site.fetch(`/api/pages/blog/${route}`)).status, 404);
    }
    assert.deepEqual(
      logged.filter(([event]) => event === "content.watch_failed"),
      [],
    );
  });
});
