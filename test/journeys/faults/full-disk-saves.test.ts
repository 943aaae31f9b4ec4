import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { bootSite } from "../../support/sites/boot-site.js";
import { canMount, fillerPlugin, IN_OWN_MOUNTS } from "../../support/processes/small-disk.js";
import { startServer, type SiteProcess } from "../../support/processes/site-process.js";

/** Node in its own mount namespace, on a small disk with a copy of the whole site. */
const MOUNT =
  'mkdir -p "$SITE/../copy" && cp -r "$SITE/." "$SITE/../copy" && mount -t tmpfs -o size=3m tmpfs "$SITE" && cp -r "$SITE/../copy/." "$SITE" && exec "$0" "$@"';

const PLUGINS = ["admin", "check", "content", "flex", "health", "history", "markdown", "media"];
const PAGE = "---\ntitle: A\n---\nThe first words.\n";
const RECORD = "0123456789ab";
const FILES = {
  "site.yaml": `# ours\ntitle: T # short\nplugins:\n  - src: ./filler.ts\n${PLUGINS.map((name) => `  - ${name}\n`).join("")}`,
  "filler.ts": fillerPlugin("filler"),
  "content/02.a/default.md": PAGE,
  "flex-objects/book.yaml": "title: Books\nfields:\n  title: { type: text }\n",
  [`flex-objects/book/${RECORD}.yaml`]: "title: One\n",
};

describe("a full disk below everything that the admin API writes", function () {
  this.timeout(240_000);
  let folder: string;
  let root: string;
  let token = "";
  let server: SiteProcess & { url: string };

  before(async function () {
    if (!canMount) this.skip();
    folder = await mkdtemp(join(tmpdir(), "site-full-"));
    root = join(folder, "site");
    for (const [file, text] of Object.entries(FILES)) await atomicWrite(join(root, file), text);
    const site = await bootSite({ root });
    const permissions = [
      "pages.read",
      "pages.create",
      "pages.update",
      "pages.publish",
      "pages.delete",
      "media.upload",
      "flex.read",
      "flex.write",
      "config.read",
      "config.update",
      "users.manage",
      // Of the role that an account gets.
      "submissions.read",
    ];
    const wanted = { name: "test", permissions, userId: null, expiresAt: null };
    token = (await site.site.use("admin").tokens.create(wanted)).secret;
    await site.close();
    const env = { SITE: root, SITE_AUTH_SECRET: "s".repeat(40), SITE_ENV: "production" };
    server = await startServer(root, { command: [...IN_OWN_MOUNTS, MOUNT], env });
  });
  after(async () => {
    server?.child.kill("SIGKILL");
    await server?.ended();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${server.url}/admin/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined &&
          !(body instanceof FormData) && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
  /** A file as the server's own disk has it. */
  const onDisk = (file: string): Promise<string> =>
    readFile(join(`/proc/${server.child.pid}/root`, root, file), "utf8");
  const upload = (): FormData => {
    const form = new FormData();
    form.set("pagePath", "02.a/default.md");
    form.set("file", new Blob(["x".repeat(100_000)]), "notes.txt");
    return form;
  };
  const long = "more words ".repeat(2_000);
  const writes: [string, () => Promise<Response>][] = [
    ["saving a page", () => ask("PUT", "/pages/02.a/default.md", { content: `${PAGE}${long}` })],
    ["a new page", () => ask("POST", "/pages", { path: "03.b/default.md", content: long })],
    [
      "settings",
      () => ask("PATCH", "/settings/site", { changes: [{ key: "description", value: long }] }),
    ],
    ["an upload", () => ask("POST", "/media/upload", upload())],
    ["a record", () => ask("PUT", `/flex/book/${RECORD}`, { title: long })],
    ["a token", () => ask("POST", "/tokens", { name: "x", permissions: ["pages.read"] })],
    ["an account", () => ask("POST", "/users", { email: "a@example.org", roles: ["author"] })],
  ];

  it("responds 507 with a reason to every write, and leaves every file unchanged", async () => {
    for (const [name, write] of writes) {
      // Each time: what the server deletes meanwhile, such as a log that it rotates, makes room for a small file.
      assert.equal(await (await fetch(`${server.url}/fill`)).text(), "ENOSPC");
      const answer = await write();
      const text = await answer.text();
      assert.equal(answer.status, 507, `${name}: ${text}`);
      assert.equal(typeof JSON.parse(text).error, "string");
      assert.ok(!text.includes(root), `${name}: ${text}`);
    }
    for (const file of Object.keys(FILES)) {
      assert.equal(await onDisk(file), FILES[file as keyof typeof FILES], file);
    }
  });

  it("continues to read, and accepts tokens", async () => {
    for (const path of ["/pages/02.a/default.md", "/settings/site", "/flex/book", "/pages"]) {
      assert.equal((await ask("GET", path)).status, 200, path);
    }
    const live = await fetch(`${server.url}/health/live`);
    assert.equal(live.status, 200);
  });

  it("writes again as soon as there is room, and leaves no temporary file", async () => {
    assert.equal((await fetch(`${server.url}/free`)).status, 200);
    for (const [name, write] of writes) {
      const answer = await write();
      assert.ok(answer.status < 300, `${name}: ${answer.status} ${await answer.text()}`);
    }
    assert.equal(await onDisk("content/02.a/default.md"), `${PAGE}${long}`);
    const left = spawnSync("find", [`/proc/${server.child.pid}/root${root}`, "-name", ".tmp-*"]);
    assert.equal(left.stdout.toString(), "");
  });
});
