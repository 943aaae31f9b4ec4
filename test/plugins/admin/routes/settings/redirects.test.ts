import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { adminPlugins } from "../../../../support/sites/admin-site.js";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const text =
  "title:   Harbour   # spaces stay\nurl: http://localhost\nredirects:\n    # the old blog\n    /old: /blog   # since 2020\n    '/away': https://example.org/\n    /lost: /nowhere\n";
const path = "/admin/api/redirects";

describe("the redirects of the admin API", () => {
  const site = useFreshAdmin({
    files: { "site.yaml": text },
    plugins: [...adminPlugins, "render"],
  });
  const admin = site.user("admin");
  const onDisk = () => readFile(join(site.root, "site.yaml"), "utf8");
  const leads = async (address: string) => {
    const { status, headers } = await site.fetch(address);
    return `${status} ${headers.get("location") ?? ""}`.trim();
  };

  it("lists redirects with their problems, and needs redirects.update or config.update for changes", async () => {
    const editor = await site.as("editor");
    const { items, total, status } = await editor.json(200, "GET", path);
    assert.deepEqual([total, status], [3, 301]);
    assert.deepEqual(items[0], { from: "/old", location: "/blog", problem: null });
    assert.match(items[2].problem, /no page at "\/nowhere"/);
    const author = await site.as("author");
    const { error } = await author.json(403, "POST", path, { from: "/a", location: "/blog" });
    assert.match(error, /redirects\.update/);
    assert.equal(await onDisk(), text);
    for (const permission of ["redirects.update", "config.update"]) {
      const program = await site.withToken([permission]);
      await program.json(200, "POST", path, { from: "/a", location: "/blog" });
      await program.json(200, "DELETE", `${path}?from=/a`);
    }
    const change = { changes: [{ key: "redirects", value: {} }] };
    await editor.json(403, "PATCH", "/admin/api/settings/site", change);
  });

  it("shows no variable of the server as an address", async () => {
    for (const location of ["$SITE_SECRET", "${SITE_SECRET}"]) {
      const { error } = await admin.json(400, "POST", path, { from: "/a", location });
      assert.match(error, /variable/);
    }
    const edit = { was: "/old", from: "/old", location: "$SITE_SECRET" };
    await admin.json(400, "PATCH", path, edit);
    assert.equal(await onDisk(), text);
  });

  it("adds and follows redirects of addresses with a query", async () => {
    assert.equal(await leads("/?p=12"), "200");
    await admin.json(200, "POST", path, { from: "/?p=12", location: "/blog/first" });
    assert.equal(await leads("/?p=12"), "301 /blog/first");
    const { items } = await admin.json(200, "GET", path);
    assert.deepEqual(items[3], { from: "/?p=12", location: "/blog/first", problem: null });
    const { steps, end } = await admin.json(200, "GET", `${path}/test?address=/%3Fp=12`);
    const step = { from: "/?p=12", location: "/blog/first", status: 301 };
    assert.deepEqual([steps, end], [[step], "page"]);
    await admin.json(200, "DELETE", `${path}?from=/%3Fp=12`);
    assert.equal(await leads("/?p=12"), "200");
  });

  it("adds, changes and removes redirects at once, and keeps every other byte", async () => {
    assert.equal(await leads("/new"), "404");
    await admin.json(200, "POST", path, { from: "/new", location: "/blog/first" });
    assert.equal(await leads("/new"), "301 /blog/first");
    const added = text.replace("/nowhere\n", "/nowhere\n    /new: /blog/first\n");
    assert.equal(await onDisk(), added);

    const edit = { was: "/old", from: "/old", location: "/blog/first" };
    await admin.json(200, "PATCH", path, edit);
    assert.equal(await leads("/old"), "301 /blog/first");
    const edited = added.replace("/old: /blog ", "/old: /blog/first ");
    assert.equal(await onDisk(), edited);

    await admin.json(200, "PATCH", path, { was: "/new", from: "/newer", location: "/blog" });
    assert.deepEqual([await leads("/new"), await leads("/newer")], ["404", "301 /blog"]);
    await admin.json(200, "DELETE", `${path}?from=/newer`);
    await admin.json(404, "DELETE", `${path}?from=/newer`);
    assert.equal(await leads("/newer"), "404");
    assert.equal(await onDisk(), edited.replace("    /new: /blog/first\n", ""));

    const events = (await site.audit()).map(({ event }) => event);
    assert.deepEqual(
      events.filter((event) => event.startsWith("redirect.")),
      ["redirect.set", "redirect.set", "redirect.delete", "redirect.set", "redirect.delete"],
    );
  });

  it("rejects loops, duplicates, invalid addresses and an outdated file", async () => {
    const add = (from: string, location: string, status: number, headers = {}) =>
      admin.json(status, "POST", path, { from, location }, headers);
    const loop = await add("/blog", "/old", 400);
    assert.match(loop.error, /lead back: .*\/old → \/blog|lead back: .*\/blog → \/old/);
    assert.match(loop.error, /remove one of these lines/);
    assert.match((await add("/old/", "/blog", 409)).error, /"\/old" already redirects to "\/blog"/);
    assert.match((await add("old", "/blog", 400)).error, /a path on this site/);
    assert.match((await add("/x", "javascript:alert(1)", 400)).error, /http\(s\) URL/);
    await add("/x", "/blog", 409, { "if-match": '"outdated"' });
    assert.match(
      (await admin.json(404, "PATCH", path, { was: "/none", from: "/x", location: "/blog" })).error,
      /no redirect from "\/none"/,
    );
    assert.equal(await onDisk(), text);
    assert.equal(await leads("/x"), "404");
  });

  it("tells where an address leads", async () => {
    await admin.json(200, "POST", path, { from: "/older", location: "/old?from=older" });
    const tried = (address: string) =>
      admin.json(200, "GET", `${path}/test?address=${encodeURIComponent(address)}`);
    const older = await tried("/older");
    assert.deepEqual(
      older.steps.map(({ location }: { location: string }) => location),
      ["/old?from=older", "/blog"],
    );
    assert.deepEqual([older.end, older.sourcePath], ["page", "02.blog/blog.md"]);
    assert.equal((await tried("http://localhost/old")).address, "/blog");
    const ends = ["/away", "/lost", "/api/pages", "/blog/second"].map(async (one) => tried(one));
    assert.deepEqual(
      (await Promise.all(ends)).map(({ end }) => end),
      ["outside", "nothing", "route", "nothing"],
    );
    const { error } = await admin.json(400, "GET", `${path}/test?address=//other.example/`);
    assert.match(error, /is not on this site/);
  });
});
