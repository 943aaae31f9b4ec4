import assert from "node:assert/strict";
import { mkdtemp, mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gradient } from "../../support/content/pictures.js";
import { canMount, fillerPlugin, IN_OWN_MOUNTS } from "../../support/processes/small-disk.js";
import {
  startProcess,
  startServer,
  type SiteProcess,
} from "../../support/processes/site-process.js";
import { until } from "../../support/until.js";
import { startReceiver, type Receiver } from "../../support/servers/webhook-receiver.js";

/** Runs node in its own mount namespace, with a small disk for the derived data of the site. */
const MOUNT = 'mount -t tmpfs -o size=1500k tmpfs "$SMALL_DISK" && exec "$0" "$@"';

describe("a full disk below cache, logs, analytics and image variants", function () {
  this.timeout(240_000);
  let root: string;
  let server: SiteProcess & { url: string };
  let receiver: Receiver;

  before(async function () {
    if (!canMount) this.skip();
    root = await mkdtemp(join(tmpdir(), "site-disk-"));
    receiver = await startReceiver();
    for (const folder of [".dune", "content/02.about", "plugins"])
      await mkdir(join(root, folder), { recursive: true });
    const site = [
      "title: T",
      "health_token: health-token-of-the-test",
      "plugins:",
      "  - src: ./plugins/filler.ts",
      ...["cache", "content", "feeds", "flex", "health", "history", "media", "pages", "render"].map(
        (name) => `  - ${name}`,
      ),
      ...["search", "webhooks", "admin"].map((name) => `  - ${name}`),
      "",
    ].join("\n");
    await writeFile(join(root, "site.yaml"), site);
    await writeFile(
      join(root, "admin.yaml"),
      `webhooks:\n  - url: ${receiver.url}\n    secret: webhook-secret-1234\n    events: [onPageUpdate]\n`,
    );
    await writeFile(join(root, "plugins/filler.ts"), fillerPlugin(".dune/filler"));
    await mkdir(join(root, "content/01.home"), { recursive: true });
    await writeFile(
      join(root, "content/01.home/default.md"),
      "# Home\n\nWords of the home page.\n",
    );
    await writeFile(join(root, "content/02.about/default.md"), "# About\n\nWords.\n");
    await writeFile(
      join(root, "content/02.about/a.jpg"),
      await gradient(1_400, 900).jpeg().toBuffer(),
    );
    server = await startServer(root, {
      command: [...IN_OWN_MOUNTS, MOUNT],
      env: {
        SMALL_DISK: join(root, ".dune"),
        SITE_AUTH_SECRET: "s".repeat(40),
        SITE_ENV: "production",
      },
    });
  });
  after(async () => {
    server?.child.kill("SIGKILL");
    await server?.ended();
    await receiver?.close();
    if (root) await rm(root, { recursive: true, force: true });
  });

  const get = async (path: string): Promise<string> => {
    const res = await fetch(server.url + path);
    const body = await res.arrayBuffer();
    assert.equal(res.status, 200, `${path}: ${Buffer.from(body).toString().slice(0, 200)}`);
    return Buffer.from(body).toString();
  };
  const health = async (): Promise<Record<string, unknown>> =>
    Object(JSON.parse(await get("/health?detailed=true&token=health-token-of-the-test")));

  it("is not reported while there is room", async () => {
    await get("/about");
    assert.deepEqual((await health())["status"], "ok");
  });

  it("does not stop the site: pages, files, generated images, searches", async () => {
    assert.equal(await get("/fill"), "ENOSPC");
    for (const path of ["/", "/about", "/about/a.jpg", "/api/pages/about", "/feed.xml"])
      await get(path);
    assert.match(await get("/api/search?q=words"), /About/);
    for (const width of [320, 640, 768]) await get(`/about/a.jpg?width=${width}`);
    for (const width of [320, 640, 768]) await get(`/about/a.jpg?width=${width}`);
  });

  it("is reported in health, with the names of folders and no path", async () => {
    const report = await health();
    assert.equal(report["status"], "degraded");
    const text = JSON.stringify(report["problems"]);
    assert.match(text, /"disk".*disk is full.*runtime.*cache/);
    assert.ok(!text.includes(root));
    assert.equal((await fetch(`${server.url}/health/ready`)).status, 200);
  });

  it("does not stop a change from being shown and announced, though neither index nor delivery can be stored", async () => {
    const before = receiver.received.length;
    await writeFile(join(root, "content/02.about/default.md"), "# About\n\nNewer words.\n");
    await until(async () => (await get("/about")).includes("Newer words"));
    await receiver.count(before + 1);
  });

  it("is recovered from when there is room again", async () => {
    await get("/free");
    assert.equal((await health())["status"], "ok");
    await get("/about/a.jpg?width=1024");
    server.child.kill("SIGTERM");
    assert.equal(await server.ended(), 0);
  });
});

/** Like `MOUNT`, with a disk that is full before the start. */
const FULL =
  'mount -t tmpfs -o size=64k tmpfs "$SMALL_DISK" && { dd if=/dev/zero of="$SMALL_DISK/filler" bs=512 2>/dev/null; exec "$0" "$@"; }';

describe("a start on a full disk", function () {
  this.timeout(60_000);

  it("ends with the file, the cause and the fix, and no stack", async function () {
    if (!canMount) this.skip();
    const root = await mkdtemp(join(tmpdir(), "site-disk-"));
    await mkdir(join(root, ".dune"));
    await writeFile(join(root, "site.yaml"), "title: T\n");
    const started = startProcess(["serve", "--root", root, "--port", "0"], {
      command: [...IN_OWN_MOUNTS, FULL],
      env: { SMALL_DISK: join(root, ".dune") },
    });
    assert.equal(await started.ended(), 1);
    assert.match(started.text(), /server\.lock cannot be written or read: the disk is full/);
    assert.match(started.text(), /free some space/);
    assert.doesNotMatch(started.text(), /\n\s+at /);
    await rm(root, { recursive: true, force: true });
  });
});
