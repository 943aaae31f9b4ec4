import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";
import { useFolder } from "../../support/folder.js";
import { until } from "../../support/until.js";

const page = (title: string) => `---\ntitle: ${title}\n---\nText\n`;
const events = ["onPageCreate", "onPageUpdate", "onPageDelete"];
const FLOOD = 220;

describe("pages that change while the site is stopped", function () {
  this.timeout(300_000);
  const folder = useFolder();
  let receiver: Receiver;
  let site: TestSite | null = null;
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: folder.path, encoding: "utf8" }).trim();
  const put = async (path: string, text: string): Promise<void> => {
    const file = join(folder.path, "content", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  beforeEach(async () => {
    receiver = await startReceiver();
    await writeFile(join(folder.path, "site.yaml"), "title: Test\n");
    await writeFile(join(folder.path, ".gitignore"), ".dune/\ndata/\n");
    for (const name of ["01.a", "02.b", "03.c", "04.d"])
      await put(`${name}/default.md`, page(name));
    git("init", "-q");
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "start");
    await boot();
    await stop();
  });
  afterEach(async () => {
    await stop();
    await receiver.close();
  });

  async function boot(): Promise<TestSite> {
    site = await bootSite({
      root: folder.path,
      plugins: ["content", "history", "webhooks", "pages"],
      settings: { admin: { git_commit: true, webhooks: [{ url: receiver.url, events }] } },
    });
    return site;
  }
  async function stop(): Promise<void> {
    await site?.close();
    site = null;
  }
  const received = (): string[] =>
    receiver.received
      .map(({ body }) => JSON.parse(body.toString()) as Hook)
      .map(({ event, payload }) => `${event} ${payload.sourcePath}`)
      .toSorted();
  interface Hook {
    event: string;
    payload: { sourcePath: string };
  }
  const changes = async ({ site: running }: TestSite): Promise<string[]> => {
    const { journal } = running.context("test").changes;
    const first = await journal.read(start, 1_000);
    return first.batches.flatMap((batch) => batch.changes.map(({ op, key }) => `${op} ${key}`));
  };
  let start = "";

  it("get versions, a commit and webhooks at the next startup, once", async () => {
    const before = await boot();
    start = await before.site.context("test").changes.journal.cursor();
    await stop();
    await put("01.a/default.md", page("edited"));
    await put("05.e/default.md", page("new"));
    await rm(join(folder.path, "content/02.b"), { recursive: true });
    await rename(join(folder.path, "content/03.c"), join(folder.path, "content/06.f"));
    const running = await boot();
    await receiver.count(5);
    const expected = [
      "onPageCreate 05.e/default.md",
      "onPageCreate 06.f/default.md",
      "onPageDelete 02.b/default.md",
      "onPageDelete 03.c/default.md",
      "onPageUpdate 01.a/default.md",
    ];
    assert.deepEqual(received(), expected);
    const history = running.site.use("history");
    await history.settled();
    const [version] = await history.list("01.a/default.md");
    assert.equal(version?.kind, "found");
    assert.match((await history.get("01.a/default.md", version?.n ?? 0))?.content ?? "", /edited/);
    assert.equal((await history.list("05.e/default.md")).length, 1);
    assert.equal(
      git("log", "-1", "--format=%s|%an"),
      "change 5 pages while the site was stopped|Site",
    );
    assert.equal(git("status", "--porcelain"), "");
    const listed = await changes(running);
    assert.equal(listed.length, 5, listed.join());
    await stop();
    const again = await boot();
    await again.site.use("content").apply([{ op: "delete", path: "04.d/default.md" }]);
    await receiver.count(6);
    assert.deepEqual(received(), [...expected, "onPageDelete 04.d/default.md"].toSorted());
    assert.equal((await changes(again)).length, 6);
    await again.site.use("history").settled();
    assert.equal(git("rev-list", "--count", "HEAD"), "3");
  });

  it("are not announced again after a save that follows the startup", async () => {
    await put("01.a/default.md", page("edited"));
    const { site: running } = await boot();
    const path = "01.a/default.md";
    await running.use("content").apply([{ op: "write", path, content: page("saved") }]);
    await stop();
    await boot();
    await put("02.b/default.md", page("last"));
    await until(() => received().includes("onPageUpdate 02.b/default.md"));
    const about = received().filter((text) => text.endsWith(path));
    assert.ok(about.length === 1 || about.length === 2, about.join());
  });

  it("are all announced once, in parts, although the site is stopped meanwhile", async () => {
    for (let n = 0; n < FLOOD; n += 1) await put(`10.many/p${n}.md`, page(`P${n}`));
    await boot();
    await stop();
    const { site: running } = await boot();
    const webhooks = running.use("webhooks");
    const names = async (): Promise<string[]> => {
      const { items } = await webhooks.deliveries({ limit: 10_000 });
      return items.map(({ event, payload }) => `${event} ${String(payload["sourcePath"])}`);
    };
    await until(async () => (await names()).length >= FLOOD);
    await running.use("history").settled();
    const listed = await names();
    assert.equal(listed.length, FLOOD);
    assert.equal(new Set(listed).size, FLOOD);
    assert.equal(git("status", "--porcelain"), "");
  });

  it("are none at the first startup, nor when the cache was deleted", async () => {
    await put("01.a/default.md", page("edited"));
    await rm(join(folder.path, ".dune"), { recursive: true });
    await boot();
    await put("07.g/default.md", page("G"));
    await until(() => received().length > 0);
    assert.deepEqual(received(), ["onPageCreate 07.g/default.md"]);
    assert.equal(git("rev-list", "--count", "HEAD"), "1");
  });
});
