import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ChangeBatch } from "#kernel";
import { definePlugin } from "#kernel";
import type { TestSite } from "../../support/sites/boot-site.js";
import { gitRemote, page, type GitRemote } from "../../support/servers/git-remote.js";
import { until } from "../../support/until.js";

const HOME = "01.home/default.md";
const SECRET = "a secret of the git host";

describe("pages from a git remote", () => {
  let remote: GitRemote;
  let site: TestSite;
  beforeEach(async () => (remote = await gitRemote()));
  afterEach(() => remote.close());
  const title = (path: string): string | undefined =>
    site.site.use("content").generation().bySource.get(path)?.title;
  const sync = () => site.site.use("gitSync").sync();

  it("are cloned into an empty content folder before the site is ready", async () => {
    site = await remote.boot();
    assert.equal(title(HOME), "Home");
    assert.equal((await site.fetch("/")).status, 200);
  });

  it("are pulled: new, changed and deleted ones, announced with before and after", async () => {
    const batches: ChangeBatch[] = [];
    const recorder = definePlugin({
      name: "recorder",
      version: "1.0.0",
      setup: ({ changes }) => changes.listen("recorder", (batch) => void batches.push(batch)),
    });
    await remote.push({ "02.old/default.md": page("Old") });
    site = await remote.boot("site", { extraPlugins: [recorder] });
    await sync();
    await remote.push({
      [HOME]: page("Harbour"),
      "02.old/default.md": null,
      "03.new.md": page("New"),
    });
    await sync();
    assert.deepEqual(
      [title(HOME), title("02.old/default.md"), title("03.new.md")],
      ["Harbour", undefined, "New"],
    );
    const changes = batches.flatMap((batch) => batch.changes.filter(({ kind }) => kind === "page"));
    assert.deepEqual(
      changes.map(({ op, key }) => `${op} ${key}`),
      ["create 03.new.md", `update ${HOME}`, "delete 02.old/default.md"],
    );
    assert.equal(batches.filter((batch) => batch.changes.length > 0).length, 1);
    assert.equal((await site.fetch("/new")).status, 200);
  });

  it("are pulled when the git host calls the webhook with a signature", async () => {
    site = await remote.boot("site", { env: { SITE_GIT_SYNC_SECRET: SECRET } });
    await sync();
    await remote.push({ [HOME]: page("Harbour") });
    const body = JSON.stringify({ ref: "refs/heads/main" });
    const call = async (headers: Record<string, string>): Promise<number> =>
      (await site.fetch("/api/git-sync", { method: "POST", body, headers })).status;
    const sign = (secret: string): string =>
      `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    assert.equal(await call({}), 401);
    assert.equal(await call({ "x-hub-signature-256": sign("another secret") }), 401);
    assert.equal(await call({ "x-gitlab-token": "wrong" }), 401);
    assert.equal(title(HOME), "Home");
    assert.equal(await call({ "x-hub-signature-256": sign(SECRET) }), 202);
    await until(() => title(HOME) === "Harbour");
    assert.equal(await call({ "x-gitlab-token": SECRET }), 202);
  });

  it("limits the calls of the webhook, and rejects all without a secret", async () => {
    site = await remote.boot("site", { env: { SITE_GIT_SYNC_SECRET: SECRET } });
    const statuses = new Set<number>();
    for (let n = 0; n < 31; n += 1) {
      statuses.add((await site.fetch("/api/git-sync", { method: "POST" })).status);
    }
    assert.deepEqual([...statuses], [401, 429]);
    site = await remote.boot("other");
    assert.equal((await site.fetch("/api/git-sync", { method: "POST" })).status, 501);
  });

  it("are pulled at the interval", async () => {
    site = await remote.boot("site", { sync: { interval_seconds: 1 } });
    await remote.push({ [HOME]: page("Harbour") });
    await until(() => title(HOME) === "Harbour");
  });

  it("are not cloned over files that are no clone of the remote", async () => {
    const content = join(remote.base, "site", "content");
    await mkdir(content, { recursive: true });
    await writeFile(join(content, "mine.md"), "mine");
    await assert.rejects(remote.boot(), { code: "ERR_GIT_SYNC_FOLDER" });
    assert.equal(await readFile(join(content, "mine.md"), "utf8"), "mine");
    remote.git("clone", "-q", remote.url, join(remote.base, "other", "content"));
    remote.git(
      "-C",
      join(remote.base, "other", "content"),
      "remote",
      "set-url",
      "origin",
      "/else.git",
    );
    await assert.rejects(remote.boot("other"), { code: "ERR_GIT_SYNC_FOLDER" });
  });

  it("are not cloned from a remote without the branch, and the error hides the password", async () => {
    await assert.rejects(remote.boot("a", { sync: { branch: "none" } }), (error: Error) =>
      /no branch "none"/.test(error.message),
    );
    const address = "http://user:very-secret@127.0.0.1:9/pages.git";
    await assert.rejects(remote.boot("b", { sync: { remote: address } }), (error: Error) => {
      assert.match(error.message, /cannot be cloned/);
      return !error.message.includes("very-secret");
    });
  });

  it("are served by a site that starts while the remote is down", async () => {
    await (await remote.boot()).close();
    await remote.down();
    site = await remote.boot();
    assert.equal((await site.fetch("/")).status, 200);
    await sync();
    assert.notEqual(site.site.use("gitSync").status().failingSince, null);
    assert.equal(site.site.use("health").problems()[0]?.part, "git-sync");
    await remote.up();
    await remote.push({ [HOME]: page("Harbour") });
    await sync();
    assert.equal(title(HOME), "Harbour");
    assert.equal(site.site.use("gitSync").status().failingSince, null);
    assert.deepEqual(site.site.use("health").problems(), []);
  });

  it("leave the repository itself out of reach of visitors", async () => {
    site = await remote.boot();
    for (const path of ["/.git/config", "/content-media/.git/config", "/api/pages/.git/config"]) {
      assert.equal((await site.fetch(path)).status, 404, path);
    }
  });
});
