import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, readFile, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { useFolder } from "../support/folder.js";
import { repository } from "../support/repository.js";
import { bootSite, type TestSite } from "../support/sites/boot-site.js";

/**
 * A site that version 0.4.0 of 2026-11-24 has made and served: pages with a picture, a page for members, records, an
 * account, a token, a working copy, a version of a page, a deleted page, a theme of its own, a plugin.
 */
const ARCHIVE = join(repository, "test/fixtures/site-0.4.0.tar.gz");
const TOKEN = "site_9907978c0183368a_Y19Wv1w47_ZiikTJpidCC08J2BMLJ1f91o3dzC6hJ9A";
const PASSWORD = "Correct-Horse-77!";
/** Before the trash of the site is emptied. */
const NOW = Date.parse("2026-12-01T12:00:00Z");

describe("a site of version 0.4.0", function () {
  this.timeout(60_000);
  const folder = useFolder();
  let site: TestSite;
  beforeEach(async () => {
    site = await bootSite({
      root: await unpack("site"),
      clock: { now: () => NOW },
      undeclared: true,
    });
  });
  afterEach(() => site.close());

  async function unpack(name: string): Promise<string> {
    const root = join(folder.path, name);
    await mkdir(root);
    execFileSync("tar", ["-xzf", ARCHIVE, "-C", root]);
    return root;
  }

  const text = async (path: string, status = 200): Promise<string> => {
    const response = await site.fetch(path);
    assert.equal(response.status, status, path);
    return response.text();
  };
  const api = async (path: string, method = "GET", body?: unknown): Promise<string> => {
    const response = await site.fetch(`/admin/api/${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${answer}`);
    return answer;
  };

  it("is served with its theme, its plugin, its pictures, redirects, records and search", async () => {
    assert.match(await text("/blog/second"), /<h1>Mine: Second edit<\/h1>/);
    assert.match(await text("/about-us"), /<img [^>]*alt="Horizon"/);
    assert.ok((await text("/about-us/horizon.png?width=320")).length > 1_000);
    const moved = await site.fetch("/about");
    assert.equal(moved.status, 301);
    assert.match(moved.headers.get("location") ?? "", /\/about-us$/);
    assert.match(await text("/api/words"), /"\/about-us":\d+/);
    assert.match(await text("/api/flex/product"), /"name":"Desk lamp"[^]*"name":"Chair"/);
    assert.match(await text("/flex/product"), /Desk lamp/);
    assert.match(await text("/api/search?q=second"), /"\/blog\/second"/);
  });

  it("keeps its gated page from visitors", async () => {
    await text("/members", 302);
    assert.doesNotMatch(await text("/sitemap.xml"), /members/);
  });

  it("signs its account in, which may do what its role allows", async () => {
    const response = await site.fetch("/admin/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "ann", password: PASSWORD }),
    });
    assert.equal(response.status, 200, await response.text());
    const [account] = (await site.site.use("users").list()).filter((one) => one.username === "ann");
    assert.deepEqual(account?.roles, ["editor"]);
  });

  it("knows its token, working copy, versions and trash", async () => {
    assert.match(await api("drafts/03.about-us/default.md"), /Working copy\./);
    assert.match(await api("history/02.blog/second/post.md"), /"n":2/);
    await api("history/02.blog/second/post.md/1/restore", "POST");
    assert.match(await text("/blog/second"), /<h1>Mine: Second<\/h1>/);
    await api("trash", "POST", { id: "01M8PF7CZY0684JY5E84HHMQ4G" });
    assert.match(await text("/blog/hello-world"), /<h1>Mine: Hello, world<\/h1>/);
  });

  it("has no file that a start changes, except those of the runtime folder", async () => {
    await text("/");
    await site.close();
    const untouched = await unpack("untouched");
    for (const file of await readdir(untouched, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (!file.isFile() || path.includes("/.dune/")) continue;
      const now = await readFile(join(site.root, relative(untouched, path)));
      assert.ok(now.equals(await readFile(path)), path);
    }
  });
});
