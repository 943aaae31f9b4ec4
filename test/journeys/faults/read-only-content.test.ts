import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atomicWrite } from "#kernel";
import { bootSite } from "../../support/sites/boot-site.js";
import { canMount, IN_OWN_MOUNTS } from "../../support/processes/small-disk.js";
import { startServer, type SiteProcess } from "../../support/processes/site-process.js";

/** Node in its own mount namespace, in which the folders of content and records are read-only disks. */
const MOUNT = `for folder in content flex-objects; do
    cp -r "$SITE/$folder" "$SITE/../$folder" && mount -t tmpfs tmpfs "$SITE/$folder" &&
      cp -r "$SITE/../$folder/." "$SITE/$folder" && mount -o remount,ro "$SITE/$folder" || exit 1
  done; exec "$0" "$@"`;

const PLUGINS = ["admin", "content", "flex", "health", "markdown", "media", "pages", "search"];
const PAGE = "---\ntitle: A\n---\nThe first words.\n";
const HEALTH_TOKEN = "health-token-of-the-test";
const FILES = {
  "site.yaml": `title: T\nhealth_token: ${HEALTH_TOKEN}\nplugins:\n${PLUGINS.map((name) => `  - ${name}\n`).join("")}`,
  "content/02.a/default.md": PAGE,
  "content/02.a/notes.txt": "notes",
  "flex-objects/book.yaml": "title: Books\nfields:\n  title: { type: text }\n",
  "flex-objects/book/0123456789ab.yaml": "title: One\n",
};

describe("content and records on a disk that is read-only", function () {
  this.timeout(240_000);
  let folder = "";
  let root = "";
  let token = "";
  let server: SiteProcess & { url: string };

  before(async function () {
    if (!canMount) this.skip();
    folder = await mkdtemp(join(tmpdir(), "site-read-only-"));
    root = join(folder, "site");
    for (const [file, text] of Object.entries(FILES)) await atomicWrite(join(root, file), text);
    const site = await bootSite({ root });
    const pages = ["read", "create", "update", "publish", "delete"].map((name) => `pages.${name}`);
    const permissions = [...pages, "media.upload", "media.delete", "flex.read", "flex.write"];
    const wanted = {
      name: "test",
      permissions: [...permissions, "users.manage"],
      userId: null,
      expiresAt: null,
    };
    token = (await site.site.use("admin").tokens.create(wanted)).secret;
    await site.close();
    const env = { SITE: root, SITE_AUTH_SECRET: "s".repeat(40), SITE_ENV: "production" };
    server = await startServer(root, { command: [...IN_OWN_MOUNTS, MOUNT], env });
  });
  after(async () => {
    server?.child.kill("SIGKILL");
    await server?.ended();
    if (folder !== "") await rm(folder, { recursive: true, force: true });
  });

  const ask = (method: string, path: string, body?: unknown): Promise<Response> => {
    const isForm = body instanceof FormData;
    const headers = new Headers({ authorization: `Bearer ${token}` });
    if (body !== undefined && !isForm) headers.set("content-type", "application/json");
    return fetch(`${server.url}/admin/api${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
  };
  const upload = (): FormData => {
    const form = new FormData();
    form.set("pagePath", "02.a/default.md");
    form.set("file", new Blob(["x"]), "more.txt");
    return form;
  };
  const writes: [string, () => Promise<Response>][] = [
    ["saving a page", () => ask("PUT", "/pages/02.a/default.md", { content: `${PAGE}More.` })],
    ["a new page", () => ask("POST", "/pages", { path: "03.b/default.md", content: PAGE })],
    ["an upload", () => ask("POST", "/media/upload", upload())],
    ["a record", () => ask("PUT", "/flex/book/0123456789ab", { title: "Two" })],
    ["a new record", () => ask("POST", "/flex/book", { title: "Three" })],
    ["deleting a page", () => ask("DELETE", "/pages/03.b/default.md")],
  ];
  const health = async (): Promise<{ problems: { part: string; problem: string }[] }> => {
    const response = await fetch(`${server.url}/health?detailed=true&token=${HEALTH_TOKEN}`);
    return Object(await response.json());
  };

  it("responds 503 with Retry-After and a reason to every write", async () => {
    // The page to delete does not exist.
    for (const [name, write] of writes.slice(0, -1)) {
      const response = await write();
      const text = await response.text();
      assert.equal(response.status, 503, `${name}: ${text}`);
      assert.ok(response.headers.has("retry-after"), name);
      assert.match(Object(JSON.parse(text)).error, /read-only|EROFS/, name);
      assert.ok(!text.includes(root), `${name}: ${text}`);
    }
    const response = await ask("DELETE", "/pages/02.a/default.md");
    assert.equal(response.status, 503, await response.text());
  });

  it("can be read, and other folders can be written", async () => {
    for (const path of ["/pages/02.a/default.md", "/flex/book"]) {
      assert.equal((await ask("GET", path)).status, 200, path);
    }
    for (const path of [
      "/api/pages/a",
      "/api/search?q=words",
      "/content-media/02.a/notes.txt",
      "/health/live",
    ]) {
      assert.equal((await fetch(server.url + path)).status, 200, path);
    }
    const created = await ask("POST", "/tokens", { name: "x", permissions: ["pages.read"] });
    assert.ok(created.status < 300, await created.text());
  });

  it("is reported by health until the disk is writable again", async () => {
    const { problems } = await health();
    const named = problems.filter(({ part }) => part === "folders");
    assert.match(named[0]?.problem ?? "", /content.*EROFS/);
    for (const name of ["content", "flex-objects"]) {
      const mount = ["mount", "-o", "remount,rw", join(root, name)];
      const words = [
        "-m",
        "-U",
        "--preserve-credentials",
        "-t",
        String(server.child.pid),
        ...mount,
      ];
      const { status, stderr } = spawnSync("nsenter", words, { encoding: "utf8" });
      assert.equal(status, 0, stderr);
    }
    assert.deepEqual((await health()).problems, []);
    for (const [name, write] of writes) {
      const response = await write();
      assert.ok(response.status < 300, `${name}: ${response.status} ${await response.text()}`);
    }
  });
});
