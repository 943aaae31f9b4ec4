import assert from "node:assert/strict";
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { cp, link, mkdir, rename, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Logger, silentLog } from "#kernel";
import { ContentWatcher } from "../../../../plugins/content/watch/watch.js";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";
import { useFolder } from "../../../support/folder.js";
import { until } from "../../../support/until.js";

const page = (title: string, body = ""): string => `---\ntitle: ${title}\n---\n${body}\n`;
const files = {
  "content/01.home/default.md": page("Home"),
  "content/02.blog/a/default.md": page("A"),
};

describe("watching the content folder", () => {
  const logged: string[] = [];
  const note = (event: string): void => void logged.push(event);
  const log = { ...silentLog, info: note, warn: note, error: note, child: () => log };
  let site: TestSite;
  const at = (path: string): string => join(site.root, path);
  const content = () => site.site.use("content");
  const titles = (): string[] =>
    content()
      .generation()
      .entries.map(({ title }) => title)
      // A probe that was read while it was written has the title of its file.
      .filter((title) => !/^probe/i.test(title))
      .sort();
  const boot = async (given: Record<string, string> = files): Promise<void> => {
    logged.length = 0;
    site = await bootSite({ plugins: ["content", "markdown", "pages"], log, files: given });
    await watched();
  };
  let probes = 0;
  /** Resolves once a new file is seen without anyone asking. */
  const watched = async (): Promise<void> => {
    const path = `probe-${(probes += 1)}.md`;
    await writeFile(at(`content/${path}`), page("Probe"));
    await until(() => content().generation().bySource.has(path));
  };
  afterEach(() => site.close());

  const exchanges: Readonly<Record<string, () => Promise<unknown>>> = {
    "moved away and replaced": async () => {
      await cp(at("content"), at("next"), { recursive: true });
      await writeFile(at("next/02.blog/a/default.md"), page("A2"));
      await rename(at("content"), at("old"));
      await rename(at("next"), at("content"));
    },
    "deleted and copied": async () => {
      await cp(at("content"), at("next"), { recursive: true });
      await writeFile(at("next/02.blog/a/default.md"), page("A2"));
      await rm(at("content"), { recursive: true });
      await cp(at("next"), at("content"), { recursive: true });
    },
    "moved away and, a while later, back": async () => {
      await rename(at("content"), at("old"));
      await until(() => logged.includes("content.folder_missing"));
      assert.deepEqual(titles(), ["A", "Home"], "the pages stay meanwhile");
      await writeFile(at("old/02.blog/a/default.md"), page("A2"));
      await rename(at("old"), at("content"));
    },
  };
  for (const [what, exchange] of Object.entries(exchanges)) {
    it(`continues when the folder was ${what}`, async () => {
      await boot();
      await exchange();
      await until(() => titles().includes("A2"));
      await until(() => logged.includes("content.watch_renewed"));
      await watched();
      await writeFile(at("content/02.blog/a/default.md"), page("A3"));
      await until(() => titles().includes("A3"));
      assert.deepEqual(titles(), ["A3", "Home"]);
    });
  }

  it("continues when a link to a release is replaced", async () => {
    const release = async (name: string, title: string): Promise<void> => {
      await mkdir(at(`releases/${name}/02.blog/a`), { recursive: true });
      await writeFile(at(`releases/${name}/02.blog/a/default.md`), page(title));
    };
    site = await bootSite({ plugins: ["content"], files: { "releases/x": "" } });
    const { root } = site;
    await release("1", "One");
    await release("2", "Two");
    await symlink(at("releases/1"), at("content"));
    await site.site.close();
    site = await bootSite({ plugins: ["content"], log, root });
    await watched();
    await symlink(at("releases/2"), at("next"));
    await rename(at("next"), at("content"));
    await until(() => titles().includes("Two"));
    await watched();
    assert.deepEqual(titles(), ["Two"]);
    await rm(root, { recursive: true });
  });

  it("starts when the folder is created after startup", async () => {
    site = await bootSite({ plugins: ["content"], log, files: {} });
    await mkdir(at("content"));
    await writeFile(at("content/a.md"), page("A"));
    await until(() => titles().includes("A"));
    await watched();
  });

  it("compares with the disk when the queue of events overflows", async () => {
    await boot();
    const most = Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "utf8"));
    const busy = ["x.png", "y.png"].map((name) => at(`content/01.home/${name}`));
    for (const file of busy) writeFileSync(file, "");
    // Without a turn of the event loop nothing is taken from the queue.
    for (let count = 0; count <= most; count += 1) utimesSync(busy[count % 2] ?? "", count, count);
    writeFileSync(at("content/02.blog/a/default.md"), page("A2"));
    await until(() => titles().includes("A2") && logged.includes("content.watch_overflow"));
    await watched();
  });

  it("updates every name of a hard-linked file", async () => {
    await boot();
    await link(at("content/02.blog/a/default.md"), at("content/copy.md"));
    await until(() => titles().length === 3);
    await writeFile(at("content/02.blog/a/default.md"), page("A2"));
    await until(() => titles().filter((title) => title === "A2").length === 2);
  });

  it("updates pages that are reached through a link to a folder", async () => {
    await boot();
    await symlink(at("content/02.blog"), at("content/03.news"));
    await until(() => titles().length === 3);
    await writeFile(at("content/02.blog/a/default.md"), page("A2"));
    await until(() => titles().filter((title) => title === "A2").length === 2);
    await mkdir(at("content/02.blog/b"));
    await writeFile(at("content/02.blog/b/default.md"), page("B"));
    await until(() => titles().filter((title) => title === "B").length === 2);
    await rm(at("content/02.blog/a"), { recursive: true });
    await until(() => !titles().includes("A2"));
    await rm(at("content/03.news"));
    await until(() => titles().length === 2);
    assert.deepEqual(titles(), ["B", "Home"]);
  });

  it("reports a dangling link until its target exists", async () => {
    await boot();
    await symlink(at("content/later.md"), at("content/linked.md"));
    const codes = () =>
      content()
        .generation()
        .problems.map(({ sourcePath }) => sourcePath);
    await until(() => codes().includes("linked.md"));
    await writeFile(at("content/later.md"), page("Later"));
    await until(() => codes().length === 0);
    assert.equal(titles().filter((title) => title === "Later").length, 2);
  });

  it("follows a page that becomes a folder, and a folder that becomes a page", async () => {
    await boot();
    await writeFile(at("content/thing.md"), page("File"));
    await until(() => titles().includes("File"));
    await rm(at("content/thing.md"));
    await mkdir(at("content/thing.md"));
    await writeFile(at("content/thing.md/default.md"), page("Folder"));
    await until(() => titles().includes("Folder"));
    assert.ok(!titles().includes("File"));
    await rm(at("content/thing.md"), { recursive: true });
    await writeFile(at("content/thing.md"), page("File"));
    await until(() => titles().includes("File"));
    assert.ok(!titles().includes("Folder"));
  });

  it("updates the time of a touched file", async () => {
    await boot();
    const file = "02.blog/a/default.md";
    await utimes(at(`content/${file}`), 86_400, 86_400);
    await until(() => content().generation().bySource.get(file)?.mtimeMs === 86_400_000);
  });

  it("detects media that changed while events were lost", async () => {
    await boot({ ...files, "content/01.home/pic.png": "x" });
    await content().media("01.home");
    const tags: string[] = [];
    site.site.context("content").changes.react("test", (batch) => {
      tags.push(...(batch.tags ?? []));
    });
    await cp(at("content"), at("next"), { recursive: true });
    await writeFile(at("next/01.home/pic.png"), "longer");
    await rename(at("content"), at("old"));
    await rename(at("next"), at("content"));
    await until(() => tags.includes("media:01.home"));
    assert.equal((await content().media("01.home"))[0]?.size, 6);
  });
});

describe("the watch on the content folder", () => {
  const folder = useFolder();

  /** What is logged while a folder is watched from the start. */
  async function warningsFor(root: string): Promise<Record<string, unknown>[]> {
    const warnings: Record<string, unknown>[] = [];
    const none = (): void => undefined;
    const log: Logger = {
      debug: none,
      info: none,
      error: none,
      child: () => log,
      warn: (event, fields) => void warnings.push({ event, ...fields }),
    };
    const watcher = new ContentWatcher({
      root,
      log,
      onPaths: async () => undefined,
      onLost: async () => false,
    });
    await watcher.start();
    await watcher.close();
    return warnings;
  }

  it("reports a missing folder, not a system limit", async () => {
    const root = join(folder.path, "content");
    const [warning, ...rest] = await warningsFor(root);
    assert.deepEqual(rest, []);
    assert.equal(warning?.["event"], "content.folder_missing");
    assert.equal(warning?.["folder"], root);
    assert.match(String(warning?.["fix"]), /create it, or correct content\.dir/);
    assert.doesNotMatch(String(warning?.["fix"]), /inotify/);
  });

  it("logs nothing for a watched folder", async () => {
    await mkdir(join(folder.path, "content"));
    assert.deepEqual(await warningsFor(join(folder.path, "content")), []);
  });
});
